/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes untrusted bytes safe for terminals and JSON. File names, command lines and comms may
 * contain any byte. The result is valid UTF-8, and all of its characters are visible and in the
 * order in which they are stored. Nothing else changes.
 */
#ifndef RSP_LIB_TEXT_H
#define RSP_LIB_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Works in place: each byte that belongs to no UTF-8 sequence, and each control character (C0, DEL,
 * C1), line separator, bidi control or invisible character becomes '?'. The string never grows. A
 * sequence that the end of the string cuts off is invalid.
 */
void rsp_text_clean(char *s);
/* Returns whether rsp_text_clean() would leave the string unchanged. */
bool rsp_text_is_clean(const char *s);

/*
 * Writes text into HTML or XML: escapes markup, and writes '?' for the two noncharacters that XML
 * does not allow. The text must be valid UTF-8 without control characters.
 */
void rsp_text_put_markup(FILE *f, const char *text);

/* Writes a label of OpenMetrics: key="value", with \\, \" and \n in the value escaped. */
void rsp_text_put_label(FILE *f, const char *key, const char *value);

#endif
