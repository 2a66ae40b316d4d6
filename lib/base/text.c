/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See text.h. */
#include "text.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the sequence at s, 0: none begins here. The final NUL is no continuation byte. */
static size_t sequence_bytes(const unsigned char *s)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong forms, surrogates, beyond U+10FFFF: what Unicode's table 3-7 leaves out. */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f) || s[0] > 0xf4)
		return 0;
	return n;
}

/* C1 (U+0080 to U+009F) is C2 80 to C2 9F here, and terminals do obey it. */
static bool is_control(const unsigned char *s)
{
	return s[0] < 0x20 || s[0] == 0x7f || (s[0] == 0xc2 && s[1] < 0xa0);
}

void rsp_text_clean(char *s)
{
	const unsigned char *in = (unsigned char *)s;
	char *out = s;

	while (*in) {
		size_t n = sequence_bytes(in);

		if (n == 0 || is_control(in)) {
			*out++ = '?';
			in += n ? n : 1;
			continue;
		}
		while (n--)
			*out++ = (char)*in++;
	}
	*out = '\0';
}
