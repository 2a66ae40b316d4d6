/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breaks text into lines for a terminal. */
#ifndef RSP_LIB_WRAP_H
#define RSP_LIB_WRAP_H

#include <stdio.h>

/*
 * Writes text. used: number of columns that are taken at the beginning of the line. Breaks the text
 * at spaces so that lines have at most width columns, and indents all lines after the first. A word
 * that is longer than a line gets a line of its own. A number and its unit stay on one line. If
 * text begins with a space, the first line may end before its first word. If width is 0, writes one
 * line, for grep and head. Does not write a newline at the end.
 */
void rsp_wrap(FILE *out, const char *text, size_t used, size_t indent, size_t width);

#endif
