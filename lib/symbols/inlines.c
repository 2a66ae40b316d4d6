/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See inlines.h. Walks through the DWARF entries of each compilation unit that contains any of the
 * addresses. Enters only entries that may contain one of them.
 */
#include "lib/symbols/inlines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/symbols/elf.h"

/* Compilers nest inlined functions and blocks some dozens deep. */
#define DEPTH_MAX 256

/* The effort of one step, in addition to the bytes that it reads. */
#define STEP_BYTES 16

#define STRINGS_MAX 3

struct rsp_inlines {
	Dwarf *dwarf;
	const Elf_Data *strings[STRINGS_MAX]; /* sections that contain names; NULL: missing */
	struct {
		struct rsp_inlines_scope *v; /* v[0] is unused */
		size_t cnt, cap;
	} scopes;
};

struct walk {
	struct rsp_inlines *in;
	struct rsp_inlines_pc *pcs;
	__u64 *effort;
};

/* The addresses at the indices first to behind - 1. */
struct span {
	size_t first, behind;
};

/* --- opening --------------------------------------------------------------------------------- */

static __u64 debug_bytes(Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t strings;
	__u64 sum = 0;

	if (elf_getshdrstrndx(elf, &strings) < 0)
		return 0;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr shdr;
		GElf_Chdr chdr;
		const char *name;
		__u64 bytes;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, strings, shdr.sh_name);
		if (!name ||
		    (strncmp(name, ".debug_", 7) != 0 && strncmp(name, ".zdebug_", 8) != 0))
			continue;
		bytes = shdr.sh_size;
		if (shdr.sh_flags & SHF_COMPRESSED && gelf_getchdr(scn, &chdr))
			bytes = chdr.ch_size;
		sum = bytes > UINT64_MAX - sum ? UINT64_MAX : sum + bytes;
	}
	return sum;
}

static void find_strings(Elf *elf, const Elf_Data *ret[STRINGS_MAX])
{
	static const char *const names[STRINGS_MAX] = {".debug_info", ".debug_str",
						       ".debug_line_str"};

	for (size_t i = 0; i < STRINGS_MAX; i++) {
		GElf_Shdr shdr;
		Elf_Scn *scn = rsp_elf_section(elf, names[i], 0, &shdr);

		ret[i] = scn && shdr.sh_type != SHT_NOBITS ? elf_rawdata(scn, NULL) : NULL;
	}
}

static int open_dwarf(Elf *elf, Dwarf **ret, const Elf_Data **ret_strings)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = rsp_elf_section(elf, ".debug_info", 0, &shdr);
	Dwarf *dwarf;

	/*
	 * Only libdw could find the decompressed size of DWARF in the old compressed form
	 * (.zdebug_info), so such a file counts as a file without DWARF.
	 */
	if (!scn || shdr.sh_type == SHT_NOBITS)
		return -ENODATA;
	if (debug_bytes(elf) > RSP_INLINES_BYTES_MAX)
		return -EFBIG;
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!dwarf)
		return -EBADMSG;
	*ret = dwarf;
	find_strings(elf, ret_strings);
	return 0;
}

int rsp_inlines_open(Elf *elf, struct rsp_inlines **ret, struct rsp_inlines_alt *ret_alt)
{
	struct rsp_inlines *in = calloc(1, sizeof(*in));
	struct rsp_inlines_alt alt = {0};
	ssize_t len;
	int r;

	if (!in)
		return -ENOMEM;
	r = rsp_array_add(&in->scopes) ? open_dwarf(elf, &in->dwarf, in->strings) : -ENOMEM;
	if (r == 0) {
		len = dwelf_dwarf_gnu_debugaltlink(in->dwarf, &alt.name, &alt.build_id);
		alt.build_id_len = len > 0 ? (size_t)len : 0;
		r = len < 0 ? -EBADMSG : 0;
	}
	if (r < 0) {
		rsp_inlines_free(in);
		return r;
	}
	if (!alt.build_id_len)
		alt.name = NULL;
	*ret = in;
	*ret_alt = alt;
	return 0;
}

struct rsp_inlines *rsp_inlines_free(struct rsp_inlines *in)
{
	if (!in)
		return NULL;
	dwarf_end(in->dwarf);
	free(in->scopes.v);
	free(in);
	return NULL;
}

void rsp_inlines_set_alt(struct rsp_inlines *in, const struct rsp_inlines *alt)
{
	dwarf_setalt(in->dwarf, alt->dwarf);
}

/* --- attributes of entries ------------------------------------------------------------------- */

/* Returns false if the effort is used up. */
static bool spend(struct walk *w, __u64 bytes)
{
	if (*w->effort < bytes) {
		*w->effort = 0;
		return false;
	}
	*w->effort -= bytes;
	return true;
}

/* libdw does not check that every string ends with a NUL. */
static bool ends(const struct rsp_inlines *in, const char *s)
{
	for (size_t i = 0; i < STRINGS_MAX; i++) {
		const Elf_Data *data = in->strings[i];
		size_t off = data ? (size_t)((uintptr_t)s - (uintptr_t)data->d_buf) : 0;

		if (data && off < data->d_size)
			return memchr(s, '\0', data->d_size - off);
	}
	return true;
}

static const char *string_of(const struct rsp_inlines *in, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	const char *s = dwarf_attr_integrate(die, name, &attr) ? dwarf_formstring(&attr) : NULL;

	return s && ends(in, s) ? s : NULL;
}

/* The mangled name is preferred, because it also contains the class and the namespace. */
static const char *name_of(const struct rsp_inlines *in, Dwarf_Die *die)
{
	static const unsigned int names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name,
					     DW_AT_name};
	const char *name = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !name; i++)
		name = string_of(in, die, names[i]);
	return name;
}

/* Returns the index of the first address in span that is at or after vaddr. */
static size_t first_from(const struct walk *w, struct span span, __u64 vaddr)
{
	while (span.first < span.behind) {
		size_t mid = span.first + (span.behind - span.first) / 2;

		if (w->pcs[mid].vaddr < vaddr)
			span.first = mid + 1;
		else
			span.behind = mid;
	}
	return span.first;
}

/*
 * Sets *ret to the span from the first to the last address that the entry contains; some addresses
 * in between may not be in the entry. If scope is not 0, assigns scope to each address in the
 * entry. Returns false if the entry contains no address.
 */
static bool claim(struct walk *w, Dwarf_Die *die, struct span span, __u32 scope, struct span *ret)
{
	struct span hull = {span.behind, span.first};
	Dwarf_Addr base, start, end;
	ptrdiff_t pos = 0;

	while (spend(w, STEP_BYTES) && (pos = dwarf_ranges(die, pos, &base, &start, &end)) > 0) {
		size_t first = first_from(w, span, start), behind = first_from(w, span, end);

		if (first >= behind)
			continue;
		for (size_t i = first; i < behind && scope; i++)
			w->pcs[i].scope = scope;
		hull.first = first < hull.first ? first : hull.first;
		hull.behind = behind > hull.behind ? behind : hull.behind;
	}
	*ret = hull;
	return hull.first < hull.behind;
}

/* --- the walk -------------------------------------------------------------------------------- */

static int walk_children(struct walk *w, Dwarf_Die *parent, struct span span, __u32 outer,
			 unsigned int depth);

static int visit_function(struct walk *w, Dwarf_Die *die, struct span span, __u32 outer,
			  unsigned int depth)
{
	__u32 scope = (__u32)w->in->scopes.cnt;
	struct rsp_inlines_scope *slot;

	if (scope == UINT32_MAX || !claim(w, die, span, scope, &span))
		return 0;
	slot = rsp_array_add(&w->in->scopes);
	if (!slot)
		return -ENOMEM;
	*slot = (struct rsp_inlines_scope){name_of(w->in, die), outer};
	return walk_children(w, die, span, scope, depth);
}

static int visit_block(struct walk *w, Dwarf_Die *die, struct span span, __u32 outer,
		       unsigned int depth)
{
	if (!claim(w, die, span, 0, &span))
		return 0;
	return walk_children(w, die, span, outer, depth);
}

static int visit(struct walk *w, Dwarf_Die *die, struct span span, __u32 outer, unsigned int depth)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		return visit_function(w, die, span, 0, depth);
	case DW_TAG_inlined_subroutine:
		return visit_function(w, die, span, outer, depth);
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		return visit_block(w, die, span, outer, depth);
	/* Rust and C++ define functions within these entries. */
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return walk_children(w, die, span, outer, depth);
	}
	return 0;
}

/*
 * If no attribute contains the position of the sibling, libdw reads all entries up to it, which
 * costs more effort. Returns false if there is no sibling, or if the effort is used up.
 */
static bool next_sibling(struct walk *w, Dwarf_Die *die)
{
	bool known = dwarf_hasattr(die, DW_AT_sibling);
	Dwarf_Off before = dwarf_dieoffset(die);

	if (dwarf_siblingof(die, die) != 0)
		return false;
	return spend(w, known ? STEP_BYTES : dwarf_dieoffset(die) - before);
}

static int walk_children(struct walk *w, Dwarf_Die *parent, struct span span, __u32 outer,
			 unsigned int depth)
{
	Dwarf_Die die;
	int r;

	if (depth == DEPTH_MAX || !spend(w, STEP_BYTES) || dwarf_child(parent, &die) != 0)
		return 0;
	do {
		r = visit(w, &die, span, outer, depth + 1);
		if (r < 0)
			return r;
	} while (next_sibling(w, &die));
	return 0;
}

int rsp_inlines_find(struct rsp_inlines *in, struct rsp_inlines_pc *pcs, size_t cnt, __u64 *effort)
{
	struct walk w = {in, pcs, effort};
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	struct span span;
	int r = 0;

	while (r == 0 && spend(&w, STEP_BYTES) &&
	       dwarf_get_units(in->dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0)
		if (claim(&w, &die, (struct span){0, cnt}, 0, &span))
			r = walk_children(&w, &die, span, 0, 0);
	return r;
}

const struct rsp_inlines_scope *rsp_inlines_at(const struct rsp_inlines *in, __u32 scope)
{
	return &in->scopes.v[scope];
}
