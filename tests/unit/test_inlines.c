/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the search for inlined functions in the DWARF data of this program. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/symbols/elf.h"
#include "lib/symbols/inlines.h"
#include "tests/unit/one-function.h"

#define EFFORT (64ULL << 20)

/* Each label exists once, because the compiler does not copy the functions. */
extern const char in_inner[], in_middle[], in_outer[];

static volatile int sink;

static inline __attribute__((always_inline)) void inner(void)
{
	__asm__ volatile(".globl in_inner\nin_inner: nop");
	sink++;
}

static inline __attribute__((always_inline)) void middle(void)
{
	__asm__ volatile(".globl in_middle\nin_middle: nop");
	if (sink != 42) {
		int again = sink;

		inner();
		sink += again;
	}
}

_one_function_ void outer_function(void);
_one_function_ void outer_function(void)
{
	__asm__ volatile(".globl in_outer\nin_outer: nop");
	middle();
}

struct program {
	char *bytes;
	size_t len;
	Elf *elf;
};

static int find_base(struct dl_phdr_info *info, size_t size, void *arg)
{
	*(__u64 *)arg = info->dlpi_addr;
	return 1;
}

static __u64 vaddr_of(const char *mark)
{
	__u64 base = 0;

	dl_iterate_phdr(find_base, &base);
	return (__u64)(uintptr_t)mark - base;
}

static int setup(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct program *p = calloc(1, sizeof(*p));
	struct stat st;

	if (!p || fd < 0 || fstat(fd, &st) < 0)
		return -1;
	p->len = (size_t)st.st_size;
	p->bytes = malloc(p->len);
	if (!p->bytes || pread(fd, p->bytes, p->len, 0) != (ssize_t)p->len)
		return -1;
	close(fd);
	*state = p;
	outer_function();
	return rsp_elf_open_memory(p->bytes, p->len, &p->elf);
}

static int teardown(void **state)
{
	struct program *p = *state;

	rsp_elf_close(&p->elf);
	free(p->bytes);
	free(p);
	return 0;
}

/* "inner middle outer_function" */
static void put_chain(const struct rsp_inlines *in, __u32 scope, char *ret, size_t size)
{
	size_t len = 0;

	ret[0] = '\0';
	for (; scope && len < size; scope = rsp_inlines_at(in, scope)->outer)
		len += (size_t)snprintf(ret + len, size - len, "%s%s", len ? " " : "",
					rsp_inlines_at(in, scope)->name);
}

static struct rsp_inlines *open_or_skip(struct program *p)
{
	struct rsp_inlines_alt alt;
	struct rsp_inlines *in = NULL;
	int r = rsp_inlines_open(p->elf, &in, &alt);

	if (r == -ENODATA) {
		print_message("skipped: this test was built without -g\n");
		skip();
	}
	assert_int_equal(r, 0);
	assert_null(alt.name);
	return in;
}

static int compare_pcs(const void *pa, const void *pb)
{
	const struct rsp_inlines_pc *a = pa, *b = pb;

	return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

static void test_chains(void **state)
{
	struct rsp_inlines *in = open_or_skip(*state);
	struct rsp_inlines_pc pcs[] = {
		{vaddr_of(in_inner)},
		{vaddr_of(in_middle)},
		{vaddr_of(in_outer)},
		{8}, /* no code */
	};
	__u64 effort = EFFORT;
	char chain[200];

	qsort(pcs, 4, sizeof(pcs[0]), compare_pcs);
	assert_int_equal(rsp_inlines_find(in, pcs, 4, &effort), 0);
	assert_true(effort < EFFORT);
	for (size_t i = 0; i < 4; i++) {
		const char *want = pcs[i].vaddr == vaddr_of(in_inner)
					   ? "inner middle outer_function"
				   : pcs[i].vaddr == vaddr_of(in_middle) ? "middle outer_function"
				   : pcs[i].vaddr == vaddr_of(in_outer)	 ? "outer_function"
									 : "";

		put_chain(in, pcs[i].scope, chain, sizeof(chain));
		assert_string_equal(chain, want);
	}
	rsp_inlines_free(in);
}

static void test_effort(void **state)
{
	struct rsp_inlines *in = open_or_skip(*state);
	char chain[200];
	size_t found = 0;

	for (__u64 allowed = 0; allowed < EFFORT; allowed = allowed * 2 + 1) {
		struct rsp_inlines_pc pc = {vaddr_of(in_inner)};
		__u64 effort = allowed;

		assert_int_equal(rsp_inlines_find(in, &pc, 1, &effort), 0);
		assert_true(effort <= allowed);
		put_chain(in, pc.scope, chain, sizeof(chain));
		if (strcmp(chain, "inner middle outer_function") == 0)
			found++;
		else
			assert_int_equal(found, 0);
	}
	assert_true(found > 0);
	rsp_inlines_free(in);
}

static void poke(const char *bytes, size_t len)
{
	char *copy = malloc(len);
	struct rsp_inlines_pc pcs[64];
	struct rsp_inlines_alt alt;
	struct rsp_inlines *in = NULL;
	__u64 effort = 1 << 20;
	Elf *elf = NULL;
	size_t letters = 0;

	memcpy(copy, bytes, len);
	if (rsp_elf_open_memory(copy, len, &elf) == 0 && rsp_inlines_open(elf, &in, &alt) == 0 &&
	    !alt.name) {
		for (size_t i = 0; i < 64; i++)
			pcs[i] = (struct rsp_inlines_pc){vaddr_of(in_outer) + i};
		rsp_inlines_find(in, pcs, 64, &effort);
		for (size_t i = 0; i < 64; i++)
			for (__u32 at = pcs[i].scope; at; at = rsp_inlines_at(in, at)->outer)
				letters += strlen(rsp_inlines_at(in, at)->name ?: "");
	}
	assert_true(letters < len * 64 * 64);
	rsp_inlines_free(in);
	rsp_elf_close(&elf);
	free(copy);
}

static void test_damaged(void **state)
{
	static const char *const sections[] = {".debug_info",	".debug_abbrev", ".debug_rnglists",
					       ".debug_ranges", ".debug_str",	 ".debug_addr"};
	struct program *p = *state;
	__u32 random = 1;

	rsp_inlines_free(open_or_skip(p));
	for (size_t s = 0; s < sizeof(sections) / sizeof(sections[0]); s++) {
		GElf_Shdr shdr;

		if (!rsp_elf_section(p->elf, sections[s], 0, &shdr) || !shdr.sh_size)
			continue;
		for (int i = 0; i < 60; i++) {
			size_t at = shdr.sh_offset;
			char was;

			/*
			 * Half of the damage is in the first unit, because the search always reads
			 * this unit.
			 */
			random = random * 1103515245 + 12345;
			at += (random >> 8) %
			      (i % 2 ? shdr.sh_size : (shdr.sh_size < 512 ? shdr.sh_size : 512));
			was = p->bytes[at];
			p->bytes[at] = (char)(random >> 16);
			poke(p->bytes, p->len);
			p->bytes[at] = was;
		}
	}
}

static void test_no_dwarf(void **state)
{
	struct {
		Elf64_Ehdr ehdr;
	} file = {{.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			       EV_CURRENT},
		   .e_type = ET_EXEC,
		   .e_machine = EM_X86_64,
		   .e_version = EV_CURRENT,
		   .e_ehsize = sizeof(Elf64_Ehdr)}};
	struct rsp_inlines_alt alt;
	struct rsp_inlines *in = (void *)8;
	Elf *elf = NULL;

	assert_int_equal(rsp_elf_open_memory(&file, sizeof(file), &elf), 0);
	assert_int_equal(rsp_inlines_open(elf, &in, &alt), -ENODATA);
	assert_ptr_equal(in, (void *)8);
	rsp_elf_close(&elf);
}

/* The header of a compressed section may claim any size. */
static void test_too_large(void **state)
{
	enum { SCN_NULL, SCN_INFO, SCN_STRINGS, SCN_CNT };
	struct {
		Elf64_Ehdr ehdr;
		Elf64_Shdr shdrs[SCN_CNT];
		Elf64_Chdr chdr;
		char strings[16];
	} file = {.ehdr = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				       EV_CURRENT},
			   .e_type = ET_EXEC,
			   .e_machine = EM_X86_64,
			   .e_version = EV_CURRENT,
			   .e_shoff = offsetof(__typeof__(file), shdrs),
			   .e_ehsize = sizeof(Elf64_Ehdr),
			   .e_shentsize = sizeof(Elf64_Shdr),
			   .e_shnum = SCN_CNT,
			   .e_shstrndx = SCN_STRINGS},
		  .shdrs = {[SCN_INFO] = {.sh_name = 1,
					  .sh_type = SHT_PROGBITS,
					  .sh_flags = SHF_COMPRESSED,
					  .sh_offset = offsetof(__typeof__(file), chdr),
					  .sh_size = sizeof(Elf64_Chdr)},
			    [SCN_STRINGS] = {.sh_type = SHT_STRTAB,
					     .sh_offset = offsetof(__typeof__(file), strings),
					     .sh_size = sizeof(file.strings)}},
		  .chdr = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = RSP_INLINES_BYTES_MAX + 1},
		  .strings = "\0.debug_info"};
	struct rsp_inlines_alt alt;
	struct rsp_inlines *in = NULL;
	Elf *elf = NULL;

	assert_int_equal(rsp_elf_open_memory(&file, sizeof(file), &elf), 0);
	assert_int_equal(rsp_inlines_open(elf, &in, &alt), -EFBIG);
	rsp_elf_close(&elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chains),	  cmocka_unit_test(test_effort),
		cmocka_unit_test(test_damaged),	  cmocka_unit_test(test_no_dwarf),
		cmocka_unit_test(test_too_large),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
