/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See gopclntab.h. */
#include "gopclntab.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

/* The largest known programs in Go have half of it. */
#define SECTION_BYTES_MAX (128U << 20)

/* Go's linker aligns it so, whatever it becomes a part of. */
#define SECTION_ALIGN 32

#define TEXT_VADDR_OFF 24 /* in the header */

#define MAGIC_118 0xfffffff0 /* Go 1.18 and 1.19 */
#define MAGIC_120 0xfffffff1 /* Go 1.20 and later: functions also tell their first line */

enum {
	FLAG_TOP_FRAME = 1 << 0, /* stacks end here */
	FLAG_SP_WRITE = 1 << 1,	 /* sets the stack pointer to what the depth does not tell */
};

struct pclntab {
	const struct rsp_elf64_section *section;
	__u32 magic;
	__u64 function_cnt;
	__u64 text_vaddr;
	/* Where in the section its parts begin. */
	__u64 name_off, depth_off, function_off;
};

struct function {
	__u32 text_off;
	__u32 name_off;
	__u32 depth_off;
	__u8 flags;
};

/* --- the runtime's own functions ----------------------------------------------------------------
 */

#define SAME  (RSP_FP_SAME << 4)
#define SAVED (RSP_FP_CFA << 4)

/*
 * Those that their flags do not tell, or tell wrong. Of the others, the flags say of
 *
 * mstart, rt0_go, goexit: that they are a thread's and a goroutine's first;
 * systemstack, asmcgocall, nanotime1: that they go to the thread's own stack, while the frame
 *	pointer remains the goroutine's, which does not run elsewhere meanwhile: so frame pointers
 *	lead back to it, and leave out only who called them, a function of the runtime;
 * cgocallback: that it goes from C's stack to the goroutine's: its frame pointer leads back to C;
 * gogo: that it goes to a goroutine's stack. It calls nobody, and sets stack and frame pointer one
 *	after the other.
 */
static const struct special {
	char name[32];
	enum rsp_unwind_fde_kind kind;
	__u8 rules;
} specials[] = {
	/*
	 * They go to the thread's own stack and never return: the goroutine that called them may
	 * run on another thread already, and on another stack. Since Go 1.21 they clear the frame
	 * pointer.
	 */
	{"runtime.mcall", RSP_FDE_FIXED, RSP_CFA_OUTERMOST},
	{"runtime.morestack", RSP_FDE_FIXED, RSP_CFA_OUTERMOST},
	/* Called by C, they save its registers somewhere, and leave the frame pointer as it is. */
	{"crosscall2", RSP_FDE_GO_DEPTH, SAME},
	{"runtime.sigtramp", RSP_FDE_GO_DEPTH, SAME},
	/* What the kernel has signal handlers return to: until Go 1.20, and since. */
	{"runtime.sigreturn", RSP_FDE_FIXED, RSP_CFA_SIGNAL},
	{"runtime.sigreturn__sigaction", RSP_FDE_FIXED, RSP_CFA_SIGNAL},
};

/* NULL: none of them. */
static const struct special *find_special(const struct pclntab *tab, __u32 name_off)
{
	const struct rsp_elf64_section *section = tab->section;
	__u64 off = tab->name_off + name_off;

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

/* --- functions ----------------------------------------------------------------------------------
 */

static struct rsp_bytes bytes_at(const struct pclntab *tab, __u64 off)
{
	const struct rsp_elf64_section *section = tab->section;
	struct rsp_bytes b = {section->data, section->data + section->len, false};

	rsp_bytes_take(&b, off);
	return b;
}

/* struct _func of runtime/runtime2.go. False: it is not in the section. */
static bool read_function(const struct pclntab *tab, __u64 off, struct function *ret)
{
	struct rsp_bytes b = bytes_at(tab, off);

	ret->text_off = (__u32)rsp_bytes_uint(&b, 4);
	ret->name_off = (__u32)rsp_bytes_uint(&b, 4);
	rsp_bytes_take(&b, 8); /* bytes of arguments, where deferred calls return to */
	ret->depth_off = (__u32)rsp_bytes_uint(&b, 4);
	rsp_bytes_take(&b, tab->magic == MAGIC_118 ? 16 : 20);
	rsp_bytes_take(&b, 1); /* what the runtime knows it by: a number that changes by release */
	ret->flags = (__u8)rsp_bytes_uint(&b, 1);
	return !b.bad;
}

/* Its fixed row; of what has none, the frame pointer tells. */
static __u8 fixed_rules(const struct function *function, const struct special *special)
{
	if (special)
		return special->rules;
	return function->flags & FLAG_TOP_FRAME ? RSP_CFA_OUTERMOST : RSP_CFA_NONE;
}

static void fill_entry(const struct pclntab *tab, const struct function *function,
		       struct rsp_unwind_fde *entry)
{
	const struct special *special = find_special(tab, function->name_off);
	__u64 off = tab->depth_off + function->depth_off;
	bool told = function->depth_off && off < tab->section->len;

	if (told && (special ? special->kind == RSP_FDE_GO_DEPTH
			     : !(function->flags & (FLAG_TOP_FRAME | FLAG_SP_WRITE)))) {
		entry->kind = RSP_FDE_GO_DEPTH;
		entry->rules = special ? special->rules : SAVED;
		entry->program_off = (__u32)off;
		entry->program_len = (__u32)(tab->section->len - off);
		return;
	}
	entry->kind = RSP_FDE_FIXED;
	entry->rules = fixed_rules(function, special);
}

/* len: to the next function. */
static int add_function(const struct rsp_elf64 *elf, const struct pclntab *tab,
			const struct function *function, __u32 len,
			struct rsp_unwind_entries *entries)
{
	__u64 vaddr = tab->text_vaddr + function->text_off;
	struct rsp_unwind_fde fde = {0}, *new;

	fill_entry(tab, function, &fde);
	/* The kernel has handlers return to its start: who looks for the call looks before it. */
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

/* In the order of their code, each with where it begins and where it is told of; then the end. */
static int add_functions(const struct rsp_elf64 *elf, const struct pclntab *tab,
			 struct rsp_unwind_entries *entries)
{
	struct rsp_bytes b = bytes_at(tab, tab->function_off);
	__u32 start = (__u32)rsp_bytes_uint(&b, 4);
	int r = 0;

	for (__u64 i = 0; i < tab->function_cnt && r == 0; i++) {
		__u32 off = (__u32)rsp_bytes_uint(&b, 4);
		__u32 end = (__u32)rsp_bytes_uint(&b, 4);
		struct function function;

		if (b.bad)
			return -EBADMSG;
		if (end > start && read_function(tab, tab->function_off + off, &function) &&
		    function.text_off == start)
			r = add_function(elf, tab, &function, end - start, entries);
		start = end;
	}
	return r;
}

/* --- the section --------------------------------------------------------------------------------
 */

/* struct pcHeader of runtime/symtab.go. */
static int read_header(struct pclntab *tab)
{
	struct rsp_bytes b = bytes_at(tab, 0);
	__u8 unit, address_bytes;

	tab->magic = (__u32)rsp_bytes_uint(&b, 4);
	rsp_bytes_take(&b, 2);
	unit = (__u8)rsp_bytes_uint(&b, 1); /* of code */
	address_bytes = (__u8)rsp_bytes_uint(&b, 1);
	tab->function_cnt = rsp_bytes_uint(&b, 8);
	rsp_bytes_take(&b, 8); /* files */
	tab->text_vaddr = rsp_bytes_uint(&b, 8);
	tab->name_off = rsp_bytes_uint(&b, 8);
	rsp_bytes_take(&b, 16); /* where compilation units and files begin */
	tab->depth_off = rsp_bytes_uint(&b, 8);
	tab->function_off = rsp_bytes_uint(&b, 8);
	if (tab->magic != MAGIC_118 && tab->magic != MAGIC_120)
		return -ENODATA;
	if (b.bad || unit != 1 || address_bytes != 8 || tab->name_off > tab->section->len ||
	    tab->depth_off > tab->section->len || tab->function_off > tab->section->len)
		return -EBADMSG;
	return 0;
}

static void free_section(struct rsp_elf64_section *section)
{
	free(section->data);
}

/*
 * In a position-independent program the dynamic linker writes the address of the text: the header
 * has 0, and a relocation tells what to add to where the program is loaded.
 */
static int relocated_text(const struct rsp_elf64 *elf, const char *name, __u64 at, __u64 *ret_vaddr)
{
	_cleanup_(free_section) struct rsp_elf64_section section = {0};
	Elf64_Rela rela;
	int r = rsp_elf64_section(elf, name, SECTION_BYTES_MAX, &section);

	if (r < 0)
		return r;
	for (size_t off = 0; section.len - off >= sizeof(rela); off += sizeof(rela)) {
		memcpy(&rela, section.data + off, sizeof(rela));
		if (rela.r_offset == at && ELF64_R_TYPE(rela.r_info) == R_X86_64_RELATIVE) {
			*ret_vaddr = (__u64)rela.r_addend;
			return 0;
		}
	}
	return -ENODATA;
}

/* Go's linker calls the relocations otherwise than others do. */
static int find_text(const struct rsp_elf64 *elf, struct pclntab *tab)
{
	__u64 at = tab->section->vaddr + TEXT_VADDR_OFF;
	int r;

	if (tab->text_vaddr)
		return 0;
	r = relocated_text(elf, ".rela", at, &tab->text_vaddr);
	return r == -ENODATA ? relocated_text(elf, ".rela.dyn", at, &tab->text_vaddr) : r;
}

/* Drops what lies before the header in a section of other things. */
static int trim(struct rsp_elf64_section *section)
{
	struct pclntab tab = {.section = section};

	for (size_t off = 0; off < section->len; off += SECTION_ALIGN) {
		struct rsp_elf64_section rest = {section->data + off, section->len - off,
						 section->vaddr + off};

		tab.section = &rest;
		if (read_header(&tab) < 0)
			continue;
		memmove(section->data, rest.data, rest.len);
		section->len = rest.len;
		section->vaddr = rest.vaddr;
		return 0;
	}
	return -ENODATA;
}

/* Under its name, or as Go's linker or another calls it that makes a position-independent program.
 */
static int find_section(const struct rsp_elf64 *elf, struct rsp_elf64_section *ret)
{
	_cleanup_(free_section) struct rsp_elf64_section info = {0};
	int r = rsp_elf64_section(elf, ".gopclntab", SECTION_BYTES_MAX, ret);

	if (r == -ENODATA)
		r = rsp_elf64_section(elf, ".data.rel.ro.gopclntab", SECTION_BYTES_MAX, ret);
	if (r != -ENODATA)
		return r;
	/* Every program in Go has it: do not search in others. */
	r = rsp_elf64_section(elf, ".go.buildinfo", SECTION_BYTES_MAX, &info);
	if (r == 0)
		r = rsp_elf64_section(elf, ".data.rel.ro", SECTION_BYTES_MAX, ret);
	return r == 0 ? trim(ret) : r;
}

int rsp_gopclntab_read(const struct rsp_elf64 *elf, struct rsp_elf64_section *ret,
		       struct rsp_unwind_entries *entries)
{
	_cleanup_(free_section) struct rsp_elf64_section section = {0};
	struct pclntab tab = {.section = &section};
	size_t cnt = entries->fdes.cnt;
	int r;

	r = find_section(elf, &section);
	if (r == 0)
		r = read_header(&tab);
	if (r == 0)
		r = find_text(elf, &tab);
	if (r == 0)
		r = add_functions(elf, &tab, entries);
	if (r < 0) {
		entries->fdes.cnt = cnt;
		return r;
	}
	*ret = section;
	section.data = NULL;
	return 0;
}

/* --- depth --------------------------------------------------------------------------------------
 */

/* step() of runtime/symtab.go: pairs of how the value changes and for how many bytes it holds. */
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
