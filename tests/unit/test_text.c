/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h: what passes, what becomes '?'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char buf[64];

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
