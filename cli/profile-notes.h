/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the notes of flame graphs and call graphs: which data is missing, and why. */
#ifndef RSP_CLI_PROFILE_NOTES_H
#define RSP_CLI_PROFILE_NOTES_H

#include "lib/profile/profile.h"

#define RSP_PROFILE_NOTE_BYTES 1024

/*
 * Writes a line about missing data, or "" if nothing is missing. Returns whether records were lost
 * or events of memory are missing. The line also describes pauses and withheld names, which are not
 * losses.
 */
bool rsp_profile_missing(const struct rsp_model *m, const struct rsp_profile *p,
			 const struct rsp_profile_options *how,
			 char ret[static RSP_PROFILE_NOTE_BYTES]);
const char *rsp_profile_empty(const struct rsp_model *m, const struct rsp_profile *p,
			      enum rsp_profile_kind kind, char ret[static RSP_PROFILE_NOTE_BYTES]);

#endif
