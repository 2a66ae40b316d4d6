/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes the recorder's own processes in a recording. */
#ifndef RSP_TRACE_OWN_H
#define RSP_TRACE_OWN_H

#include <stdbool.h>

/*
 * Returns whether the recorder's processes give themselves this name. Other programs may use the
 * same name.
 */
bool rsp_is_recorder(const char *comm);

#endif
