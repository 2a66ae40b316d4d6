/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/capture/misses.h with replacements for functions of libbpf. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/capture/misses.h"
#include "rsp/event.h"

/* --- a kernel --------------------------------------------------------------------------------- */

#define NAME(name, kind) #name,
static const char *const names[RSP_PROGRAM_CNT] = {RSP_PROGRAMS(NAME)};
#undef NAME

#define KIND(name, kind) kind,
static const __u8 kinds[RSP_PROGRAM_CNT] = {RSP_PROGRAMS(KIND)};
#undef KIND

static __u64 skipped_cnt[RSP_PROGRAM_CNT];

/* A program is a pointer to its name in the list, and its descriptor is its index. */
struct bpf_program *bpf_object__find_program_by_name(const struct bpf_object *obj, const char *name)
{
	(void)obj;
	for (int i = 0; i < RSP_PROGRAM_CNT; i++)
		if (strcmp(names[i], name) == 0)
			return (struct bpf_program *)&names[i];
	return NULL;
}

int bpf_program__fd(const struct bpf_program *prog)
{
	return (int)((const char *const *)prog - names);
}

int bpf_obj_get_info_by_fd(int fd, void *info, __u32 *len)
{
	(void)len;
	((struct bpf_prog_info *)info)->recursion_misses = skipped_cnt[fd];
	return 0;
}

/* ---------------------------------------------------------------------------------------------- */

static void test_each_program(void **state)
{
	struct rsp_misses misses = {0};
	__u64 sum = 0, set;

	(void)state;
	memset(skipped_cnt, 0, sizeof(skipped_cnt));
	for (int i = 0; i < RSP_PROGRAM_CNT; i++) {
		skipped_cnt[i] = 3;
		/* A program without a kind makes no records, so none are missing. */
		assert_int_equal(rsp_misses_poll(&misses, NULL, &set), kinds[i] ? 3 : 0);
		assert_int_equal(set, kinds[i] ? 1ULL << kinds[i] : 0);
		sum += kinds[i] ? 3 : 0;
		assert_int_equal(misses.cnt, sum);
		assert_int_equal(rsp_misses_poll(&misses, NULL, &set), 0);
		assert_int_equal(set, 0);
	}
}

static void test_several_programs(void **state)
{
	struct rsp_misses misses = {0};
	__u64 set;

	(void)state;
	memset(skipped_cnt, 0, sizeof(skipped_cnt));
	skipped_cnt[RSP_PROGRAM_on_timer_exit] = 2;
	skipped_cnt[RSP_PROGRAM_on_packet] = 5;
	skipped_cnt[RSP_PROGRAM_on_function_entry] = 7;
	assert_int_equal(rsp_misses_poll(&misses, NULL, &set), 7);
	assert_int_equal(set, 1 << RSP_EV_IRQ | 1 << RSP_EV_NET);
	skipped_cnt[RSP_PROGRAM_on_packet] = 6;
	assert_int_equal(rsp_misses_poll(&misses, NULL, &set), 1);
	assert_int_equal(set, 1 << RSP_EV_NET);
	assert_int_equal(misses.cnt, 8);
	assert_int_equal(rsp_misses_of(NULL, "on_function_entry"), 7);
	assert_int_equal(rsp_misses_of(NULL, "on_nothing"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_program),
		cmocka_unit_test(test_several_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
