/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the stall time within a sliding span. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/slo/slo-psi.h"

#define MS 1000000ULL
#define S  (1000 * MS)

static __u64 slide(struct rsp_psi *psi, __u64 now_ns, __u64 total_ns)
{
	__u64 stall_ns, since_ns;

	rsp_psi_slide(psi, now_ns, total_ns, &stall_ns, &since_ns);
	assert_true(since_ns <= now_ns && now_ns - since_ns < psi->step_ns * RSP_PSI_SAMPLE_CNT);
	return stall_ns;
}

static void what_was_before_the_first_sample_does_not_count(void **state)
{
	struct rsp_psi psi;

	rsp_psi_init(&psi, false, S);
	assert_int_equal(slide(&psi, 50 * S, 40 * S), 0);
	assert_int_equal(slide(&psi, 50 * S + 100 * MS, 40 * S + 70 * MS), 70 * MS);
}

static void old_stalls_leave_the_span(void **state)
{
	struct rsp_psi psi;
	__u64 total_ns = 0;

	rsp_psi_init(&psi, false, S);
	for (__u64 ms = 0; ms <= 3000; ms += 100) {
		__u64 stall_ns;

		if (ms > 0 && ms <= 500) /* tasks stall during the first half second */
			total_ns += 100 * MS;
		stall_ns = slide(&psi, 50 * S + ms * MS, total_ns);
		if (ms <= 500)
			assert_int_equal(stall_ns, ms * MS);
		else if (ms <= 900)
			assert_int_equal(stall_ns, 500 * MS);
		else if (ms >= 1400)
			assert_int_equal(stall_ns, 0);
	}
}

static void a_gap_between_looks_is_no_span(void **state)
{
	struct rsp_psi psi;

	rsp_psi_init(&psi, false, S);
	slide(&psi, 50 * S, 0);
	assert_int_equal(slide(&psi, 60 * S, 5 * S), 0);
	assert_int_equal(slide(&psi, 60 * S + 200 * MS, 5 * S + MS), 1 * MS);
}

static void without_a_span_it_is_a_second(void **state)
{
	struct rsp_psi psi;

	rsp_psi_init(&psi, true, 0);
	assert_int_equal(psi.step_ns, 100 * MS);
	assert_int_equal(psi.fd, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_before_the_first_sample_does_not_count),
		cmocka_unit_test(old_stalls_leave_the_span),
		cmocka_unit_test(a_gap_between_looks_is_no_span),
		cmocka_unit_test(without_a_span_it_is_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
