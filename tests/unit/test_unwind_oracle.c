/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares unwind tables of this program, its libraries and the vDSO with elfutils. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/unwind/table.h"

enum { BX = 3, RDI = 5, FP = 6, SP = 7, RA = 16 };

/*
 * Distance between two compared addresses: a prime number, so that the addresses are at different
 * places within instructions.
 */
#define STEP 7

/* numbers of addresses at which both agree, for each kind of row, in all files */
static size_t agreed[RSP_CFA_BX + 1];

/* --- the results of elfutils ---------------------------------------------------------------- */

static bool is_breg(const Dwarf_Op *op, int reg, __s64 *ret)
{
	if (op->atom == DW_OP_bregx && op->number == (Dwarf_Word)reg) {
		*ret = (__s64)op->number2;
		return true;
	}
	*ret = (__s64)op->number;
	return op->atom == DW_OP_breg0 + reg;
}

static enum rsp_unwind_cfa cfa_of(Dwarf_Frame *frame, __s64 *ret_n)
{
	Dwarf_Op *ops;
	size_t cnt;

	if (dwarf_frame_cfa(frame, &ops, &cnt) != 0)
		return RSP_CFA_NONE;
	if (cnt == 1 && is_breg(ops, SP, ret_n))
		return RSP_CFA_SP;
	if (cnt == 1 && is_breg(ops, FP, ret_n))
		return RSP_CFA_FP;
	if (cnt == 1 && is_breg(ops, BX, ret_n))
		return RSP_CFA_BX;
	if (cnt == 2 && is_breg(ops, FP, ret_n) && ops[1].atom == DW_OP_deref)
		return RSP_CFA_FP_DEREF;
	if (cnt == 3 && is_breg(ops, SP, ret_n) && ops[1].atom == DW_OP_deref &&
	    ops[2].atom == DW_OP_plus_uconst && ops[2].number == 8)
		return RSP_CFA_SP_DEREF8;
	*ret_n = 0;
	if (cnt == 9 && is_breg(ops, SP, ret_n) && *ret_n == 8 && ops[4].atom == DW_OP_lit11) {
		*ret_n = 0;
		return RSP_CFA_PLT;
	}
	return RSP_CFA_NONE;
}

static bool at_cfa(const Dwarf_Op *ops, size_t cnt, __s64 *ret)
{
	if (!cnt || ops[0].atom != DW_OP_call_frame_cfa)
		return false;
	*ret = cnt == 2 ? (__s64)ops[1].number : 0;
	return cnt == 1 || (cnt == 2 && ops[1].atom == DW_OP_plus_uconst);
}

static enum rsp_unwind_cfa with_ra(Dwarf_Frame *frame, enum rsp_unwind_cfa cfa)
{
	Dwarf_Op mem[3], *ops;
	size_t cnt;
	__s64 n;

	if (dwarf_frame_register(frame, RA, mem, &ops, &cnt) != 0)
		return RSP_CFA_NONE;
	if (cnt == 0 && ops == mem)
		return RSP_CFA_OUTERMOST;
	if (cnt == 1 && (ops[0].atom == DW_OP_reg0 + RDI ||
			 (ops[0].atom == DW_OP_regx && ops[0].number == RDI)))
		return cfa == RSP_CFA_SP ? RSP_CFA_RA_RDI : RSP_CFA_NONE;
	return at_cfa(ops, cnt, &n) && n == -8 ? cfa : RSP_CFA_NONE;
}

static enum rsp_unwind_fp fp_of(Dwarf_Frame *frame, __s64 *ret_n)
{
	Dwarf_Op mem[3], *ops;
	size_t cnt;

	*ret_n = 0;
	if (dwarf_frame_register(frame, FP, mem, &ops, &cnt) != 0)
		return RSP_FP_UNDEFINED;
	if (cnt == 0)
		return ops == mem ? RSP_FP_UNDEFINED : RSP_FP_SAME;
	if (at_cfa(ops, cnt, ret_n))
		return *ret_n >= -1024 ? RSP_FP_CFA : RSP_FP_UNDEFINED;
	/* elfutils puts the CFA on the stack of a DWARF expression, which may ignore the CFA. */
	if (cnt == 2 && ops[0].atom == DW_OP_call_frame_cfa && is_breg(&ops[1], FP, ret_n))
		return RSP_FP_FP;
	return RSP_FP_UNDEFINED;
}

static enum rsp_unwind_bx bx_of(Dwarf_Frame *frame, enum rsp_unwind_fp fp, __s64 *fp_n)
{
	Dwarf_Op mem[3], *ops;
	size_t cnt;
	__s64 n;

	if (dwarf_frame_register(frame, BX, mem, &ops, &cnt) != 0)
		return RSP_BX_UNDEFINED;
	if (cnt == 0) /* elfutils returns this ("lost") for a register without a rule */
		return RSP_BX_SAME;
	if (!at_cfa(ops, cnt, &n))
		return RSP_BX_UNDEFINED;
	if (fp == RSP_FP_CFA)
		return n == *fp_n - 8 ? RSP_BX_BELOW_FP : RSP_BX_UNDEFINED;
	if (fp != RSP_FP_SAME || n < -1024)
		return RSP_BX_UNDEFINED;
	*fp_n = n;
	return RSP_BX_CFA;
}

static struct rsp_unwind_row expected(Dwarf_Frame *frame)
{
	enum rsp_unwind_cfa cfa;
	enum rsp_unwind_fp fp;
	enum rsp_unwind_bx bx;
	__s64 cfa_n = 0, fp_n;
	bool is_signal_frame;

	dwarf_frame_info(frame, NULL, NULL, &is_signal_frame);
	if (is_signal_frame)
		return (struct rsp_unwind_row){.rules = RSP_CFA_SIGNAL};
	cfa = with_ra(frame, cfa_of(frame, &cfa_n));
	if (cfa == RSP_CFA_NONE || cfa == RSP_CFA_OUTERMOST || cfa_n % 8 ||
	    cfa_n / 8 != (__s16)(cfa_n / 8))
		return (struct rsp_unwind_row){.rules = cfa == RSP_CFA_OUTERMOST ? cfa : 0};
	fp = fp_of(frame, &fp_n);
	if (fp == RSP_FP_UNDEFINED)
		fp_n = 0;
	bx = bx_of(frame, fp, &fp_n);
	return (struct rsp_unwind_row){.cfa = (__s16)(cfa_n / 8),
				       .fp = (__s8)(fp_n / 8),
				       .rules = RSP_UNWIND_RULES(cfa, fp, bx)};
}

/* --- comparing ------------------------------------------------------------------------------- */

static void compare_place(const char *name, Dwarf_CFI *cfi, __u64 vaddr,
			  const struct rsp_unwind_table *table, __u64 file_off)
{
	struct rsp_unwind_row row = {0}, want;
	Dwarf_Frame *frame = NULL;

	/* elfutils has no information about bytes between functions. */
	if (dwarf_cfi_addrframe(cfi, vaddr, &frame) != 0)
		return;
	want = expected(frame);
	free(frame);
	if (!rsp_unwind_find(table->blocks, table->len, file_off, &row))
		fail_msg("%s: nothing of %#llx", name, vaddr);
	want.pc = row.pc;
	if (memcmp(&row, &want, sizeof(row)) != 0)
		fail_msg("%s: at %#llx: %d %d %#x, elfutils: %d %d %#x", name, vaddr, row.cfa,
			 row.fp, row.rules, want.cfa, want.fp, want.rules);
	agreed[RSP_UNWIND_CFA(row.rules)]++;
}

static void compare(const char *name, Elf *elf, const struct rsp_unwind_table *table)
{
	Dwarf_CFI *cfi = dwarf_getcfi_elf(elf);
	size_t phdr_cnt;

	assert_non_null(cfi);
	assert_int_equal(elf_getphdrnum(elf, &phdr_cnt), 0);
	for (int i = 0; i < (int)phdr_cnt; i++) {
		GElf_Phdr phdr;

		assert_non_null(gelf_getphdr(elf, i, &phdr));
		if (phdr.p_type != PT_LOAD || !(phdr.p_flags & PF_X))
			continue;
		for (__u64 at = 0; at < phdr.p_filesz; at += STEP)
			compare_place(name, cfi, phdr.p_vaddr + at, table, phdr.p_offset + at);
	}
	dwarf_cfi_end(cfi);
}

static void compare_file(const char *path)
{
	struct rsp_unwind_table table;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	assert_true(fd >= 0);
	assert_int_equal(rsp_unwind_table_build(fd, &table), 0);
	assert_int_equal(rsp_unwind_table_check(table.blocks, table.len), 0);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	assert_non_null(elf);
	compare(path, elf, &table);
	elf_end(elf);
	rsp_unwind_table_done(&table);
	close(fd);
}

static int compare_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	/*
	 * dl_iterate_phdr() gives the program an empty name, and the vDSO a name that is not a
	 * path.
	 */
	if (!*info->dlpi_name)
		compare_file("/proc/self/exe");
	else if (*info->dlpi_name == '/')
		compare_file(info->dlpi_name);
	return 0;
}

static void test_files(void **state)
{
	elf_version(EV_CURRENT);
	memset(agreed, 0, sizeof(agreed));
	dl_iterate_phdr(compare_object, NULL);
	assert_true(agreed[RSP_CFA_SP] > 10000);
	assert_true(agreed[RSP_CFA_FP] > 100);
	assert_true(agreed[RSP_CFA_PLT] > 10);
	assert_true(agreed[RSP_CFA_SIGNAL] > 0);
	assert_true(agreed[RSP_CFA_OUTERMOST] > 0);
}

/* The section headers are at the end of the vDSO, so their position gives its length. */
static void test_vdso(void **state)
{
	const Elf64_Ehdr *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	struct rsp_unwind_table table;
	size_t len;
	Elf *elf;

	if (!vdso)
		skip();
	elf_version(EV_CURRENT);
	len = vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize;
	elf = elf_memory((char *)vdso, len);
	assert_non_null(elf);
	assert_int_equal(rsp_unwind_table_build_memory(vdso, len, &table), 0);
	memset(agreed, 0, sizeof(agreed));
	compare("vdso", elf, &table);
	assert_true(agreed[RSP_CFA_SP] + agreed[RSP_CFA_FP] > 100);
	rsp_unwind_table_done(&table);
	elf_end(elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_vdso),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
