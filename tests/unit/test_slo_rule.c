/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the conversion of configured SLOs to the rules of the BPF programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/slo/slo-rule.h"
#include "lib/base/syscalls.h"

static struct rsp_slo_rule make(const struct rsp_slo_config *config)
{
	struct rsp_slo_rule rule;

	rsp_slo_rule_make(config, &rule);
	return rule;
}

static bool counts(const struct rsp_slo_rule *rule, const char *call)
{
	int nr = rsp_syscall_number(call);

	assert_true(nr >= 0 && nr < RSP_SLO_SYSCALL_CNT);
	return rule->syscalls[nr / 64] >> (nr % 64) & 1;
}

/* Does the same as comm_fits() in bpf/slo.bpf.c. */
static bool comm_fits(const struct rsp_slo_rule *rule, const char *comm)
{
	__u64 words[2] = {0};

	memcpy(words, comm, strlen(comm));
	return (words[0] & rule->comm_mask[0]) == rule->comm[0] &&
	       (words[1] & rule->comm_mask[1]) == rule->comm[1];
}

static void commands_fit_as_a_whole(void **state)
{
	static const char *const names[] = {"sh", "nginx", "12345678", "1234567",
					    "123456789012345"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct rsp_slo_config config = {.measure = RSP_SLO_RUNQUEUE};
		struct rsp_slo_rule rule;

		memcpy(config.comm, names[i], strlen(names[i]));
		rule = make(&config);
		assert_true(rule.comm_mask[0] != 0);
		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
			assert_int_equal(comm_fits(&rule, names[k]), i == k);
	}
}

static void kernel_threads_count_where_they_are_named(void **state)
{
	static const struct {
		struct rsp_slo_config config;
		bool count;
	} cases[] = {
		{{.measure = RSP_SLO_RUNQUEUE}, false},
		{{.measure = RSP_SLO_RUNQUEUE, .pid = 2}, true},
		{{.measure = RSP_SLO_RUNQUEUE, .comm = "kthreadd"}, true},
		{{.measure = RSP_SLO_RUNQUEUE, .unit = "a.service"}, false},
		{{.measure = RSP_SLO_DISK}, true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(!!(make(&cases[i].config).flags & RSP_SLO_KERNEL_THREADS),
				 cases[i].count);
}

static void waits_for_something_to_do_do_not_count(void **state)
{
	static const char *const idle[] = {"poll",  "epoll_wait",      "accept4",	 "futex",
					   "wait4", "clock_nanosleep", "rt_sigtimedwait"};
	static const char *const busy[] = {"read", "write", "fsync", "recvfrom", "openat", "flock"};
	struct rsp_slo_config config = {.measure = RSP_SLO_WAIT};
	struct rsp_slo_rule rule = make(&config);

	assert_true(rule.flags & RSP_SLO_FAULTS);
	for (size_t i = 0; i < sizeof(idle) / sizeof(*idle); i++)
		assert_false(counts(&rule, idle[i]));
	for (size_t i = 0; i < sizeof(busy) / sizeof(*busy); i++)
		assert_true(counts(&rule, busy[i]));
}

static void named_calls_count_and_no_others(void **state)
{
	struct rsp_slo_config config = {.measure = RSP_SLO_WAIT, .syscalls = "futex read futex"};
	struct rsp_slo_rule rule = make(&config);

	assert_false(rule.flags & RSP_SLO_FAULTS);
	assert_true(counts(&rule, "futex"));
	assert_true(counts(&rule, "read"));
	assert_false(counts(&rule, "write"));
}

static void what_is_done_about_it_makes_no_other_rule(void **state)
{
	const struct rsp_slo_config a = {.name = "a", .measure = RSP_SLO_REQUEST, .port = 80};
	struct rsp_slo_config b = a;

	b.before_ns = b.after_ns = b.cooldown_ns = b.max_use_bytes = 1;
	assert_true(rsp_slo_same_rule(&a, &b));
	b.threshold_ns = 1;
	assert_false(rsp_slo_same_rule(&a, &b));
	b = a;
	b.comm[0] = 'x';
	assert_false(rsp_slo_same_rule(&a, &b));
	b = a;
	b.name[0] = 'b';
	assert_false(rsp_slo_same_rule(&a, &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_fit_as_a_whole),
		cmocka_unit_test(kernel_threads_count_where_they_are_named),
		cmocka_unit_test(waits_for_something_to_do_do_not_count),
		cmocka_unit_test(named_calls_count_and_no_others),
		cmocka_unit_test(what_is_done_about_it_makes_no_other_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
