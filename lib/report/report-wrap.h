/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breaks text into lines for a terminal. */
#ifndef RSP_LIB_REPORT_WRAP_H
#define RSP_LIB_REPORT_WRAP_H

#include <stdio.h>

/*
 * Writes text after the first used columns of a line, and breaks it at spaces so that lines have at
 * most width columns; further lines are indented. A longer word has a line of its own, and a number
 * stays with its unit. width 0: one line, for grep and head. Writes no newline at the end.
 */
void rsp_wrap(FILE *out, const char *text, size_t used, size_t indent, size_t width);

#endif
