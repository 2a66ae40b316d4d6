/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/base/quantity.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/base/quantity.h"

#define UNTOUCHED 77

struct sample {
	const char *text;
	int error;
	uint64_t value;
};

static void check(int (*parse)(const char *, uint64_t *), const struct sample *samples, size_t cnt)
{
	for (size_t i = 0; i < cnt; i++) {
		uint64_t value = UNTOUCHED;
		int r = parse(samples[i].text, &value);

		if (r != samples[i].error ||
		    value != (r < 0 ? (uint64_t)UNTOUCHED : samples[i].value))
			fail_msg("'%s': %d, %llu", samples[i].text, r, (unsigned long long)value);
	}
}

#define CHECK(parse, samples) check(parse, samples, sizeof(samples) / sizeof((samples)[0]))

static void test_durations(void **state)
{
	static const struct sample samples[] = {
		{"250ms", 0, 250000000},
		{"10", 0, 10000000000},
		{"10s", 0, 10000000000},
		{"7us", 0, 7000},
		{"10m", 0, 600000000000},
		{"2min", 0, 120000000000},
		{"1h", 0, 3600000000000},
		{"1d", 0, 86400000000000},
		{"1min 30s", 0, 90000000000},
		{"1min30s", 0, 90000000000},
		{"5 ", 0, 5000000000},
		{"1.5s", 0, 1500000000},
		{"0.000000001s", 0, 1},
		{"0", 0, 0},
		{"106751d", 0, 9223286400000000000},
		{"106752d", -ERANGE},
		{"106751d 106751d", -ERANGE},
		{"99999999999999999999s", -ERANGE},
		{"", -EINVAL},
		{"s", -EINVAL},
		{"-1s", -EINVAL},
		{"+1s", -EINVAL},
		{" 1s", -EINVAL},
		{"1.s", -EINVAL},
		{".5s", -EINVAL},
		{"0.0000000001s", -EINVAL},
		{"1 s", -EINVAL},
		{"1S", -EINVAL},
		{"1ms2", 0, 2001000000},
		{"1ns", -EINVAL},
		{"0x10s", -EINVAL},
	};

	CHECK(rsp_duration_parse, samples);
}

static void test_sizes(void **state)
{
	static const struct sample samples[] = {
		{"64M", 0, 64 << 20},  {"4096", 0, 4096},
		{"1B", 0, 1},	       {"1.5K", 0, 1536},
		{"2G", 0, 2ULL << 30}, {"1T", 0, 1ULL << 40},
		{"0", 0, 0},	       {"8388607T", 0, 8388607ULL << 40},
		{"8388608T", -ERANGE}, {"18446744073709551616", -ERANGE},
		{"", -EINVAL},	       {"M", -EINVAL},
		{"64k", -EINVAL},      {"64MB", -EINVAL},
		{"64 M", -EINVAL},     {"64M ", -EINVAL},
		{"1G 1M", -EINVAL},    {"-1", -EINVAL},
	};

	CHECK(rsp_size_parse, samples);
}

static void test_shares(void **state)
{
	static const struct sample percents[] = {
		{"1%", 0, 10000}, {"0.2%", 0, 2000}, {"100%", 0, 1000000},
		{"0%", 0, 0},	  {"1", -EINVAL},    {"%", -EINVAL},
		{"1 %", -EINVAL}, {"1%%", -EINVAL},  {"1%2%", -EINVAL},
	};
	static const struct sample quantiles[] = {
		{"p99", 0, 990000}, {"p99.9", 0, 999000}, {"p99.99", 0, 999900},
		{"p50", 0, 500000}, {"99", -EINVAL},	  {"p", -EINVAL},
		{"pp9", -EINVAL},   {"p99%", -EINVAL},	  {"", -EINVAL},
	};

	CHECK(rsp_percent_parse, percents);
	CHECK(rsp_quantile_parse, quantiles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_durations),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_shares),
	};

	return cmocka_run_group_tests_name("quantity", tests, NULL, NULL);
}
