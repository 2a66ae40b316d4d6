/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See text.h. */
#include "lib/base/text.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the length of the UTF-8 sequence at s, or 0 if it is invalid. The NUL of the string is
 * not a continuation byte, so no read is beyond its end.
 */
static size_t sequence_bytes(const unsigned char *s)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/*
	 * Rejects overlong forms, surrogates, and values beyond U+10FFFF (table 3-7 of the Unicode
	 * standard).
	 */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f) || s[0] > 0xf4)
		return 0;
	return n;
}

/*
 * Characters that a reader does not see, in ascending order: control characters, including C1
 * (U+0080 to U+009F), which terminals obey; line separators; bidi controls, which reorder text;
 * Unicode's default ignorable characters, which can make two different names look equal.
 */
static const struct range {
	uint32_t first, last;
} unseen[] = {
	{0x00, 0x1f},	    {0x7f, 0x9f},	{0xad, 0xad},	    {0x34f, 0x34f},
	{0x61c, 0x61c},	    {0x115f, 0x1160},	{0x17b4, 0x17b5},   {0x180b, 0x180f},
	{0x200b, 0x200f},   {0x2028, 0x202e},	{0x2060, 0x206f},   {0x3164, 0x3164},
	{0xfe00, 0xfe0f},   {0xfeff, 0xfeff},	{0xffa0, 0xffa0},   {0xfff0, 0xfffb},
	{0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

static uint32_t code_point(const unsigned char *s, size_t n)
{
	uint32_t c = n == 1 ? s[0] : s[0] & (0x7f >> n);

	for (size_t i = 1; i < n; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

static bool is_unseen(uint32_t c)
{
	for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]) && c >= unseen[i].first; i++)
		if (c <= unseen[i].last)
			return true;
	return false;
}

bool rsp_text_is_clean(const char *s)
{
	const unsigned char *in = (const unsigned char *)s;

	for (size_t n; *in; in += n) {
		n = sequence_bytes(in);
		if (n == 0 || is_unseen(code_point(in, n)))
			return false;
	}
	return true;
}

void rsp_text_clean(char *s)
{
	const unsigned char *in = (unsigned char *)s;
	char *out = s;

	while (*in) {
		size_t n = sequence_bytes(in);

		if (n == 0 || is_unseen(code_point(in, n))) {
			*out++ = '?';
			in += n ? n : 1;
			continue;
		}
		while (n--)
			*out++ = (char)*in++;
	}
	*out = '\0';
}

/* U+FFFE and U+FFFF are valid in UTF-8, but not in XML. */
static bool is_noncharacter(const char *s)
{
	return (unsigned char)s[0] == 0xef && (unsigned char)s[1] == 0xbf &&
	       (unsigned char)s[2] >= 0xbe;
}

void rsp_text_put_markup(FILE *f, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		case '\'':
			fputs("&#39;", f);
			break;
		default:
			if (is_noncharacter(text)) {
				fputc('?', f);
				text += 2;
			} else {
				fputc(*text, f);
			}
		}
	}
}

void rsp_text_put_label(FILE *f, const char *key, const char *value)
{
	fprintf(f, "%s=\"", key);
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", f);
		else if (*value == '"' || *value == '\\')
			fprintf(f, "\\%c", *value);
		else
			fputc(*value, f);
	}
	fputc('"', f);
}
