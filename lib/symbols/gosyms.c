/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See gosyms.h. */
#include "lib/symbols/gosyms.h"

#include <errno.h>

#include "lib/unwind/gotable.h"

/* The largest known programs have half as many functions. */
#define FUNCTIONS_MAX (1 << 21)

static int add_names(struct rsp_elfsyms *e, const struct rsp_gotable *tab, size_t *ret_base)
{
	return rsp_elfsyms_add_names(e, tab->section.data + tab->name_off,
				     tab->name_end - tab->name_off, ret_base);
}

/* Returns -errno if the table is damaged or too large. */
static int count_functions(const struct rsp_gotable *tab)
{
	struct rsp_go_function function;
	struct rsp_gotable_walk walk;
	int cnt = 0, r;

	rsp_gotable_begin(tab, &walk);
	while ((r = rsp_gotable_next(&walk, &function)) > 0)
		if (++cnt > FUNCTIONS_MAX)
			return -E2BIG;
	return r < 0 ? r : cnt;
}

static int add_functions(struct rsp_elfsyms *e, const struct rsp_gotable *tab, size_t name_base)
{
	struct rsp_go_function function;
	struct rsp_gotable_walk walk;
	int r = 0;

	rsp_gotable_begin(tab, &walk);
	while (r == 0 && rsp_gotable_next(&walk, &function) > 0)
		if (function.name_off < tab->name_end)
			r = rsp_elfsyms_add_function(e, function.vaddr,
						     function.vaddr + function.len,
						     name_base + function.name_off - tab->name_off);
	return r;
}

int rsp_gosyms_add(struct rsp_elfsyms *e, const struct rsp_elf64 *elf)
{
	_cleanup_(rsp_gotable_done) struct rsp_gotable tab = {0};
	size_t base;
	int r, cnt;

	r = rsp_gotable_open(elf, &tab);
	if (r < 0)
		return r == -ENODATA ? 0 : r;
	cnt = count_functions(&tab);
	if (cnt <= 0)
		return cnt;
	r = add_names(e, &tab, &base);
	if (r == 0)
		r = add_functions(e, &tab, base);
	return r < 0 ? r : cnt;
}
