/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests unwind tables of damaged and hostile files. Each image is in memory of its exact size, so
 * ASAN=1 detects accesses beyond it.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/unwind/table.h"
#include "tests/unit/eh-frame.h"

static int judge(int r, struct rsp_unwind_table *table)
{
	if (r == 0)
		assert_int_equal(rsp_unwind_table_check(table->blocks, table->len), 0);
	else
		assert_null(table->blocks);
	rsp_unwind_table_done(table);
	return r;
}

static int try_memory(const void *image, size_t len)
{
	struct rsp_unwind_table table = {0};
	void *copy = malloc(len ? len : 1);
	int r;

	assert_non_null(copy);
	memcpy(copy, image, len);
	r = judge(rsp_unwind_table_build_memory(copy, len, &table), &table);
	free(copy);
	return r;
}

static int try_file(int fd)
{
	struct rsp_unwind_table table = {0};

	return judge(rsp_unwind_table_build(fd, &table), &table);
}

static struct bytes real_elf(void)
{
	const Elf64_Ehdr *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	static const __u8 program[] = {DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16};
	struct bytes eh_frame = {0}, elf = {0};

	if (vdso) {
		put(&elf, vdso, vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize);
		return elf;
	}
	put_fde(&eh_frame, put_cie(&eh_frame, "zR"), CODE_VADDR, 0x100, program, sizeof(program));
	elf = make_elf(&eh_frame, true);
	free(eh_frame.v);
	return elf;
}

static void test_truncated(void **state)
{
	struct bytes elf = real_elf();
	int fd = memfd_create("test", MFD_CLOEXEC);

	assert_int_equal(write(fd, elf.v, elf.len), elf.len);
	assert_int_equal(try_memory(elf.v, elf.len), 0);
	assert_int_equal(try_file(fd), 0);
	for (size_t len = elf.len - 1; len < elf.len; len--) {
		int r = try_memory(elf.v, len);

		assert_int_equal(ftruncate(fd, (off_t)len), 0);
		assert_int_equal(try_file(fd), r);
		if (len < sizeof(Elf64_Ehdr))
			assert_int_equal(r, -EBADMSG);
	}
	free(elf.v);
	close(fd);
}

static void test_bit_flips(void **state)
{
	struct bytes elf = real_elf();
	unsigned int seed = 1, good = 0, bad = 0;

	for (int i = 0; i < 6000; i++) {
		/* Flips one to five bits. In every third round, flips bits in the headers only. */
		size_t limit = i % 3 ? elf.len : 512, at[5];
		__u8 masks[5];
		int cnt = 1 + i % 5;

		for (int k = 0; k < cnt; k++) {
			at[k] = (size_t)rand_r(&seed) % limit;
			masks[k] = (__u8)(1 << rand_r(&seed) % 8);
			elf.v[at[k]] ^= masks[k];
		}
		if (try_memory(elf.v, elf.len) == 0)
			good++;
		else
			bad++;
		for (int k = 0; k < cnt; k++)
			elf.v[at[k]] ^= masks[k];
	}
	assert_int_equal(try_memory(elf.v, elf.len), 0);
	assert_true(good > 100);
	assert_true(bad > 100);
	free(elf.v);
}

static void test_noise(void **state)
{
	unsigned int seed = 1;

	for (int i = 0; i < 2000; i++) {
		struct bytes eh_frame = {0}, elf;
		size_t cie = put_cie(&eh_frame, i & 1 ? "zR" : "zPLR");
		__u8 program[64];

		for (size_t k = 0; k < sizeof(program); k++)
			program[k] = (__u8)rand_r(&seed);
		for (int k = 0; k < 4; k++)
			put_fde(&eh_frame, cie, CODE_VADDR + (__u32)rand_r(&seed) % CODE_BYTES,
				(__u32)rand_r(&seed) % CODE_BYTES, program + k * 16, 16);
		elf = make_elf(&eh_frame, i & 2);
		assert_int_not_equal(try_memory(elf.v, elf.len), -E2BIG);
		free(elf.v);
		free(eh_frame.v);
	}
}

static void test_overlapping_headers(void **state)
{
	static const __u64 values[] = {
		0,	    1,		64,	   CODE_FILEOFF, 0x7fffffff,
		0xffffffff, 1ULL << 40, INT64_MAX, UINT64_MAX,	 UINT64_MAX - 63};
	struct bytes eh_frame = {0}, elf;

	put_fde(&eh_frame, put_cie(&eh_frame, "zR"), CODE_VADDR, 0x100, NULL, 0);
	elf = make_elf(&eh_frame, true);
	for (size_t at = 0; at + 8 <= elf.len; at += 8) {
		__u64 was;

		if (at == CODE_FILEOFF)
			at += CODE_BYTES + eh_frame.len / 8 * 8;
		if (at >= 512 && at < CODE_FILEOFF)
			continue;
		memcpy(&was, elf.v + at, 8);
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			memcpy(elf.v + at, &values[i], 8);
			try_memory(elf.v, elf.len);
		}
		memcpy(elf.v + at, &was, 8);
	}
	assert_int_equal(try_memory(elf.v, elf.len), 0);
	free(elf.v);
	free(eh_frame.v);
}

/*
 * .eh_frame has more entries than a table can hold. They claim terabytes of code, which the file
 * does not contain.
 */
static void test_too_many_rows(void **state)
{
	static const __u8 pair[] = {DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16,
				    DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 8};
	size_t pair_cnt = (size_t)RSP_UNWIND_BLOCK_MAX * RSP_UNWIND_ROWS_PER_BLOCK / 2 + 1;
	struct bytes program = {0}, eh_frame = {0}, elf;
	int fd = memfd_create("test", MFD_CLOEXEC);
	Elf64_Phdr *code;

	for (size_t i = 0; i < pair_cnt; i++)
		put(&program, pair, sizeof(pair));
	put_fde(&eh_frame, put_cie(&eh_frame, "zR"), CODE_VADDR, UINT32_MAX, program.v,
		program.len);
	elf = make_elf(&eh_frame, true);
	code = (Elf64_Phdr *)(elf.v + sizeof(Elf64_Ehdr));
	code->p_filesz = INT64_MAX;
	assert_int_equal(try_memory(elf.v, elf.len), -E2BIG);
	assert_int_equal(write(fd, elf.v, elf.len), elf.len);
	assert_int_equal(ftruncate(fd, 1LL << 42), 0);
	assert_int_equal(try_file(fd), -E2BIG);
	close(fd);
	free(elf.v);
	free(eh_frame.v);
	free(program.v);
}

/* The file has code at both ends of its first 4 GiB, so the table's index covers 4 GiB. */
static void test_far_apart(void **state)
{
	struct bytes eh_frame = {0}, elf;
	struct rsp_unwind_table table;
	struct rsp_unwind_row row;
	int fd = memfd_create("test", MFD_CLOEXEC);
	size_t cie = put_cie(&eh_frame, "zR");
	Elf64_Phdr *code;

	put_fde(&eh_frame, cie, CODE_VADDR, 0x10, NULL, 0);
	put_fde(&eh_frame, cie, 0xfffffff0, 0x100, NULL, 0);
	put_fde(&eh_frame, cie, 0xfffffffe, 0x100, NULL, 0);
	elf = make_elf(&eh_frame, true);
	code = (Elf64_Phdr *)(elf.v + sizeof(Elf64_Ehdr));
	*code = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = INT64_MAX};
	assert_int_equal(write(fd, elf.v, elf.len), elf.len);
	assert_int_equal(ftruncate(fd, 1LL << 42), 0);
	assert_int_equal(rsp_unwind_table_build(fd, &table), 0);
	assert_int_equal(rsp_unwind_table_check(table.blocks, table.len), 0);
	assert_true(rsp_unwind_find(table.blocks, table.len, 0xfffffff0, &row));
	assert_int_equal(row.rules, RSP_CFA_SP);
	assert_true(rsp_unwind_find(table.blocks, table.len, 0xffffffff, &row));
	assert_int_equal(row.rules, RSP_CFA_NONE);
	rsp_unwind_table_done(&table);
	close(fd);
	free(elf.v);
	free(eh_frame.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truncated),     cmocka_unit_test(test_bit_flips),
		cmocka_unit_test(test_noise),	      cmocka_unit_test(test_overlapping_headers),
		cmocka_unit_test(test_too_many_rows), cmocka_unit_test(test_far_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
