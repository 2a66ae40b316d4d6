/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/base/text.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/text.h"

static void test_clean(void **state)
{
	static const struct {
		const char *in, *want;
	} cases[] = {
		{"", ""},
		{"plain ~", "plain ~"},
		{"a\nb\tc\x1b[0m\x7f", "a?b?c?[0m?"},
		{"\xc3\xa9 \xe2\x80\xa6 \xf0\x9f\x90\xa2",
		 "\xc3\xa9 \xe2\x80\xa6 \xf0\x9f\x90\xa2"},
		{"\xc2\x9b"
		 "1m",
		 "?1m"},		  /* C1: the 8-bit CSI */
		{"\xc2\xa0", "\xc2\xa0"}, /* the first after C1 */
		{"\x9b"
		 "1m",
		 "?1m"}, /* a lone continuation byte */
		{"cut \xe2\x80", "cut ??"},
		{"\xc3(", "?("},
		{"\xc0\xaf", "??"}, /* overlong '/' */
		{"\xe0\x80\xaf", "???"},
		{"\xed\xa0\x80", "???"},      /* surrogate */
		{"\xf4\x90\x80\x80", "????"}, /* beyond U+10FFFF */
		{"\xff\xfe", "??"},
		/* Characters that change the direction of text: U+202E, U+2066, U+200F, U+061C. */
		{"a\xe2\x80\xae"
		 "b",
		 "a?b"},
		{"\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c", "???"},
		/* Invisible: U+200B, U+00AD, U+FEFF, U+3164, U+E0041. */
		{"\xe2\x80\x8b\xc2\xad\xef\xbb\xbf\xe3\x85\xa4\xf3\xa0\x81\x81", "?????"},
		/* Characters that some programs treat as line breaks: U+2028, U+2029. */
		{"\xe2\x80\xa8\xe2\x80\xa9", "??"},
		/*
		 * Harmless characters whose codes are next to the harmful ones: U+200A, U+2010,
		 * U+202F, U+2070, U+061B, U+05D0.
		 */
		{"\xe2\x80\x8a\xe2\x80\x90\xe2\x80\xaf\xe2\x81\xb0\xd8\x9b\xd7\x90",
		 "\xe2\x80\x8a\xe2\x80\x90\xe2\x80\xaf\xe2\x81\xb0\xd8\x9b\xd7\x90"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char buf[64];

		assert_int_equal(rsp_text_is_clean(cases[i].in),
				 strcmp(cases[i].in, cases[i].want) == 0);
		snprintf(buf, sizeof(buf), "%s", cases[i].in);
		rsp_text_clean(buf);
		assert_string_equal(buf, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
