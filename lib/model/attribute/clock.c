/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See clock.h. */
#include "lib/model/attribute/clock.h"

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

int rsp_clock_finish(struct rsp_clock *c, const __u32 *chain_of_node)
{
	for (size_t i = 0; i < c->cnt; i++)
		c->v[i].chain = chain_of_node[c->v[i].chain];
	return rsp_sort(c->v, c->cnt, sizeof(*c->v), compare);
}

/* A thread counts only if its time is at least 1 / PART_DIVISOR of the longest time. */
#define PART_DIVISOR 10

static unsigned int count_threads(const __u64 *spent_ns, size_t root_cnt)
{
	unsigned int cnt = 0;
	__u64 most_ns = 0;

	for (size_t i = 0; i < root_cnt; i++)
		most_ns = spent_ns[i] > most_ns ? spent_ns[i] : most_ns;
	for (size_t i = 0; i < root_cnt; i++)
		cnt += spent_ns[i] > 0 && spent_ns[i] >= most_ns / PART_DIVISOR;
	return cnt;
}

int rsp_clock_measure(const struct rsp_clock *c, const bool *chains, struct rsp_clock_sum *ret)
{
	_cleanup_free_ __u64 *spent_ns = calloc(c->root_cnt + 1, sizeof(*spent_ns));
	struct rsp_clock_sum sum = {0};
	__u64 until_ns = 0;

	if (!spent_ns)
		return -ENOMEM;
	for (size_t i = 0; i < c->cnt; i++) {
		const struct rsp_clock_piece *piece = &c->v[i];

		if (chains && !chains[piece->chain])
			continue;
		spent_ns[piece->root] += piece->to_ns - piece->from_ns;
		if (piece->root == c->main_root)
			sum.main_ns += piece->to_ns - piece->from_ns;
		if (piece->to_ns <= until_ns)
			continue;
		sum.ns += piece->to_ns - (piece->from_ns > until_ns ? piece->from_ns : until_ns);
		until_ns = piece->to_ns;
	}
	sum.thread_cnt = count_threads(spent_ns, c->root_cnt);
	*ret = sum;
	return 0;
}

void rsp_clock_add_main(const struct rsp_clock *c, __u64 *ns_of_chain)
{
	for (size_t i = 0; i < c->cnt; i++)
		if (c->v[i].root == c->main_root)
			ns_of_chain[c->v[i].chain] += c->v[i].to_ns - c->v[i].from_ns;
}
