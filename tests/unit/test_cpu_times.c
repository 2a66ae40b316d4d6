/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the conversion of /proc/stat to CPU_TIME records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/capture/cpu-times.h"

#define TICK_NS 10000000ULL

static void test_cpu(void **state)
{
	struct rsp_ev_cpu_time rec;

	assert_true(rsp_cpu_times_parse("cpu12 1 2 3 4 5 6 7 8 9 10\n", TICK_NS, &rec));
	assert_int_equal(rec.hdr.kind, RSP_EV_CPU_TIME);
	assert_int_equal(rec.hdr.size, sizeof(rec));
	assert_int_equal(rec.hdr.cpu, 12);
	assert_int_equal(rec.user_ns, (1 + 2) * TICK_NS);
	assert_int_equal(rec.system_ns, 3 * TICK_NS);
	assert_int_equal(rec.idle_ns, (4 + 5) * TICK_NS);
	assert_int_equal(rec.irq_ns, 6 * TICK_NS);
	assert_int_equal(rec.softirq_ns, 7 * TICK_NS);
	assert_int_equal(rec.steal_ns, 8 * TICK_NS);
}

static void test_others(void **state)
{
	static const char *const lines[] = {
		"cpu  925 2 3 4 5 6 7 8 9 10\n",   "cpu0 1 2 3 4 5 6 7\n",
		"cpu70000 1 2 3 4 5 6 7 8 9 10\n", "cpu-1 1 2 3 4 5 6 7 8 9 10\n",
		"intr 1 2 3 4 5 6 7 8 9 10\n",	   "",
	};
	struct rsp_ev_cpu_time rec;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_false(rsp_cpu_times_parse(lines[i], TICK_NS, &rec));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
