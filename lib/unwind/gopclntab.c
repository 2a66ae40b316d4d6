/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See gopclntab.h. */
#include "lib/unwind/gopclntab.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/unwind/gotable.h"

/* --- the runtime's own functions -------------------------------------------------------------- */

#define SAME  (RSP_FP_SAME << 4)
#define SAVED (RSP_FP_CFA << 4)

/*
 * The special functions whose flags in the section are missing or wrong. These special functions
 * need no entry here, because their flags are right:
 *
 * - mstart, rt0_go, goexit: they are the first function of a thread or goroutine.
 * - systemstack, asmcgocall, nanotime1: they switch to the thread's own stack and keep the frame
 *   pointer of the goroutine, which runs on no other thread in this time. So frame pointers lead
 *   back to the goroutine, and skip only the caller, which is a function of the runtime.
 * - cgocallback: it switches from C's stack to the goroutine's stack. Its frame pointer leads back
 *   to C.
 * - gogo: it switches to a goroutine's stack. It calls no function, and sets the stack pointer and
 *   the frame pointer one after the other.
 */
static const struct special {
	char name[32];
	enum rsp_unwind_fde_kind kind;
	__u8 rules;
} specials[] = {
	/*
	 * These functions switch to the thread's own stack and never return: the goroutine that
	 * called them may already run on another thread, and on another stack. Since Go 1.21, they
	 * clear the frame pointer.
	 */
	{"runtime.mcall", RSP_FDE_FIXED, RSP_CFA_OUTERMOST},
	{"runtime.morestack", RSP_FDE_FIXED, RSP_CFA_OUTERMOST},
	/* C code calls these functions. They do not change the frame pointer. */
	{"crosscall2", RSP_FDE_GO_DEPTH, SAME},
	{"runtime.sigtramp", RSP_FDE_GO_DEPTH, SAME},
	/*
	 * The kernel makes signal handlers return to sigreturn until Go 1.20, and to
	 * sigreturn__sigaction since then.
	 */
	{"runtime.sigreturn", RSP_FDE_FIXED, RSP_CFA_SIGNAL},
	{"runtime.sigreturn__sigaction", RSP_FDE_FIXED, RSP_CFA_SIGNAL},
};

static const struct special *find_special(const struct rsp_gotable *tab, __u64 off)
{
	const struct rsp_elf64_section *section = &tab->section;

	if (off >= section->len)
		return NULL;
	for (size_t i = 0; i < sizeof(specials) / sizeof(*specials); i++) {
		size_t len = strlen(specials[i].name) + 1;

		if (len <= section->len - off &&
		    memcmp(section->data + off, specials[i].name, len) == 0)
			return &specials[i];
	}
	return NULL;
}

/* --- functions -------------------------------------------------------------------------------- */

/* A function without special rules has RSP_CFA_NONE, so frame pointers are used. */
static __u8 fixed_rules(const struct rsp_go_function *function, const struct special *special)
{
	if (special)
		return special->rules;
	return function->flags & RSP_GO_TOP_FRAME ? RSP_CFA_OUTERMOST : RSP_CFA_NONE;
}

static void fill_entry(const struct rsp_gotable *tab, const struct rsp_go_function *function,
		       struct rsp_unwind_fde *entry)
{
	const struct special *special = find_special(tab, function->name_off);
	__u64 off = tab->depth_off + function->depth_off;
	bool has_depth = function->depth_off && off < tab->section.len;

	if (has_depth && (special ? special->kind == RSP_FDE_GO_DEPTH
				  : !(function->flags & (RSP_GO_TOP_FRAME | RSP_GO_SP_WRITE)))) {
		entry->kind = RSP_FDE_GO_DEPTH;
		entry->rules = special ? special->rules : SAVED;
		entry->program_off = (__u32)off;
		entry->program_len = (__u32)(tab->section.len - off);
		return;
	}
	entry->kind = RSP_FDE_FIXED;
	entry->rules = fixed_rules(function, special);
}

static int add_function(const struct rsp_elf64 *elf, const struct rsp_gotable *tab,
			const struct rsp_go_function *function, struct rsp_unwind_entries *entries)
{
	__u64 vaddr = function->vaddr, len = function->len;
	struct rsp_unwind_fde fde = {0}, *new;

	fill_entry(tab, function, &fde);
	/*
	 * The kernel makes signal handlers return to the start of this function. Unwinders look up
	 * the byte before a return address.
	 */
	if (fde.kind == RSP_FDE_FIXED && fde.rules == RSP_CFA_SIGNAL) {
		vaddr--;
		len++;
	}
	if (!rsp_elf64_find_code(elf, vaddr, len, &fde.start, &fde.end))
		return 0;
	new = rsp_array_add(&entries->fdes);
	if (!new)
		return -ENOMEM;
	*new = fde;
	return 0;
}

static int add_functions(const struct rsp_elf64 *elf, const struct rsp_gotable *tab,
			 struct rsp_unwind_entries *entries)
{
	struct rsp_go_function function;
	struct rsp_gotable_walk walk;
	int r;

	/* The flags of functions in these versions are not sufficient. */
	if (tab->version == RSP_GO_116)
		return -ENODATA;
	rsp_gotable_begin(tab, &walk);
	while ((r = rsp_gotable_next(&walk, &function)) > 0) {
		r = add_function(elf, tab, &function, entries);
		if (r < 0)
			return r;
	}
	return r;
}

int rsp_gopclntab_read(const struct rsp_elf64 *elf, struct rsp_elf64_section *ret,
		       struct rsp_unwind_entries *entries)
{
	_cleanup_(rsp_gotable_done) struct rsp_gotable tab = {0};
	size_t cnt = entries->fdes.cnt;
	int r;

	r = rsp_gotable_open(elf, &tab);
	if (r == 0)
		r = add_functions(elf, &tab, entries);
	if (r < 0) {
		entries->fdes.cnt = cnt;
		return r;
	}
	*ret = tab.section;
	tab.section.data = NULL;
	return 0;
}

/* --- depth ------------------------------------------------------------------------------------ */

/*
 * Works like step() in runtime/symtab.go. The program consists of pairs of numbers: the change of
 * the depth, and the number of bytes of code for which the new depth is valid.
 */
bool rsp_go_depth_step(struct rsp_go_depth *depth, __u64 *ret_bytes)
{
	__u64 change = rsp_bytes_uleb(&depth->program), bytes;

	if (!change && depth->begun)
		return false;
	bytes = rsp_bytes_uleb(&depth->program);
	if (depth->program.bad || !bytes || change > UINT32_MAX)
		return false;
	depth->begun = true;
	depth->now += change & 1 ? ~(__s64)(change >> 1) : (__s64)(change >> 1);
	*ret_bytes = bytes;
	return true;
}
