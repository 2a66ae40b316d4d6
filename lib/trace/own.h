/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes the recorder's own processes in a recording. */
#ifndef RSP_TRACE_OWN_H
#define RSP_TRACE_OWN_H

#include <stdbool.h>

/*
 * Returns whether this is a name that the recorder's processes give themselves. Other programs may
 * use the same names.
 */
bool rsp_is_recorder(const char *comm);

#endif
