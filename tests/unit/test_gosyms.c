/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the search for function names in Go's function table (.gopclntab). */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/symbols/gosyms.h"
#include "lib/unwind/gotable.h"
#include "tests/unit/eh-frame.h"

#define FUNCTION_BYTES 0x40
#define MODULE_TEXT    176 /* in struct moduledata */

static const char *const names[] = {
	"runtime.text",	     "main.(*Holder).criticalSection", "main.main.func1", "main.Map[...]",
	"type..eq.main.key",
};
#define FUNCTION_CNT (sizeof(names) / sizeof(names[0]))

static const __u32 versions[] = {RSP_GO_116, RSP_GO_118, RSP_GO_120};

/* --- making them ----------------------------------------------------------------------------- */

static void put_u64(struct bytes *b, __u64 value)
{
	put(b, &value, 8);
}

static void put_offset(struct bytes *b, __u32 version, __u64 value)
{
	put(b, &value, version == RSP_GO_116 ? 8 : 4);
}

static __u64 start_of(__u32 version, size_t i)
{
	return i * FUNCTION_BYTES + (version == RSP_GO_116 ? CODE_VADDR : 0);
}

/* Makes a table of the functions. The first name is at offset 0 of the names. */
static struct bytes make_table(__u32 version, __u64 text_vaddr)
{
	static const __u8 rest[44]; /* enough for any size of a function's entry */
	__u32 name_offs[FUNCTION_CNT], header_bytes = version == RSP_GO_116 ? 64 : 72;
	__u32 word = version == RSP_GO_116 ? 8 : 4;
	__u32 function_bytes = version == RSP_GO_116 ? 44 : version == RSP_GO_118 ? 40 : 44;
	struct bytes text = {0}, b = {0};

	for (size_t i = 0; i < FUNCTION_CNT; i++) {
		name_offs[i] = (__u32)text.len;
		put(&text, names[i], strlen(names[i]) + 1);
	}
	put_u32(&b, version);
	put_u32(&b, 1 << 16 | 8 << 24);
	put_u64(&b, FUNCTION_CNT);
	put_u64(&b, 0);
	if (version != RSP_GO_116)
		put_u64(&b, text_vaddr);
	put_u64(&b, header_bytes);	      /* names */
	put_u64(&b, header_bytes + text.len); /* compilation units */
	put_u64(&b, 0);
	put_u64(&b, 0);
	put_u64(&b, header_bytes + text.len); /* functions */
	put(&b, text.v, text.len);
	for (size_t i = 0; i <= FUNCTION_CNT; i++) {
		put_offset(&b, version, start_of(version, i));
		if (i < FUNCTION_CNT)
			put_offset(&b, version, (2 * FUNCTION_CNT + 1) * word + i * function_bytes);
	}
	for (size_t i = 0; i < FUNCTION_CNT; i++) {
		put_offset(&b, version, start_of(version, i));
		put_u32(&b, name_offs[i]);
		put(&b, rest, function_bytes - word - 4);
	}
	free(text.v);
	return b;
}

static int read_elf(const struct bytes *bytes, struct rsp_elfsyms **ret)
{
	/* The copy has the exact size, so that the sanitizers detect any read beyond its end. */
	void *copy = malloc(bytes->len);
	struct rsp_elf64 elf;
	int r;

	assert_non_null(copy);
	memcpy(copy, bytes->v, bytes->len);
	assert_int_equal(rsp_elfsyms_new(ret), 0);
	r = rsp_elf64_open_memory(&elf, copy, bytes->len);
	if (r == 0)
		r = rsp_gosyms_add(*ret, &elf);
	assert_int_equal(rsp_elfsyms_finish(*ret), 0);
	free(copy);
	return r;
}

static void expect_names(const struct rsp_elfsyms *syms, const char *what)
{
	for (__u64 at = 0; at < FUNCTION_CNT * FUNCTION_BYTES; at += 0x3f) {
		const char *name = rsp_elfsyms_lookup(syms, CODE_VADDR + at);

		if (!name || strcmp(name, names[at / FUNCTION_BYTES]) != 0)
			fail_msg("%s: at %#llx is %s", what, at, name ? name : "nothing");
	}
	assert_null(rsp_elfsyms_lookup(syms, CODE_VADDR - 1));
	assert_null(rsp_elfsyms_lookup(syms, CODE_VADDR + FUNCTION_CNT * FUNCTION_BYTES));
}

static void expect_elf(const struct bytes *elf, int want, const char *what)
{
	struct rsp_elfsyms *syms;
	int r = read_elf(elf, &syms);

	if (r != want)
		fail_msg("%s: %d", what, r);
	if (want > 0)
		expect_names(syms, what);
	rsp_elfsyms_free(syms);
}

/* --- where the table is --------------------------------------------------------------------- */

static void each_version_has_names(void **state)
{
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		struct bytes table = make_table(versions[i], CODE_VADDR);
		struct bytes elf = make_elf_with(".gopclntab", &table, true);

		expect_elf(&elf, FUNCTION_CNT, "by name");
		free(elf.v);
		elf = make_elf_with(".gopclntab", &table, false);
		expect_elf(&elf, FUNCTION_CNT, "by magic");
		free(elf.v);
		free(table.v);
	}
}

static const struct {
	const char *what;
	size_t before;
	int damage;
	int want;
} searches[] = {
	{"behind constants", 4096, -1, FUNCTION_CNT},
	{"in a later chunk", 3 << 16, -1, FUNCTION_CNT},
	{"across two chunks", (1 << 16) - 32, -1, FUNCTION_CNT},
	{"unaligned", 4096 + 8, -1, 0},
	{"of another magic", 4096, 0, 0},
	{"of 4-byte addresses", 4096, 7, 0},
	{"with more functions than bytes", 4096, 8 + 6, 0},
	{"with names beyond the end", 4096, 32 + 6, 0},
};

/*
 * Without section headers, the reader searches for the table's magic number. It must ignore the
 * same bytes at wrong places.
 */
static void the_magic_is_found(void **state)
{
	for (size_t i = 0; i < sizeof(searches) / sizeof(searches[0]); i++) {
		struct bytes table = make_table(RSP_GO_120, CODE_VADDR), data = {0}, elf;
		__u8 *before = calloc(1, searches[i].before);

		assert_non_null(before);
		memcpy(before, table.v, 8);
		put(&data, before, searches[i].before);
		if (searches[i].damage >= 0)
			table.v[searches[i].damage] ^= 0x40;
		put(&data, table.v, table.len);
		elf = make_elf_with("", &data, false);
		expect_elf(&elf, searches[i].want, searches[i].what);
		free(elf.v);
		free(data.v);
		free(before);
		free(table.v);
	}
}

/* --- where the code is ---------------------------------------------------------------------- */

static const struct {
	const char *what, *module;
	__u64 text_vaddr;
	__u64 relocated; /* the address that the relocation changes */
	int want;
} texts[] = {
	{"Go 1.26", ".go.module", CODE_VADDR, 0, FUNCTION_CNT},
	{"Go 1.26, position-independent", ".go.module", 0, MODULE_TEXT, FUNCTION_CNT},
	{"position-independent", ".other", 0, EH_VADDR + 24, FUNCTION_CNT},
	{"nothing tells", ".other", CODE_VADDR, 0, 0},
	{"no relocation", ".go.module", 0, EH_VADDR, 0},
};

static void the_text_is_found(void **state)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct bytes table = make_table(RSP_GO_120, 0);
		struct bytes elf = make_elf_with(".gopclntab", &table, true);
		Elf64_Rela rela = {texts[i].relocated, ELF64_R_INFO(0, R_X86_64_RELATIVE),
				   CODE_VADDR};
		__u64 module[MODULE_TEXT / 8 + 4] = {[MODULE_TEXT / 8] = texts[i].text_vaddr};
		struct section others[] = {
			{texts[i].module, module, sizeof(module)},
			{".rela.dyn", &rela, sizeof(rela)},
		};

		add_sections(&elf, others, 2);
		expect_elf(&elf, texts[i].want, texts[i].what);
		free(elf.v);
		free(table.v);
	}
}

/* --- damage ---------------------------------------------------------------------------------- */

static void try(const struct bytes *table, bool sections)
{
	struct bytes elf = make_elf_with(".gopclntab", table, sections);
	struct rsp_elfsyms *syms;

	read_elf(&elf, &syms);
	for (__u64 at = 0; at < CODE_BYTES; at += 0x11) {
		const char *name = rsp_elfsyms_lookup(syms, CODE_VADDR + at);

		assert_true(!name || strlen(name) < table->len);
	}
	rsp_elfsyms_free(syms);
	free(elf.v);
}

static void damage_does_no_harm(void **state)
{
	unsigned int seed = 1;

	for (size_t v = 0; v < sizeof(versions) / sizeof(versions[0]); v++) {
		struct bytes table = make_table(versions[v], CODE_VADDR);

		for (int i = 0; i < 3000; i++) {
			size_t at = (size_t)rand_r(&seed) % (i % 3 ? table.len : 72);
			__u8 mask = (__u8)(1 << rand_r(&seed) % 8);

			table.v[at] ^= mask;
			try(&table, i % 2);
			table.v[at] ^= mask;
		}
		while (table.len--)
			try(&table, table.len % 2);
		free(table.v);
	}
}

static void a_table_that_ends_early_names_nothing(void **state)
{
	struct bytes table = make_table(RSP_GO_120, CODE_VADDR), elf;
	struct rsp_elfsyms *syms;
	__u64 cnt = 1000;

	memcpy(table.v + 8, &cnt, sizeof(cnt));
	elf = make_elf_with(".gopclntab", &table, true);
	assert_int_equal(read_elf(&elf, &syms), -EBADMSG);
	assert_null(rsp_elfsyms_lookup(syms, CODE_VADDR));
	rsp_elfsyms_free(syms);
	free(elf.v);
	free(table.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_version_has_names),
		cmocka_unit_test(the_magic_is_found),
		cmocka_unit_test(the_text_is_found),
		cmocka_unit_test(damage_does_no_harm),
		cmocka_unit_test(a_table_that_ends_early_names_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
