/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests unwind tables of .eh_frame entries that the test makes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/unwind/table.h"
#include "tests/unit/eh-frame.h"

#define ROWS_MAX      6
#define PROGRAM_MAX   48
#define PACK(cfa, fp) ((cfa) | (fp) << 4)
#define P(...)	      {__VA_ARGS__}, sizeof((__u8[]){__VA_ARGS__})
#define ENTRY	      0x100 /* offset of the functions under test from the beginning of the code */
#define ENTRY_BYTES   0x40
#define PLAIN(at, cfa)                                                                             \
	{                                                                                          \
		at, cfa, 0, PACK(RSP_CFA_SP, RSP_FP_SAME)                                          \
	}
#define NOTHING(at)                                                                                \
	{                                                                                          \
		at, 0, 0, 0                                                                        \
	}
#define RULE(at, kind, n)                                                                          \
	{                                                                                          \
		at, n, 0, PACK(kind, RSP_FP_SAME)                                                  \
	}

/*
 * Programs of DWARF call frame instructions, and the expected rows. The pc of a row is relative to
 * ENTRY. If a program makes any rows, the first is the rule of the CIE, PLAIN(0, 1).
 */
static const struct {
	const char *name, *augmentation;
	__u8 program[PROGRAM_MAX];
	size_t len;
	struct rsp_unwind_row rows[ROWS_MAX];
} programs[] = {
	{"nothing changes", "zR", P(DW_CFA_nop), {PLAIN(0, 1), NOTHING(0x40)}},
	{"push %rbp; mov %rsp,%rbp; …; pop %rbp; ret",
	 "zR",
	 P(DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2,
	   DW_CFA_advance_loc | 3, DW_CFA_def_cfa_register, 6, DW_CFA_advance_loc1, 0x20,
	   DW_CFA_restore | 6, DW_CFA_def_cfa, 7, 8),
	 {PLAIN(0, 1),
	  {1, 2, -2, PACK(RSP_CFA_SP, RSP_FP_CFA)},
	  {4, 2, -2, PACK(RSP_CFA_FP, RSP_FP_CFA)},
	  PLAIN(0x24, 1),
	  NOTHING(0x40)}},
	{"advances of 1, 2 and 4 bytes",
	 "zR",
	 P(DW_CFA_advance_loc1, 1, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc2, 2, 0,
	   DW_CFA_def_cfa_offset, 24, DW_CFA_advance_loc4, 3, 0, 0, 0, DW_CFA_def_cfa_offset, 32),
	 {PLAIN(0, 1), PLAIN(1, 2), PLAIN(3, 3), PLAIN(6, 4), NOTHING(0x40)}},
	{"an advance beyond the end, and what follows it",
	 "zR",
	 P(DW_CFA_advance_loc4, 0xff, 0xff, 0xff, 0xff, DW_CFA_def_cfa_offset, 16,
	   DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 24),
	 {PLAIN(0, 1), NOTHING(0x40)}},
	{"changes that change nothing make no rows",
	 "zR",
	 P(DW_CFA_advance_loc | 1, DW_CFA_offset | 12, 2, DW_CFA_advance_loc | 1,
	   DW_CFA_GNU_args_size, 16, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16),
	 {PLAIN(0, 1), PLAIN(3, 2), NOTHING(0x40)}},
	{"remember and restore, the CFA included",
	 "zR",
	 P(DW_CFA_remember_state, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16,
	   DW_CFA_remember_state, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 24,
	   DW_CFA_advance_loc | 1, DW_CFA_restore_state, DW_CFA_advance_loc | 1,
	   DW_CFA_restore_state),
	 {PLAIN(0, 1), PLAIN(1, 2), PLAIN(2, 3), PLAIN(3, 2), PLAIN(4, 1), NOTHING(0x40)}},
	{"signed and factored forms",
	 "zR",
	 P(DW_CFA_def_cfa_sf, 6, 0x7e, DW_CFA_offset_extended_sf, 6, 2, DW_CFA_advance_loc | 1,
	   DW_CFA_def_cfa_offset_sf, 0x7d, DW_CFA_offset_extended, 6, 3),
	 {{0, 2, -2, PACK(RSP_CFA_FP, RSP_FP_CFA)},
	  {1, 3, -3, PACK(RSP_CFA_FP, RSP_FP_CFA)},
	  NOTHING(0x40)}},
	{"an offset whose product with the factor has more than 64 bits",
	 "zR",
	 P(DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset_sf, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff,
	   0xff, 0xff, 0x1f),
	 {PLAIN(0, 1), NOTHING(1)}},
	{".plt",
	 "zR",
	 P(DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc | 6, DW_CFA_def_cfa_offset, 24,
	   DW_CFA_advance_loc | 10, DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0,
	   DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus),
	 {PLAIN(0, 2), PLAIN(6, 3), RULE(16, RSP_CFA_PLT, 0), NOTHING(0x40)}},
	{"a realigned stack",
	 "zR",
	 P(DW_CFA_def_cfa, 10, 0, DW_CFA_advance_loc | 4, DW_CFA_expression, 6, 2, DW_OP_breg6, 0,
	   DW_CFA_advance_loc | 4, DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref),
	 {NOTHING(0), {8, -1, 0, PACK(RSP_CFA_FP_DEREF, RSP_FP_FP)}, NOTHING(0x40)}},
	{"OpenSSL's saved stack pointer",
	 "zR",
	 P(DW_CFA_def_cfa_expression, 6, DW_OP_breg7, 0x98, 1, DW_OP_deref, DW_OP_plus_uconst, 8),
	 {RULE(0, RSP_CFA_SP_DEREF8, 19), NOTHING(0x40)}},
	{"the same, by a person with an assembler",
	 "zR",
	 P(DW_CFA_def_cfa_expression, 10, DW_OP_breg7, 0x98, 0x81, 0x80, 0, DW_OP_deref,
	   DW_OP_plus_uconst, 0x88, 0x80, 0),
	 {RULE(0, RSP_CFA_SP_DEREF8, 19), NOTHING(0x40)}},
	{"the same, but 16 more",
	 "zR",
	 P(DW_CFA_def_cfa_expression, 6, DW_OP_breg7, 0x98, 1, DW_OP_deref, DW_OP_plus_uconst, 16),
	 {NOTHING(0)}},
	{"the kernel's signal frame",
	 "zRS",
	 P(DW_CFA_def_cfa_expression, 4, DW_OP_breg7, 0xa0, 1, DW_OP_deref, DW_CFA_expression, 6, 2,
	   DW_OP_breg7, 120, DW_CFA_expression, 16, 3, DW_OP_breg7, 0xa8, 1),
	 {RULE(0, RSP_CFA_SIGNAL, 0), NOTHING(0x40)}},
	{"another signal frame", "zRS", P(DW_CFA_nop), {NOTHING(0)}},
	{"_start", "zR", P(DW_CFA_undefined, 16), {RULE(0, RSP_CFA_OUTERMOST, 0), NOTHING(0x40)}},
	{"__vfork",
	 "zR",
	 P(DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 0, DW_CFA_register, 16, 5),
	 {PLAIN(0, 1), RULE(1, RSP_CFA_RA_RDI, 0), NOTHING(0x40)}},
	{"a return address elsewhere",
	 "zR",
	 P(DW_CFA_register, 16, 2, DW_CFA_advance_loc | 1, DW_CFA_offset | 16, 2,
	   DW_CFA_advance_loc | 1, DW_CFA_same_value, 16),
	 {NOTHING(0)}},
	{"a caller's stack pointer that is not the CFA",
	 "zR",
	 P(DW_CFA_offset | 7, 2),
	 {NOTHING(0)}},
	{"the frame pointer: same, in itself, in another register, lost",
	 "zR",
	 P(DW_CFA_same_value, 6, DW_CFA_advance_loc | 1, DW_CFA_register, 6, 6,
	   DW_CFA_advance_loc | 1, DW_CFA_register, 6, 3, DW_CFA_advance_loc | 1, DW_CFA_undefined,
	   6),
	 {PLAIN(0, 1), {2, 1, 0, PACK(RSP_CFA_SP, RSP_FP_UNDEFINED)}, NOTHING(0x40)}},
	{"a frame pointer saved too far away",
	 "zR",
	 P(DW_CFA_offset | 6, 0x80, 1, DW_CFA_advance_loc | 1, DW_CFA_offset | 6, 0x81, 1),
	 {{0, 1, -128, PACK(RSP_CFA_SP, RSP_FP_CFA)},
	  {1, 1, 0, PACK(RSP_CFA_SP, RSP_FP_UNDEFINED)},
	  NOTHING(0x40)}},
	{"rbx: alone, below the frame pointer, elsewhere, restored",
	 "zR",
	 P(DW_CFA_offset | 3, 2, DW_CFA_advance_loc | 1, DW_CFA_offset | 6, 2, DW_CFA_offset | 3, 3,
	   DW_CFA_advance_loc | 1, DW_CFA_offset | 3, 4, DW_CFA_advance_loc | 1,
	   DW_CFA_restore | 3),
	 {{0, 1, -2, PACK(RSP_CFA_SP, RSP_FP_SAME) | RSP_BX_CFA << 6},
	  {1, 1, -2, PACK(RSP_CFA_SP, RSP_FP_CFA) | RSP_BX_BELOW_FP << 6},
	  {2, 1, -2, PACK(RSP_CFA_SP, RSP_FP_CFA) | RSP_BX_UNDEFINED << 6},
	  {3, 1, -2, PACK(RSP_CFA_SP, RSP_FP_CFA)},
	  NOTHING(0x40)}},
	{"the CFA by rbx",
	 "zR",
	 P(DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 3, 4, DW_CFA_advance_loc | 3,
	   DW_CFA_def_cfa_register, 3),
	 {{0, 4, -4, RSP_CFA_SP | RSP_BX_CFA << 6},
	  {3, 4, -4, RSP_CFA_BX | RSP_BX_CFA << 6},
	  NOTHING(0x40)}},
	{"values in place of places",
	 "zR",
	 P(DW_CFA_val_offset, 6, 2, DW_CFA_advance_loc | 1, DW_CFA_val_expression, 6, 1,
	   DW_OP_lit0),
	 {{0, 1, 0, PACK(RSP_CFA_SP, RSP_FP_UNDEFINED)}, NOTHING(0x40)}},
	{"a CFA that a row has no room for",
	 "zR",
	 P(DW_CFA_def_cfa_offset, 0xf8, 0xff, 0x0f, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset,
	   0x80, 0x80, 0x10, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 12,
	   DW_CFA_advance_loc | 1, DW_CFA_def_cfa, 0, 8),
	 {PLAIN(0, 32767), NOTHING(1)}},
	{"an unknown expression, to which there is no offset",
	 "zR",
	 P(DW_CFA_def_cfa_expression, 2, DW_OP_breg7, 8, DW_CFA_advance_loc | 1,
	   DW_CFA_def_cfa_offset, 16),
	 {NOTHING(0)}},
	{"from an unknown instruction on",
	 "zR",
	 P(DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc | 1, 0x3f,
	   DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 8),
	 {PLAIN(0, 1), PLAIN(1, 2), NOTHING(2)}},
	{"a place set instead of advanced to", "zR", P(DW_CFA_set_loc, 0, 0, 0, 0), {NOTHING(0)}},
	{"nothing to restore", "zR", P(DW_CFA_restore_state), {NOTHING(0)}},
	{"an operand that is cut off", "zR", P(DW_CFA_def_cfa, 7), {NOTHING(0)}},
	{"a number without an end", "zR", P(DW_CFA_def_cfa_offset, 0x80, 0x80), {NOTHING(0)}},
	{"an expression longer than the program",
	 "zR",
	 P(DW_CFA_def_cfa_expression, 0xff, 0xff, 0xff, 0xff, 0x0f),
	 {NOTHING(0)}},
};

/* --- helpers --------------------------------------------------------------------------------- */

static const struct rsp_unwind_head *head_of(const struct rsp_unwind_table *table)
{
	return table->blocks;
}

static struct rsp_unwind_row *rows_of(const struct rsp_unwind_table *table)
{
	return (void *)((char *)table->blocks +
			(size_t)head_of(table)->row_block * RSP_UNWIND_BLOCK_BYTES);
}

static struct rsp_unwind_table build(const struct bytes *eh_frame, int want)
{
	struct rsp_unwind_table table = {0};
	struct bytes elf = make_elf(eh_frame, true);

	assert_int_equal(rsp_unwind_table_build_memory(elf.v, elf.len, &table), want);
	if (want == 0)
		assert_int_equal(rsp_unwind_table_check(table.blocks, table.len), 0);
	else
		assert_null(table.blocks);
	assert_int_equal(table.build_id_len, sizeof(eh_build_id.id));
	free(elf.v);
	return table;
}

static void put_plain(struct bytes *b, size_t cie, __u32 at, __u32 len, __u8 cfa_bytes)
{
	__u8 program[] = {DW_CFA_def_cfa_offset, cfa_bytes};

	put_fde(b, cie, CODE_VADDR + at, len, program, sizeof(program));
}

static void expect_rows(const char *name, const struct rsp_unwind_table *table, __u32 base,
			const struct rsp_unwind_row *want, size_t max)
{
	const struct rsp_unwind_row *rows = rows_of(table);
	size_t cnt = 0;

	while (cnt < max && (cnt == 0 || want[cnt].pc))
		cnt++;
	for (size_t i = 0; i < cnt; i++) {
		struct rsp_unwind_row row = want[i];

		row.pc += CODE_FILEOFF + base;
		if (i >= head_of(table)->row_cnt || memcmp(&rows[i], &row, sizeof(row)) != 0)
			fail_msg("%s: row %zu is %#x %d %d %#x, not %#x %d %d %#x", name, i,
				 rows[i].pc, rows[i].cfa, rows[i].fp, rows[i].rules, row.pc,
				 row.cfa, row.fp, row.rules);
	}
	assert_int_equal(head_of(table)->row_cnt, cnt);
}

/* --- entries --------------------------------------------------------------------------------- */

static void test_programs(void **state)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct bytes b = {0};
		struct rsp_unwind_table table;

		put_fde(&b, put_cie(&b, programs[i].augmentation), CODE_VADDR + ENTRY, ENTRY_BYTES,
			programs[i].program, programs[i].len);
		table = build(&b, 0);
		expect_rows(programs[i].name, &table, ENTRY, programs[i].rows, ROWS_MAX);
		rsp_unwind_table_done(&table);
		free(b.v);
	}
}

/* The entries are not sorted. There is padding between some of them. */
static void test_functions(void **state)
{
	static const struct rsp_unwind_row want[] = {PLAIN(0x10, 1), PLAIN(0x40, 2), NOTHING(0x60),
						     PLAIN(0x70, 3), NOTHING(0x80)};
	struct rsp_unwind_table table;
	struct bytes b = {0};
	size_t cie = put_cie(&b, "zR");

	put_plain(&b, cie, 0x70, 0x10, 24);
	put_plain(&b, cie, 0x10, 0x11, 8);
	put_plain(&b, cie, 0x30, 0x01, 8);
	put_plain(&b, cie, 0x40, 0x20, 16);
	put_plain(&b, cie, 0x80, 0, 32);
	put_plain(&b, cie, CODE_BYTES, 0x10, 32);
	put_u32(&b, 0);
	put_plain(&b, cie, 0x100, 0x10, 32); /* beyond the end */
	table = build(&b, 0);
	expect_rows("functions", &table, 0, want, sizeof(want) / sizeof(want[0]));
	assert_int_equal(table.code_bytes[RSP_GAP_NONE], 0x10 + 0x11 + 1 + 0x20);
	rsp_unwind_table_done(&table);
	free(b.v);
}

static void test_overlap(void **state)
{
	static const struct rsp_unwind_row want[] = {PLAIN(0x10, 1), PLAIN(0x20, 2), PLAIN(0x28, 3),
						     NOTHING(0x30)};
	struct rsp_unwind_table table;
	struct bytes b = {0};
	size_t cie = put_cie(&b, "zR");

	put_plain(&b, cie, 0x10, 0x100, 8);
	put_plain(&b, cie, 0x20, 0x10, 16);
	put_plain(&b, cie, 0x20, 0x80, 40);
	put_plain(&b, cie, 0x28, 0x8, 24);
	table = build(&b, 0);
	expect_rows("overlap", &table, 0, want, sizeof(want) / sizeof(want[0]));
	rsp_unwind_table_done(&table);
	free(b.v);
}

static void test_end_of_segment(void **state)
{
	static const struct rsp_unwind_row want[] = {PLAIN(CODE_BYTES - 8, 1), NOTHING(CODE_BYTES)};
	struct rsp_unwind_table table;
	struct rsp_unwind_row row;
	struct bytes b = {0};

	put_plain(&b, put_cie(&b, "zR"), CODE_BYTES - 8, UINT32_MAX, 8);
	table = build(&b, 0);
	expect_rows("end", &table, 0, want, 2);
	assert_true(rsp_unwind_find(table.blocks, table.len, CODE_FILEOFF + CODE_BYTES - 1, &row));
	assert_int_equal(row.rules, PACK(RSP_CFA_SP, RSP_FP_SAME));
	rsp_unwind_table_done(&table);
	free(b.v);
}

/*
 * The code of an entry (FDE) with a damaged CIE has no rules. An entry is ignored if its CIE has an
 * unknown version.
 */
static void test_bad_cies(void **state)
{
	static const struct rsp_unwind_row want[] = {NOTHING(0x20), PLAIN(0x50, 2), NOTHING(0x60)};
	struct rsp_unwind_table table;
	struct bytes b = {0};
	size_t unknown = put_cie(&b, "zR"), damaged = put_cie(&b, "zR"), good = put_cie(&b, "zR");

	b.v[unknown + 8] = 2;			   /* the version */
	b.v[good - 5] = DW_CFA_def_cfa_expression; /* longer than the entry */
	put_plain(&b, unknown, 0x10, 0x10, 8);
	put_plain(&b, damaged, 0x20, 0x10, 8);
	put_plain(&b, good + 4, 0x30, 0x10, 8);
	put_plain(&b, b.len, 0x40, 0x10, 8); /* refers to itself */
	put_plain(&b, good, 0x50, 0x10, 16);
	table = build(&b, 0);
	expect_rows("bad", &table, 0, want, sizeof(want) / sizeof(want[0]));
	assert_int_equal(table.code_bytes[RSP_GAP_BAD], 0x10);
	assert_int_equal(table.code_bytes[RSP_GAP_NONE], 0x10);
	rsp_unwind_table_done(&table);
	free(b.v);
}

static void test_what_has_no_table(void **state)
{
	struct rsp_unwind_table table = {.len = 7};
	struct bytes b = {0}, elf;
	size_t cie;

	build(&b, -ENODATA);
	cie = put_cie(&b, "zR");
	build(&b, -ENODATA);
	put_plain(&b, cie, CODE_BYTES, 0x10, 8);
	build(&b, -ENODATA);
	put_plain(&b, cie, 0, 0x10, 8);
	b.len--;
	build(&b, -EBADMSG);

	elf = make_elf(&b, true);
	elf.v[EI_CLASS] = ELFCLASS32;
	assert_int_equal(rsp_unwind_table_build_memory(elf.v, elf.len, &table), -ENOTSUP);
	elf.v[0] = 0;
	assert_int_equal(rsp_unwind_table_build_memory(elf.v, elf.len, &table), -EBADMSG);
	assert_int_equal(rsp_unwind_table_build_memory(elf.v, 0, &table), -EBADMSG);
	assert_int_equal(rsp_unwind_table_build(-1, &table), -EBADF);
	assert_int_equal(table.len, 7);
	free(elf.v);
	free(b.v);
}

static void test_file_without_sections(void **state)
{
	static const struct rsp_unwind_row want[] = {PLAIN(0x10, 2), NOTHING(0x20)};
	struct rsp_unwind_table table;
	struct bytes b = {0}, elf;
	int fd = memfd_create("test", MFD_CLOEXEC);

	put_plain(&b, put_cie(&b, "zR"), 0x10, 0x10, 16);
	put_u32(&b, 0);
	put_u32(&b, UINT32_MAX); /* comes after the terminator 0, so this is not an entry */
	elf = make_elf(&b, false);
	assert_int_equal(write(fd, elf.v, elf.len), elf.len);
	assert_int_equal(rsp_unwind_table_build(fd, &table), 0);
	expect_rows("file", &table, 0, want, 2);
	assert_memory_equal(table.build_id, eh_build_id.id, sizeof(eh_build_id.id));
	rsp_unwind_table_done(&table);
	assert_int_equal(ftruncate(fd, (off_t)elf.len - 40), 0);
	assert_int_equal(rsp_unwind_table_build(fd, &table), 0);
	rsp_unwind_table_done(&table);
	free(elf.v);
	free(b.v);
	close(fd);
}

static void test_too_many_cies(void **state)
{
	struct rsp_unwind_table table;
	struct bytes b = {0};
	size_t cie = 0;

	for (int i = 0; i < 65536; i++)
		cie = put_cie(&b, "zR");
	put_plain(&b, cie, 0, 0x10, 8);
	table = build(&b, 0);
	rsp_unwind_table_done(&table);
	put_cie(&b, "zR");
	build(&b, -E2BIG);
	free(b.v);
}

/* --- searches ------------------------------------------------------------------------------- */

/* Some pages of the code have many rows, others have none. */
static struct rsp_unwind_table make_large(void)
{
	struct rsp_unwind_table table;
	struct bytes b = {0};
	size_t cie = put_cie(&b, "zR");

	for (__u32 at = 0x10; at < 0x1000; at += 3)
		put_plain(&b, cie, at, 3, (__u8)(at % 15 * 8));
	put_plain(&b, cie, 0x3000, 1, 8);
	put_plain(&b, cie, 0x3ff0, 8, 16);
	table = build(&b, 0);
	free(b.v);
	return table;
}

static void test_find(void **state)
{
	struct rsp_unwind_table table = make_large();
	const struct rsp_unwind_row *rows = rows_of(&table);
	struct rsp_unwind_row row;
	__u32 at = 0;

	assert_true(head_of(&table)->row_cnt > 1000);
	for (__u32 off = 0; off < CODE_FILEOFF + CODE_BYTES; off++) {
		bool found = rsp_unwind_find(table.blocks, table.len, off, &row);

		while (at + 1 < head_of(&table)->row_cnt && rows[at + 1].pc <= off)
			at++;
		assert_int_equal(found, off >= rows[0].pc);
		if (found)
			assert_memory_equal(&row, &rows[at], sizeof(row));
	}
	assert_false(rsp_unwind_find(table.blocks, table.len, CODE_FILEOFF + CODE_BYTES, &row));
	assert_false(
		rsp_unwind_find(table.blocks, table.len, 1ULL << 32 | (CODE_FILEOFF + 0x20), &row));
	assert_false(rsp_unwind_find(table.blocks, table.len, UINT64_MAX, &row));
	rsp_unwind_table_done(&table);
}

/* --- invalid tables ------------------------------------------------------------------------- */

enum { HEAD, INDEX, ROWS };

/* Damages of a table: each adds `add` to a 32-bit word of a part of the table. */
static const struct {
	const char *what;
	int part;
	size_t word;
	__u32 add;
} damages[] = {
	{"first_page", HEAD, 0, 1},
	{"first_page", HEAD, 0, UINT32_MAX},
	{"page_cnt", HEAD, 1, 1},
	{"page_cnt", HEAD, 1, UINT32_MAX},
	{"a huge page_cnt", HEAD, 1, 0xfffff000},
	{"row_block", HEAD, 2, 1},
	{"row_block 0", HEAD, 2, UINT32_MAX},
	{"row_cnt", HEAD, 3, 1},
	{"row_cnt", HEAD, 3, UINT32_MAX},
	{"a huge row_cnt", HEAD, 3, 0x80000000},
	{"the index's begin", INDEX, 0, 1},
	{"the index's middle", INDEX, 1, 0x10000},
	{"the index's middle", INDEX, 2, UINT32_MAX},
	{"the index's end", INDEX, 3, 1},
	{"the first pc", ROWS, 0, 0x80000000},
	{"a pc", ROWS, 10, 0x100},
	{"a pc", ROWS, 10, 0xfffffffd},
	{"an unknown CFA rule", ROWS, 11, 0x0e000000},
};

static void test_damaged_tables(void **state)
{
	struct rsp_unwind_table table = make_large();

	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		__u32 *word = damages[i].part == ROWS ? (__u32 *)rows_of(&table)
						      : (__u32 *)table.blocks;

		word += damages[i].word + (damages[i].part == INDEX ? RSP_UNWIND_INDEX_OFF : 0);
		*word += damages[i].add;
		if (rsp_unwind_table_check(table.blocks, table.len) != -EBADMSG)
			fail_msg("%s, by %#x: taken for a table", damages[i].what, damages[i].add);
		*word -= damages[i].add;
	}
	assert_int_equal(rsp_unwind_table_check(table.blocks, table.len), 0);
	assert_int_equal(rsp_unwind_table_check(table.blocks, 0), -EBADMSG);
	assert_int_equal(rsp_unwind_table_check(table.blocks, 1), -EBADMSG);
	assert_int_equal(rsp_unwind_table_check(table.blocks, RSP_UNWIND_BLOCK_BYTES), -EBADMSG);
	assert_int_equal(rsp_unwind_table_check(table.blocks, table.len - 1), -EBADMSG);
	rsp_unwind_table_done(&table);
}

/* If a table passes the check, a search at any address is safe. */
static void test_random_damage(void **state)
{
	struct rsp_unwind_table table = make_large();
	struct rsp_unwind_row row;
	unsigned int seed = 1, passed = 0;

	for (int i = 0; i < 3000; i++) {
		/* Half of the changes are in the head or in the index. */
		size_t limit = i & 1 ? table.len : 40;
		size_t at = (size_t)rand_r(&seed) % limit;
		__u8 *byte = (__u8 *)table.blocks + at, mask = (__u8)(1 << rand_r(&seed) % 8);

		*byte ^= mask;
		if (rsp_unwind_table_check(table.blocks, table.len) == 0) {
			passed++;
			for (__u32 off = 0; off < CODE_FILEOFF + CODE_BYTES + 4096; off += 97)
				rsp_unwind_find(table.blocks, table.len, off, &row);
		}
		*byte ^= mask;
	}
	assert_true(passed >= 1 && passed <= 2999);
	rsp_unwind_table_done(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_end_of_segment),
		cmocka_unit_test(test_bad_cies),
		cmocka_unit_test(test_what_has_no_table),
		cmocka_unit_test(test_file_without_sections),
		cmocka_unit_test(test_too_many_cies),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_damaged_tables),
		cmocka_unit_test(test_random_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
