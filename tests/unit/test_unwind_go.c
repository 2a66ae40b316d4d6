/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests unwind tables of Go code. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/unwind/table.h"
#include "tests/unit/eh-frame.h"

#define GO_118 0xfffffff0
#define GO_120 0xfffffff1

#define FUNCTION_BYTES 0x40
#define ROWS_MAX       5
#define PROGRAM_MAX    16
#define PACK(cfa, fp)  ((cfa) | (fp) << 4)
#define P(...)                                                                                     \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
#define NO_PROGRAM                                                                                 \
	{                                                                                          \
		0                                                                                  \
	}

/*
 * Entries of a Go table of stack depths: the change of the depth, and the number of code bytes at
 * the new depth. The table begins at depth -1.
 */
#define DEEPER(by, bytes)    (2 * (by)), bytes
#define SHALLOWER(by, bytes) (2 * (by)-1), bytes
#define BEGIN(bytes)	     DEEPER(1, bytes)

enum { TOP_FRAME = 1, SP_WRITE = 2, IN_ASSEMBLER = 4 };

/*
 * The row after the last byte of a function's code: no rule applies until the next function, which
 * begins at FUNCTION_BYTES.
 */
#define END(at)                                                                                    \
	{                                                                                          \
		at, 0, 0, 0                                                                        \
	}

#define LEAF(at)                                                                                   \
	{                                                                                          \
		at, 1, 0, PACK(RSP_CFA_SP, RSP_FP_SAME)                                            \
	}
#define DEEP(at, cfa)                                                                              \
	{                                                                                          \
		at, cfa, -2, PACK(RSP_CFA_SP, RSP_FP_CFA)                                          \
	}
#define FIXED(at, rules)                                                                           \
	{                                                                                          \
		at, 0, 0, rules                                                                    \
	}

/*
 * The functions of the test, and their expected rows. The pc of a row is relative to the beginning
 * of its function.
 */
static const struct {
	const char *name;
	__u8 flags;
	__u8 program[PROGRAM_MAX];
	struct rsp_unwind_row rows[ROWS_MAX];
	size_t row_cnt;
} functions[] = {
	{"main.leaf", 0, P(BEGIN(0x3e)), {LEAF(0)}, 1},
	{"main.frame",
	 0,
	 P(BEGIN(10), DEEPER(8, 4), DEEPER(32, 0x20), SHALLOWER(40, 2)),
	 {LEAF(0), DEEP(10, 2), DEEP(14, 6), LEAF(0x2e)},
	 4},
	{"main.huge", 0, P(BEGIN(4), 0x80, 0x80, 0x20, 0x3c), {LEAF(0), FIXED(4, 0)}, 2},
	{"main.deep", 0, P(BEGIN(4), 0x80, 0x80, 0x10, 0x3c), {LEAF(0), DEEP(4, 0x4001)}, 2},
	{"main.odd", 0, P(BEGIN(4), DEEPER(3, 4), DEEPER(5, 4)), {LEAF(0), FIXED(4, 0)}, 2},
	{"main.popsReturn", 0, P(BEGIN(4), SHALLOWER(8, 4)), {LEAF(0), FIXED(4, 0)}, 2},
	{"main.endsEarly", 0, P(BEGIN(0x10)), {LEAF(0), FIXED(0x10, 0)}, 2},
	{"main.noCode", 0, P(BEGIN(0), DEEPER(8, 4)), {FIXED(0, 0)}, 1},
	{"main.longer", 0, P(BEGIN(0x3f), DEEPER(8, 0x7f)), {LEAF(0), DEEP(0x3f, 2)}, 2},
	{"main.untold", 0, NO_PROGRAM, {FIXED(0, 0)}, 1},
	{"runtime.mstart",
	 TOP_FRAME | IN_ASSEMBLER,
	 P(BEGIN(0x40)),
	 {FIXED(0, RSP_CFA_OUTERMOST)},
	 1},
	{"runtime.goexit", TOP_FRAME, NO_PROGRAM, {FIXED(0, RSP_CFA_OUTERMOST)}, 1},
	{"runtime.rt0_go", TOP_FRAME | SP_WRITE, P(BEGIN(0x40)), {FIXED(0, RSP_CFA_OUTERMOST)}, 1},
	{"runtime.systemstack", SP_WRITE, P(BEGIN(0x40)), {FIXED(0, 0)}, 1},
	{"runtime.mcall", SP_WRITE, P(BEGIN(0x40)), {FIXED(0, RSP_CFA_OUTERMOST)}, 1},
	{"runtime.mcall2", SP_WRITE, P(BEGIN(0x40)), {FIXED(0, 0)}, 1},
	{"runtime.sigtramp",
	 TOP_FRAME | IN_ASSEMBLER,
	 P(BEGIN(1), DEEPER(56, 0x30), SHALLOWER(56, 15)),
	 {LEAF(0), {1, 8, 0, PACK(RSP_CFA_SP, RSP_FP_SAME)}, LEAF(0x31)},
	 3},
	/*
	 * The rows of the signal trampoline begin one byte early, in the last byte of this
	 * function.
	 */
	{"main.before", 0, P(BEGIN(0x40)), {LEAF(0), FIXED(0x3f, RSP_CFA_SIGNAL)}, 2},
	{"runtime.sigreturn__sigaction", 0, P(BEGIN(0x40)), {FIXED(0, RSP_CFA_SIGNAL)}, 1},
	{"main.last", 0, P(BEGIN(0x40)), {LEAF(0), END(0x40)}, 2},
};
#define FUNCTION_CNT (sizeof(functions) / sizeof(functions[0]))

/* --- making them ----------------------------------------------------------------------------- */

static void put_u64(struct bytes *b, __u64 value)
{
	put(b, &value, 8);
}

static void set_u64(struct bytes *b, size_t off, __u64 value)
{
	memcpy(b->v + off, &value, 8);
}

enum { COUNT_OFF = 8, TEXT_OFF = 24, NAMES_OFF = 32, DEPTHS_OFF = 56, FUNCTIONS_OFF = 64 };
#define HEADER_BYTES 72

/* struct _func. */
static void put_function(struct bytes *b, __u32 magic, __u32 text_off, __u32 name_off,
			 __u32 depth_off, __u8 flags)
{
	static const __u8 rest[20];

	put_u32(b, text_off);
	put_u32(b, name_off);
	put(b, rest, 8);
	put_u32(b, depth_off);
	put(b, rest, magic == GO_118 ? 16 : 20);
	put_u8(b, 0);
	put_u8(b, flags);
	put(b, rest, 2);
}

static struct bytes make_gopclntab(__u32 magic)
{
	static const __u8 zeros[HEADER_BYTES];
	__u32 function_bytes = magic == GO_118 ? 40 : 44, name_offs[FUNCTION_CNT];
	struct bytes b = {0};
	size_t names, depths;

	put_u32(&b, magic);
	put_u32(&b, 1 << 16 | 8 << 24);
	put(&b, zeros, HEADER_BYTES - 8);
	set_u64(&b, COUNT_OFF, FUNCTION_CNT);
	set_u64(&b, TEXT_OFF, CODE_VADDR);
	set_u64(&b, NAMES_OFF, names = b.len);
	for (size_t i = 0; i < FUNCTION_CNT; i++) {
		name_offs[i] = (__u32)(b.len - names);
		put(&b, functions[i].name, strlen(functions[i].name) + 1);
	}
	set_u64(&b, DEPTHS_OFF, depths = b.len);
	put_u8(&b, 0);
	for (size_t i = 0; i < FUNCTION_CNT; i++)
		put(&b, functions[i].program, PROGRAM_MAX);
	set_u64(&b, FUNCTIONS_OFF, b.len);
	for (size_t i = 0; i <= FUNCTION_CNT; i++) {
		put_u32(&b, (__u32)i * FUNCTION_BYTES);
		if (i < FUNCTION_CNT)
			put_u32(&b, (__u32)(8 * FUNCTION_CNT + 4 + i * function_bytes));
	}
	for (size_t i = 0; i < FUNCTION_CNT; i++)
		put_function(&b, magic, (__u32)i * FUNCTION_BYTES, name_offs[i],
			     functions[i].program[0] ? (__u32)(1 + i * PROGRAM_MAX) : 0,
			     functions[i].flags);
	return b;
}

static int build_elf(const struct bytes *elf, struct rsp_unwind_table *ret)
{
	void *copy = malloc(elf->len);
	int r;

	assert_non_null(copy);
	memcpy(copy, elf->v, elf->len);
	r = rsp_unwind_table_build_memory(copy, elf->len, ret);
	if (r == 0)
		assert_int_equal(rsp_unwind_table_check(ret->blocks, ret->len), 0);
	else
		assert_null(ret->blocks);
	free(copy);
	return r;
}

static int build(const struct bytes *section, struct rsp_unwind_table *ret)
{
	struct bytes elf = make_elf_with(".gopclntab", section, true);
	int r = build_elf(&elf, ret);

	free(elf.v);
	return r;
}

static int try(const struct bytes *section)
{
	struct rsp_unwind_table table = {0};
	int r = build(section, &table);

	rsp_unwind_table_done(&table);
	return r;
}

/* --- the resulting tables ------------------------------------------------------------------- */

static void expect_function(const struct rsp_unwind_table *table, size_t i)
{
	const struct rsp_unwind_row *want = functions[i].rows, *end = want + functions[i].row_cnt;
	__u32 start = CODE_FILEOFF + (__u32)i * FUNCTION_BYTES;

	for (__u32 at = 0; at < FUNCTION_BYTES + (i + 1 == FUNCTION_CNT); at++) {
		struct rsp_unwind_row row;

		if (want + 1 < end && want[1].pc <= at)
			want++;
		if (!rsp_unwind_find(table->blocks, table->len, start + at, &row))
			fail_msg("%s+%#x: no row", functions[i].name, at);
		if (row.cfa != want->cfa || row.fp != want->fp || row.rules != want->rules)
			fail_msg("%s+%#x: CFA %d, frame pointer %d, rules %#x", functions[i].name,
				 at, row.cfa, row.fp, row.rules);
	}
}

static void test_functions(void **state)
{
	static const __u32 magics[] = {GO_118, GO_120};

	for (size_t k = 0; k < 2; k++) {
		struct bytes section = make_gopclntab(magics[k]);
		struct rsp_unwind_table table = {0};

		assert_int_equal(build(&section, &table), 0);
		for (size_t i = 0; i < FUNCTION_CNT; i++)
			expect_function(&table, i);
		rsp_unwind_table_done(&table);
		free(section.v);
	}
}

static const struct {
	const char *name;
	size_t off;
	__u64 value;
} headers[] = {
	{"Go 1.16", 0, 0xfffffffa | 1ULL << 48 | 8ULL << 56},
	{"another machine's", 0, GO_120 | 4ULL << 48 | 8ULL << 56},
	{"a 32-bit program's", 0, GO_120 | 1ULL << 48 | 4ULL << 56},
	{"no functions", COUNT_OFF, 0},
	{"more functions than bytes", COUNT_OFF, UINT64_MAX},
	{"text nowhere", TEXT_OFF, 0},
	{"text beyond the end", TEXT_OFF, UINT64_MAX},
	{"functions beyond the end", FUNCTIONS_OFF, 1 << 20},
	{"functions far beyond the end", FUNCTIONS_OFF, UINT64_MAX},
	{"names far beyond the end", NAMES_OFF, UINT64_MAX},
	{"depths far beyond the end", DEPTHS_OFF, UINT64_MAX},
};

/*
 * A damaged section counts as missing. The image has no .eh_frame either, so the result is an
 * error.
 */
static void test_headers(void **state)
{
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		struct bytes section = make_gopclntab(GO_120);

		set_u64(&section, headers[i].off, headers[i].value);
		if (try(&section) != -ENODATA)
			fail_msg("%s: not refused", headers[i].name);
		free(section.v);
	}
}

/* --- position-independent programs ----------------------------------------------------------- */

#define BEFORE 64 /* number of bytes before the table in its section */

static const struct {
	const char *what, *name, *relocations;
	size_t before;
	__u32 type;
	bool is_go;
	int want;
} programs[] = {
	{"by Go's linker", ".data.rel.ro.gopclntab", ".rela", 0, R_X86_64_RELATIVE, true, 0},
	{"by another linker", ".data.rel.ro", ".rela.dyn", BEFORE, R_X86_64_RELATIVE, true, 0},
	{"not in Go", ".data.rel.ro", ".rela.dyn", BEFORE, R_X86_64_RELATIVE, false, -ENODATA},
	{"unaligned", ".data.rel.ro", ".rela.dyn", 8, R_X86_64_RELATIVE, true, -ENODATA},
	{"a relocation by symbol", ".data.rel.ro", ".rela", BEFORE, R_X86_64_64, true, -ENODATA},
	{"no relocations", ".data.rel.ro.gopclntab", ".rel", 0, 0, true, -ENODATA},
};

static void test_position_independent(void **state)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct bytes tab = make_gopclntab(GO_118), section = {0}, elf;
		Elf64_Rela relocations[] = {
			{EH_VADDR, ELF64_R_INFO(0, R_X86_64_RELATIVE), 1},
			{EH_VADDR + programs[i].before + TEXT_OFF,
			 ELF64_R_INFO(0, programs[i].type), CODE_VADDR},
		};
		struct section others[] = {
			{programs[i].relocations, relocations, sizeof(relocations)},
			{programs[i].is_go ? ".go.buildinfo" : ".buildinfo", "", 1},
		};
		struct rsp_unwind_table table = {0};
		static const __u8 before[BEFORE];

		set_u64(&tab, TEXT_OFF, 0);
		put(&section, before, programs[i].before);
		put(&section, tab.v, tab.len);
		elf = make_elf_with(programs[i].name, &section, true);
		add_sections(&elf, others, 2);
		if (build_elf(&elf, &table) != programs[i].want)
			fail_msg("%s", programs[i].what);
		if (programs[i].want == 0)
			expect_function(&table, 1);
		rsp_unwind_table_done(&table);
		free(elf.v);
		free(section.v);
		free(tab.v);
	}
}

/* --- damage ---------------------------------------------------------------------------------- */

static void test_truncated(void **state)
{
	struct bytes section = make_gopclntab(GO_118);

	assert_int_equal(try(&section), 0);
	while (section.len--)
		try(&section);
	free(section.v);
}

static void test_bit_flips(void **state)
{
	struct bytes section = make_gopclntab(GO_120);
	unsigned int seed = 1, good = 0, bad = 0;

	for (int i = 0; i < 6000; i++) {
		/* A third of the damage is in the header. */
		size_t at = (size_t)rand_r(&seed) % (i % 3 ? section.len : HEADER_BYTES);
		__u8 mask = (__u8)(1 << rand_r(&seed) % 8);

		section.v[at] ^= mask;
		if (try(&section) == 0)
			good++;
		else
			bad++;
		section.v[at] ^= mask;
	}
	assert_true(good > 100);
	assert_true(bad > 100);
	free(section.v);
}

/*
 * Each function has only two bytes of code, but all share one long table of stack depths. The
 * reader must stop at the end of the code.
 */
static void test_shared_program(void **state)
{
	__u64 cnt = CODE_BYTES / 2, functions_off = HEADER_BYTES + (1 << 20);
	struct rsp_unwind_table table = {0};
	struct bytes section = {0};

	put_u32(&section, GO_118);
	put_u32(&section, 1 << 16 | 8 << 24);
	put_u64(&section, cnt);
	put_u64(&section, 0);
	put_u64(&section, CODE_VADDR);
	put_u64(&section, HEADER_BYTES);
	put_u64(&section, 0);
	put_u64(&section, 0);
	put_u64(&section, HEADER_BYTES - 1);
	put_u64(&section, functions_off);
	for (int i = 0; i < 1 << 19; i++) {
		put_u8(&section, i ? 16 : 2);
		put_u8(&section, 1);
	}
	for (__u32 i = 0; i <= cnt; i++) {
		put_u32(&section, 2 * i);
		if (i < cnt)
			put_u32(&section, 8 * (__u32)cnt + 4 + i * 40);
	}
	for (__u32 i = 0; i < cnt; i++)
		put_function(&section, GO_118, 2 * i, 0, 1, 0);
	assert_int_equal(build(&section, &table), 0);
	assert_int_equal(((struct rsp_unwind_head *)table.blocks)->row_cnt, 2 * cnt + 1);
	rsp_unwind_table_done(&table);
	free(section.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_position_independent),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_bit_flips),
		cmocka_unit_test(test_shared_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
