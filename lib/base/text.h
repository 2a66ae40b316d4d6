/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strangers' bytes -> text that terminals and JSON may see. File names, command lines and comms
 * hold any byte; this makes them valid UTF-8 of characters that show what they are, in the order in
 * which they stand, and changes nothing else.
 */
#ifndef RSP_LIB_TEXT_H
#define RSP_LIB_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * In place: each byte that belongs to no UTF-8 sequence, and each control character (C0, DEL, C1),
 * line separator, bidi control or invisible character becomes '?'. The string never grows. A
 * sequence cut off by the string's end counts as invalid.
 */
void rsp_text_clean(char *s);
/* Returns whether rsp_text_clean() would leave it as it is. */
bool rsp_text_is_clean(const char *s);

/*
 * Writes text into HTML or XML: escapes markup, and writes '?' for the two noncharacters that XML
 * does not allow. The text must be valid UTF-8 without control characters.
 */
void rsp_text_put_markup(FILE *f, const char *text);

/* Writes a label of OpenMetrics: key="value", with \\, \" and \n in the value escaped. */
void rsp_text_put_label(FILE *f, const char *key, const char *value);

#endif
