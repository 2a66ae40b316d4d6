/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the logs of libbpf and of the verifier become one line. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/capture/loader.h"

static void expect(int error, const char *log, const char *text)
{
	struct rsp_reason reason;

	rsp_load_reason(error, log, &reason);
	assert_string_equal(reason.text, text);
}

static void test_missing_field(void **state)
{
	expect(EINVAL,
	       "76: <invalid CO-RE relocation>\n"
	       "failed to resolve CO-RE relocation <byte_off> [3148] struct page.compound_head "
	       "(0:1:0:0 @ offset 8)\n"
	       "processed 75 insns (limit 1000000) max_states_per_insn 0 total_states 5\n",
	       "this kernel has no field 'struct page.compound_head' of the type that rspd reads");
}

static void test_flavor_is_not_shown(void **state)
{
	expect(EINVAL,
	       "failed to resolve CO-RE relocation <byte_off> [12] struct dentry___old.d_u "
	       "(0:0 @ offset 0)\n",
	       "this kernel has no field 'struct dentry.d_u' of the type that rspd reads");
	expect(EINVAL, "failed to resolve CO-RE relocation <type_id> [12] struct unix_sock___x\n",
	       "this kernel has no field 'struct unix_sock' of the type that rspd reads");
}

/*
 * EACCES can come from the verifier or from missing privileges. The tests run as root, so it comes
 * from the verifier.
 */
static void test_verifier(void **state)
{
	expect(EACCES,
	       "0: R1=ctx() R10=fp0\n"
	       "; int on_switch(...)\n"
	       "12: (61) r2 = *(u32 *)(r1 +44)\n"
	       "access beyond struct task_struct at off 44 size 4\n"
	       "verification time 90 usec\n"
	       "stack depth 8+0\n"
	       "processed 12 insns (limit 1000000) max_states_per_insn 0 total_states 0\n\n",
	       "the kernel's verifier says: access beyond struct task_struct at off 44 size 4");
}

static void test_privilege(void **state)
{
	expect(EPERM, "", "the kernel refuses it: run as root or with CAP_BPF and CAP_PERFMON");
	expect(EACCES, "", "the kernel refuses it: run as root or with CAP_BPF and CAP_PERFMON");
}

static void test_other_error(void **state)
{
	expect(ENOMEM, "", "the kernel does not load it: Cannot allocate memory");
	expect(EINVAL, "processed 0 insns\n", "the kernel does not load it: Invalid argument");
}

static void test_long_lines_are_cut(void **state)
{
	char log[2000];
	struct rsp_reason reason;

	for (size_t i = 0; i < sizeof(log) - 1; i++)
		log[i] = 'x';
	log[sizeof(log) - 1] = '\0';
	rsp_load_reason(EINVAL, log, &reason);
	assert_int_equal(reason.text[sizeof(reason.text) - 1], '\0');
	assert_int_equal(reason.text[sizeof(reason.text) - 2], 'x');
}

static void test_old_kernels_are_named(void **state)
{
	static const struct {
		const char *release, *text;
	} cases[] = {
		{"5.10.0-34-amd64", "no; rspd needs Linux 6.1 or newer, this is 5.10.0-34-amd64"},
		{"6.0.9", "no; rspd needs Linux 6.1 or newer, this is 6.0.9"},
		{"6.1.0-56-cloud-amd64", "no"},
		{"7.3.4+deb13-amd64", "no"},
		{"odd", "no"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_reason reason = {"no"};

		rsp_load_add_version(cases[i].release, &reason);
		assert_string_equal(reason.text, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_missing_field),
		cmocka_unit_test(test_flavor_is_not_shown),
		cmocka_unit_test(test_verifier),
		cmocka_unit_test(test_privilege),
		cmocka_unit_test(test_other_error),
		cmocka_unit_test(test_long_lines_are_cut),
		cmocka_unit_test(test_old_kernels_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
