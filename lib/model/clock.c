/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See clock.h. */
#include "clock.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/sort.h"

void rsp_clock_done(struct rsp_clock *c)
{
	free(c->v);
	*c = (struct rsp_clock){0};
}

int rsp_clock_add(struct rsp_clock *c, const struct rsp_clock_piece *piece)
{
	struct rsp_clock_piece *last = c->cnt ? &c->v[c->cnt - 1] : NULL;

	if (c->root_cnt <= piece->root)
		c->root_cnt = piece->root + 1;
	if (last && last->chain == piece->chain && last->root == piece->root &&
	    last->to_ns == piece->from_ns) {
		last->to_ns = piece->to_ns;
		return 0;
	}
	last = rsp_array_add(c);
	if (!last)
		return -ENOMEM;
	*last = *piece;
	return 0;
}

static int compare(const void *pa, const void *pb)
{
	const struct rsp_clock_piece *a = pa, *b = pb;

	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return a->root < b->root ? -1 : a->root > b->root;
}

int rsp_clock_settle(struct rsp_clock *c, const __u32 *chain_of_node)
{
	for (size_t i = 0; i < c->cnt; i++)
		c->v[i].chain = chain_of_node[c->v[i].chain];
	return rsp_sort(c->v, c->cnt, sizeof(*c->v), compare);
}

int rsp_clock_measure(const struct rsp_clock *c, const bool *chains, struct rsp_clock_sum *ret)
{
	_cleanup_free_ bool *seen = calloc(c->root_cnt + 1, sizeof(*seen));
	struct rsp_clock_sum sum = {0};
	__u64 until_ns = 0;

	if (!seen)
		return -ENOMEM;
	for (size_t i = 0; i < c->cnt; i++) {
		const struct rsp_clock_piece *piece = &c->v[i];

		if (chains && !chains[piece->chain])
			continue;
		sum.thread_cnt += !seen[piece->root];
		seen[piece->root] = true;
		if (piece->root == c->main_root)
			sum.main_ns += piece->to_ns - piece->from_ns;
		if (piece->to_ns <= until_ns)
			continue;
		sum.ns += piece->to_ns - (piece->from_ns > until_ns ? piece->from_ns : until_ns);
		until_ns = piece->to_ns;
	}
	*ret = sum;
	return 0;
}
