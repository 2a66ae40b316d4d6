/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes untrusted bytes safe for terminals and JSON. The result is valid UTF-8, and all of its
 * characters are visible, in the order in which they are stored.
 */
#ifndef RSP_LIB_TEXT_H
#define RSP_LIB_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Replaces each byte that is not part of a valid UTF-8 sequence, and each invisible character, by
 * '?', in place. Invisible characters are control characters, line separators, bidi controls and
 * ignorable characters. The string never becomes longer.
 */
void rsp_text_clean(char *s);
/* Returns whether rsp_text_clean() would leave the string unchanged. */
bool rsp_text_is_clean(const char *s);

/*
 * Escapes markup of HTML or XML, and writes '?' instead of the two noncharacters U+FFFE and U+FFFF,
 * which XML forbids. The text must be valid UTF-8 without control characters.
 */
void rsp_text_put_markup(FILE *f, const char *text);

/*
 * Writes a label of OpenMetrics: key="value". Escapes backslashes, quotes and newlines in the
 * value.
 */
void rsp_text_put_label(FILE *f, const char *key, const char *value);

#endif
