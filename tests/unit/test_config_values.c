/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/config/config.h without files. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/config/config-keys.h"
#include "daemon/config/config.h"
#include "daemon/config/sizes.h"
#include "lib/config/config-file.h"

#define S_NS   1000000000ULL
#define MIN_NS (60 * S_NS)

static void test_set(void **state)
{
	struct rsp_config *c = rsp_config_new();

	assert_int_equal(rsp_config_set(c, "Recorder", "WindowSize", "2M"), 0);
	assert_int_equal(c->window_bytes, 2 << 20);
	assert_int_equal(rsp_config_set(c, "Recorder", "WindowSize", "2"), -EINVAL);
	assert_int_equal(c->window_bytes, 2 << 20);
	assert_int_equal(rsp_config_set(c, "Recorder", "Window", "2M"), -ENOENT);
	assert_int_equal(rsp_config_set(c, "SLO", "Port", "2"), -ENOENT);
	assert_string_equal(rsp_config_wanted("Recorder", "WindowSize"),
			    "a size from 1M to 64G, as 64M, or auto");
	assert_null(rsp_config_wanted("Recorder", "Window"));
	rsp_config_free(c);
}

static const char *differing;
static unsigned int differing_cnt;

static void differs(const char *key)
{
	differing = key;
	differing_cnt++;
}

static void test_needs_restart(void **state)
{
	static const struct {
		const char *section, *key, *value;
		bool restart;
	} cases[] = {
		{"Recorder", "WindowSize", "2M", true}, {"Recorder", "RingSize", "2M", true},
		{"Recorder", "TableSize", "2M", true},	{"Recorder", "SampleHz", "2", true},
		{"Recorder", "Net", "kprobe", true},	{"Budget", "CPU", "2%", false},
		{"Store", "MaxUse", "2M", false},	{"Access", "Users", "none", false},
		{"Summary", "Every", "1min", false},	{"Summary", "Slice", "2s", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_config *now = rsp_config_new(), *next = rsp_config_new();

		differing_cnt = 0;
		rsp_config_needs_restart(now, next, differs);
		assert_int_equal(differing_cnt, 0);
		assert_int_equal(
			rsp_config_set(next, cases[i].section, cases[i].key, cases[i].value), 0);
		rsp_config_needs_restart(now, next, differs);
		assert_int_equal(differing_cnt, cases[i].restart);
		if (cases[i].restart)
			assert_string_equal(differing, cases[i].key);
		rsp_config_keep_until_restart(now, next);
		rsp_config_needs_restart(now, next, differs);
		assert_int_equal(differing_cnt, cases[i].restart);
		rsp_config_free(now);
		rsp_config_free(next);
	}
}

static void test_sizes(void **state)
{
	static const struct {
		unsigned int cpu_cnt, window_mib, ring_mib;
	} cases[] = {{1, 64, 4},   {16, 64, 4},	  {17, 68, 4},	 {64, 256, 4},
		     {65, 260, 2}, {128, 512, 2}, {129, 516, 1}, {256, 1024, 1}};
	struct rsp_config *c = rsp_config_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(rsp_window_bytes_for(cases[i].cpu_cnt),
				 (uint64_t)cases[i].window_mib << 20);
		assert_int_equal(rsp_ring_bytes_for(cases[i].cpu_cnt),
				 (uint64_t)cases[i].ring_mib << 20);
	}
	assert_int_equal(rsp_config_set(c, "Recorder", "WindowSize", "2M"), 0);
	assert_int_equal(rsp_config_set(c, "Recorder", "RingSize", "2M"), 0);
	assert_int_equal(rsp_config_set(c, "Recorder", "WindowSize", "auto"), 0);
	assert_int_equal(rsp_config_set(c, "Recorder", "RingSize", "auto"), 0);
	assert_int_equal(c->window_bytes, 0);
	assert_int_equal(c->ring_bytes, 0);
	assert_int_equal(rsp_config_set(c, "Recorder", "TableSize", "auto"), -EINVAL);
	rsp_config_free(c);
}

static void test_names(void **state)
{
	enum rsp_net_step step = RSP_NET_AUTO;

	for (enum rsp_slo_measure m = RSP_SLO_REQUEST; m < RSP_SLO_MEASURE_CNT; m++)
		assert_non_null(rsp_slo_measure_name(m));
	assert_string_equal(rsp_slo_measure_name(RSP_SLO_REQUEST), "request");
	assert_string_equal(rsp_slo_measure_name(RSP_SLO_PSI), "psi");
	assert_int_equal(rsp_net_step_parse("kprobe", &step), 0);
	assert_int_equal(step, RSP_NET_KPROBE);
	assert_int_equal(rsp_net_step_parse("", &step), -EINVAL);
	assert_int_equal(step, RSP_NET_KPROBE);
}

static void test_all_choices_are_described(void **state)
{
	for (const struct rsp_config_key *key = rsp_config_keys; key->section; key++)
		for (int i = 0; key->choices && key->choices[i]; i++)
			if (!strstr(key->wanted, key->choices[i]))
				fail_msg("%s=%s is not described", key->name, key->choices[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_needs_restart),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_all_choices_are_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
