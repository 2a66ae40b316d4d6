/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kallsyms text: what counts as a symbol, whose names win, where the table ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <cmocka.h>

#include "lib/symbols/ksyms.h"

/* Out of order as modules are; the last line is not ended. */
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
	{0xffffffff81000185, "helper", "vmlinux"}, /* padding is nobody's function */
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

/* Wherever the text is cut, only what is in the buffer is read (the sanitizer looks). */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lookup),
		cmocka_unit_test(test_no_symbols),
		cmocka_unit_test(test_cut_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
