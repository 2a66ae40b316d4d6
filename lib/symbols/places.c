/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See places.h. */
#include "lib/symbols/places.h"

#include <errno.h>
#include <stdint.h>

#include "lib/base/array.h"
#include "lib/symbols/binary.h"
#include "lib/symbols/demangle.h"
#include "lib/symbols/perfmap.h"
#include "lib/unwind/entries.h"

/* A place has one name per inlined function. Compilers inline some dozens deep. */
#define NAMES_MAX 64

/* Longer names are not real, and would make demanglers slow. */
#define NAME_LEN_MAX 16384

struct naming {
	struct rsp_binary binary;
	struct rsp_code_place *places;
	size_t cnt;
	struct rsp_code_names *names;
	struct rsp_inlines_pc *pcs; /* by address */
	size_t pc_cnt;
	struct rsp_idmap string_of; /* keys: addresses of names; values: numbers in strings */
};

void rsp_code_names_done(struct rsp_code_names *names)
{
	rsp_intern_done(&names->strings);
	free(names->list.v);
}

const char *rsp_code_place_name(const struct rsp_code_names *names,
				const struct rsp_code_place *place, size_t i)
{
	return rsp_intern_data(&names->strings, names->list.v[place->first_name + i]);
}

/* --- inlined functions ----------------------------------------------------------------------- */

static int compare_pcs(const void *pa, const void *pb)
{
	const struct rsp_inlines_pc *a = pa, *b = pb;

	return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

static int find_inlines(struct naming *n, __u64 *effort)
{
	n->pcs = calloc(n->cnt, sizeof(*n->pcs));
	if (!n->pcs)
		return -ENOMEM;
	for (size_t i = 0; i < n->cnt; i++)
		if (rsp_elf_code_vaddr(&n->binary.code, n->places[i].off, &n->pcs[n->pc_cnt].vaddr))
			n->pc_cnt++;
	if (!n->binary.inlines || !n->pc_cnt)
		return 0;
	qsort(n->pcs, n->pc_cnt, sizeof(*n->pcs), compare_pcs);
	return rsp_inlines_find(n->binary.inlines, n->pcs, n->pc_cnt, effort);
}

static __u32 scope_at(const struct naming *n, __u64 vaddr)
{
	const struct rsp_inlines_pc key = {.vaddr = vaddr}, *pc;

	pc = bsearch(&key, n->pcs, n->pc_cnt, sizeof(*n->pcs), compare_pcs);
	return pc ? pc->scope : 0;
}

/* --- names ----------------------------------------------------------------------------------- */

static int put_string(struct naming *n, const char *name, __u32 *ret)
{
	_cleanup_free_ char *plain = NULL;
	uint64_t known;
	int r;

	if (rsp_idmap_get(&n->string_of, (uintptr_t)name, &known)) {
		*ret = (__u32)known;
		return 0;
	}
	plain = rsp_demangle(name);
	r = rsp_intern_put(&n->names->strings, plain ? plain : name, strlen(plain ? plain : name),
			   ret);
	return r < 0 ? r : rsp_idmap_put(&n->string_of, (uintptr_t)name, *ret);
}

static int add_name(struct naming *n, struct rsp_code_place *place, const char *name)
{
	__u32 string, *slot;
	int r;

	if (!name || !*name || strnlen(name, NAME_LEN_MAX) == NAME_LEN_MAX ||
	    place->name_cnt == NAMES_MAX)
		return 0;
	r = put_string(n, name, &string);
	if (r < 0)
		return r;
	slot = rsp_array_add(&n->names->list);
	if (!slot)
		return -ENOMEM;
	*slot = string;
	place->name_cnt++;
	return 0;
}

/*
 * The function that contains the inlined functions gets the name of its symbol, because other tools
 * show this name, too.
 */
static int name_place(struct naming *n, struct rsp_code_place *place)
{
	const struct rsp_inlines_scope *scope = NULL;
	const char *symbol;
	__u64 vaddr;
	__u32 at;
	int r = 0;

	place->first_name = n->names->list.cnt;
	if (!rsp_elf_code_vaddr(&n->binary.code, place->off, &vaddr))
		return 0;
	for (at = scope_at(n, vaddr); at && r == 0; at = scope->outer) {
		scope = rsp_inlines_at(n->binary.inlines, at);
		if (scope->outer)
			r = add_name(n, place, scope->name);
	}
	symbol = rsp_elfsyms_lookup(n->binary.symbols, vaddr);
	if (!symbol && scope)
		symbol = scope->name;
	return r < 0 ? r : add_name(n, place, symbol);
}

static int name_from_copy(struct naming *n)
{
	int r = 0;

	for (size_t i = 0; i < n->cnt && r == 0; i++) {
		n->places[i].first_name = n->names->list.cnt;
		r = add_name(n, &n->places[i],
			     rsp_perfmap_lookup(n->binary.copy, n->places[i].off));
	}
	return r;
}

/* --- functions without a name ---------------------------------------------------------------- */

static __u64 function_at(const struct rsp_unwind_entries *entries, __u64 off)
{
	size_t lo = 0, hi = entries->fdes.cnt;

	/* At the end, lo is the index of the first entry after off. */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (entries->fdes.v[mid].start <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || off >= entries->fdes.v[lo - 1].end)
		return RSP_CODE_NO_FUNCTION;
	return entries->fdes.v[lo - 1].start;
}

static bool all_named(const struct naming *n)
{
	for (size_t i = 0; i < n->cnt; i++)
		if (!n->places[i].name_cnt)
			return false;
	return true;
}

static int find_functions(struct naming *n)
{
	struct rsp_unwind_entries entries;
	struct rsp_elf64_section section = {0};
	struct rsp_elf64 elf;
	int r;

	if (n->binary.own.fd < 0 || all_named(n))
		return 0;
	r = rsp_elf64_open(&elf, n->binary.own.fd);
	if (r == 0)
		r = rsp_elf64_eh_frame(&elf, &section);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	r = rsp_unwind_entries_read(&elf, &section, &entries);
	if (r == 0) {
		for (size_t i = 0; i < n->cnt; i++)
			n->places[i].function_off = function_at(&entries, n->places[i].off);
		rsp_unwind_entries_done(&entries);
	}
	free(section.data);
	return r == -ENOMEM ? r : 0;
}

/* --------------------------------------------------------------------------------------------- */

static int name_all(struct naming *n, __u64 *effort)
{
	int r;

	r = find_inlines(n, effort);
	for (size_t i = 0; i < n->cnt && r == 0; i++)
		r = name_place(n, &n->places[i]);
	return r < 0 ? r : find_functions(n);
}

int rsp_code_places_name(struct rsp_places_how *how, const struct rsp_ev_binary *const *binaries,
			 size_t binary_cnt, struct rsp_code_place *places, size_t cnt,
			 struct rsp_code_names *names)
{
	struct naming n = {.places = places, .cnt = cnt, .names = names};
	int r;

	for (size_t i = 0; i < cnt; i++) {
		places[i].name_cnt = 0;
		places[i].function_off = RSP_CODE_NO_FUNCTION;
	}
	r = rsp_binary_open(how, binaries, binary_cnt, &n.binary);
	if (r == 0 && n.binary.symbols)
		r = name_all(&n, &how->effort);
	else if (r == 0 && n.binary.copy)
		r = name_from_copy(&n);
	rsp_binary_done(&n.binary);
	free(n.pcs);
	rsp_idmap_done(&n.string_of);
	/* A file that needs too much memory must not prevent the naming of other files. */
	return r == -ENOMEM ? 0 : r;
}
