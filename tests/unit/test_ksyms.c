/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the parser of /proc/kallsyms. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/ksyms/ksyms.h"
#include "lib/snapshot/symbols.h"

/* As in /proc/kallsyms, the lines of kernel modules are not sorted by address. */
static const char text[] = "0000000000001000 D data_before\n"
			   "ffffffff81000000 T _stext\n"
			   "ffffffff81000100 t helper\n"
			   "ffffffff81000180 t __pfx_vfs_read\n"
			   "ffffffff81000190 T vfs_read\n"
			   "ffffffff81000200 R table\n"
			   "ffffffff81000300 t __do_sys_sync\n"
			   "ffffffff81000300 T __ia32_sys_sync\n"
			   "ffffffff81000300 T __x64_sys_sync\n"
			   "ffffffff81000400 T __memcpy\n"
			   "ffffffff81000400 W memcpy\n"
			   "ffffffff81000500 t twin_b\n"
			   "ffffffff81000500 t twin_a\n"
			   "not a line\n"
			   "\n"
			   "ffffffffc0300000 t probe\t[virtio_blk]\n"
			   "ffffffffc0300040 t remove\t[virtio_blk]\n"
			   "ffffffffc0200000 w open\t[fuse]\n"
			   "ffffffffc0500000 t bpf_prog_5e12_x\t[bpf]";

static const struct {
	__u64 addr;
	const char *symbol, *module; /* NULL: no name */
} lookups[] = {
	{0, NULL, NULL},
	{0x1000, NULL, NULL},
	{0xffffffff80ffffff, NULL, NULL},
	{0xffffffff81000000, "_stext", "vmlinux"},
	{0xffffffff810000ff, "_stext", "vmlinux"},
	{0xffffffff81000100, "helper", "vmlinux"},
	{0xffffffff81000185, "helper", "vmlinux"},
	{0xffffffff81000190, "vfs_read", "vmlinux"},
	{0xffffffff81000210, "vfs_read", "vmlinux"}, /* data symbols do not count */
	{0xffffffff81000301, "__x64_sys_sync", "vmlinux"},
	{0xffffffff81000401, "memcpy", "vmlinux"},
	{0xffffffff81000501, "twin_a", "vmlinux"},
	{0xffffffff811004ff, "twin_a", "vmlinux"},
	{0xffffffff81100500, NULL, NULL},
	{0xffffffffc01fffff, NULL, NULL},
	{0xffffffffc0200000, "open", "[fuse]"},
	{0xffffffffc0300000, "probe", "[virtio_blk]"},
	{0xffffffffc0300fff, "remove", "[virtio_blk]"},
	{0xffffffffc0500010, "bpf_prog_5e12_x", "bpf"},
	{UINT64_MAX, NULL, NULL},
};

static void test_lookup(void **state)
{
	struct rsp_ksyms *k = NULL;

	assert_int_equal(rsp_ksyms_parse(text, strlen(text), &k), 0);
	for (size_t i = 0; i < sizeof(lookups) / sizeof(lookups[0]); i++) {
		const char *module = "untouched";
		const char *symbol = rsp_ksyms_lookup(k, lookups[i].addr, &module);

		if (!lookups[i].symbol) {
			assert_null(symbol);
			assert_string_equal(module, "untouched");
			continue;
		}
		assert_non_null(symbol);
		assert_string_equal(symbol, lookups[i].symbol);
		assert_string_equal(module, lookups[i].module);
	}
	rsp_ksyms_free(k);
}

static const char *const empty_texts[] = {
	"",
	"\n\n",
	"0000000000000000 T _stext\n0000000000000000 t helper\n", /* kptr_restrict */
	"ffffffff81000000 D data\n",
	"ffffffff81000000 T \n",
	"ffffffff81000000 T",
	"ffffffff81000000",
	" T name\n",
};

static void test_no_symbols(void **state)
{
	struct rsp_ksyms *k = NULL;

	for (size_t i = 0; i < sizeof(empty_texts) / sizeof(empty_texts[0]); i++)
		assert_int_equal(rsp_ksyms_parse(empty_texts[i], strlen(empty_texts[i]), &k),
				 -ENODATA);
	assert_null(k);
}

static void test_cut_anywhere(void **state)
{
	for (size_t len = 0; len < sizeof(text); len++) {
		struct rsp_ksyms *k = NULL;
		char *copy = malloc(len + 1);

		memcpy(copy, text, len);
		if (rsp_ksyms_parse(copy, len, &k) == 0)
			rsp_ksyms_free(k);
		free(copy);
	}
}

static void assert_frame(const struct rsp_symbols *s, __u64 id, int i, const char *symbol,
			 const char *module)
{
	const char *got_symbol, *got_module;

	assert_true(i >= 0 && i < rsp_symbols_frame_cnt(s, id));
	rsp_symbols_frame(s, id, i, &got_symbol, &got_module);
	assert_string_equal(got_symbol, symbol);
	assert_string_equal(got_module, module);
}

static void test_stacks(void **state)
{
	static const char few[] = "ffffffff81000000 T schedule\n"
				  "ffffffff81000100 T do_exit\n"
				  "ffffffff81000200 T next\n"
				  "ffffffffc0200000 t fuse_read\t[fuse]\n";
	struct rsp_symbols_builder *b = NULL;
	struct rsp_symbols *s = NULL;
	struct rsp_ksyms *k = NULL;
	static const __u64 frames[] = {0xffffffff81000000, 0xffffffff81000200, 0xffffffffc0200010,
				       0x10};
	union {
		struct rsp_ev_stack stack;
		unsigned char room[sizeof(struct rsp_ev_stack) + sizeof(frames)];
	} rec = {.stack = {.id = 5, .frame_cnt = 4}};
	void *data = NULL;
	size_t len = 0;

	memcpy(rec.stack.frames, frames, sizeof(frames));
	assert_int_equal(rsp_ksyms_parse(few, strlen(few), &k), 0);
	assert_int_equal(rsp_symbols_builder_new(&b), 0);
	assert_int_equal(rsp_ksyms_name_stack(k, &rec.stack, b), 0);
	assert_int_equal(rsp_ksyms_name_function(k, 0xffffffff81000100, b), 0);
	assert_int_equal(rsp_ksyms_name_function(k, 0x20, b), 0);
	assert_int_equal(rsp_symbols_builder_finish(b, &data, &len), 0);
	assert_int_equal(rsp_symbols_open(data, len, &s), 0);
	assert_frame(s, 5, 0, "schedule", "vmlinux");
	assert_frame(s, 5, 1, "do_exit", "vmlinux"); /* its call never returns */
	assert_frame(s, 5, 2, "fuse_read", "[fuse]");
	assert_frame(s, 5, 3, "0x10", "?");
	assert_frame(s, 0xffffffff81000100, 0, "do_exit", "vmlinux");
	assert_frame(s, 0x20, 0, "0x20", "?");
	rsp_symbols_free(s);
	free(data);
	rsp_symbols_builder_free(b);
	rsp_ksyms_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lookup),
		cmocka_unit_test(test_no_symbols),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
