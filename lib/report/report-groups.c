/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report-groups.h. */
#include "lib/report/report-groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/report-frames.h"
#include "lib/report/report-samples.h"

/* If less than a tenth of a group's time has samples, the samples are not representative. */
#define SAMPLED_MIN_DIVISOR 10

struct member {
	const struct rsp_chain *chain;
	/* function in which the last hop ran, or its module if it has no name; NULL: not sampled */
	const char *symbol;
};

/* Running with and without samples is the same kind. */
static int kind_of(const struct rsp_hop *hop)
{
	if (hop->kind == RSP_HOP_BLOCKED)
		return -1;
	return hop->category == RSP_CAT_RUNNING_UNSAMPLED ? RSP_CAT_RUNNING_SAMPLED
							  : (int)hop->category;
}

static int compare_hops(const struct rsp_hop *a, const struct rsp_hop *b)
{
	int order = kind_of(a) - kind_of(b);

	order = order ? order : strcmp(a->comm, b->comm);
	order = order ? order : strcmp(a->container, b->container);
	order = order ? order : (int)a->why - (int)b->why;
	order = order ? order : (int)(a->flags & RSP_HOP_POLLS) - (int)(b->flags & RSP_HOP_POLLS);
	if (order || kind_of(a) == RSP_CAT_RUNNING_SAMPLED)
		return order;
	order = strcmp(a->syscall, b->syscall);
	order = order ? order : strcmp(a->object, b->object);
	return order ? order : strcmp(a->behind, b->behind);
}

static int compare_chains(const struct rsp_chain *a, const struct rsp_chain *b)
{
	int order = (a->hop_cnt > b->hop_cnt) - (a->hop_cnt < b->hop_cnt);

	for (size_t i = 0; i < a->hop_cnt && order == 0; i++)
		order = compare_hops(&a->hops[i], &b->hops[i]);
	return order;
}

/*
 * The first chain of a group is its heaviest one, because the chains of a group keep the order of
 * the explanation.
 */
static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = compare_chains(x->chain, y->chain);

	return order ? order : (x->chain > y->chain) - (x->chain < y->chain);
}

static int compare_symbols(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (!x->symbol || !y->symbol)
		return !x->symbol - !y->symbol;
	return strcmp(x->symbol, y->symbol);
}

static int compare_groups(const void *a, const void *b)
{
	const struct rsp_chain_group *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->heaviest > y->heaviest) - (x->heaviest < y->heaviest);
}

static const char *sampled_symbol(const struct rsp_chain *chain)
{
	const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];
	const struct rsp_frame *frame;

	if (!rsp_hop_is_sampled(leaf) || !rsp_frames_select(leaf, &frame, 1))
		return NULL;
	if (rsp_frame_is_unnamed_code(frame))
		return rsp_frame_text(frame);
	return rsp_frame_has_name(frame) ? frame->symbol : frame->module;
}

static bool is_unknown(const struct rsp_chain *chain)
{
	const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];

	return leaf->category == RSP_CAT_RUNNING_UNSAMPLED && leaf->frame_cnt == 0;
}

static void add_place(struct rsp_chain_group *group, const char *symbol, __u64 ns)
{
	size_t at = RSP_GROUP_PLACES;

	while (at > 0 && (!group->places[at - 1].symbol || group->places[at - 1].ns < ns))
		at--;
	if (at == RSP_GROUP_PLACES)
		return;
	memmove(&group->places[at + 1], &group->places[at],
		(RSP_GROUP_PLACES - 1 - at) * sizeof(group->places[0]));
	group->places[at].symbol = symbol;
	group->places[at].ns = ns;
}

static int count_samples(const struct member *members, size_t cnt, size_t *ret)
{
	_cleanup_(rsp_samples_done) struct rsp_samples samples = {0};

	for (size_t i = 0; i < cnt; i++)
		if (rsp_samples_add(&samples, members[i].chain) < 0)
			return -ENOMEM;
	*ret = rsp_samples_cnt(&samples);
	return 0;
}

/* Changes the order of the members. */
static struct rsp_chain_group make_group(struct member *members, size_t cnt)
{
	struct rsp_chain_group group = {.heaviest = members[0].chain, .chain_cnt = cnt};
	__u64 ns = 0, sampled_ns = 0;

	for (size_t i = 0; i < cnt; i++) {
		group.ns += members[i].chain->ns;
		group.count += members[i].chain->count;
		sampled_ns += members[i].symbol ? members[i].chain->ns : 0;
		group.unknown_ns += is_unknown(members[i].chain) ? members[i].chain->ns : 0;
	}
	if (sampled_ns < group.ns / SAMPLED_MIN_DIVISOR)
		return group;
	qsort(members, cnt, sizeof(*members), compare_symbols);
	for (size_t i = 0; i < cnt; i++) {
		ns += members[i].chain->ns;
		if (i + 1 < cnt && compare_symbols(&members[i], &members[i + 1]) == 0)
			continue;
		if (members[i].symbol)
			add_place(&group, members[i].symbol, ns);
		ns = 0;
	}
	return group;
}

int rsp_chain_groups_make(const struct rsp_explanation *e, struct rsp_chain_group **ret,
			  size_t *ret_cnt)
{
	_cleanup_free_ struct member *members = calloc(e->chain_cnt + 1, sizeof(*members));
	struct rsp_chain_group *groups = calloc(e->chain_cnt + 1, sizeof(*groups));
	size_t cnt = 0, end, sample_cnt;

	if (!members || !groups) {
		free(groups);
		return -ENOMEM;
	}
	for (size_t i = 0; i < e->chain_cnt; i++)
		members[i] = (struct member){&e->chains[i], sampled_symbol(&e->chains[i])};
	qsort(members, e->chain_cnt, sizeof(*members), compare_members);
	for (size_t i = 0; i < e->chain_cnt; i = end) {
		for (end = i + 1; end < e->chain_cnt; end++)
			if (compare_chains(members[i].chain, members[end].chain) != 0)
				break;
		if (count_samples(&members[i], end - i, &sample_cnt) < 0) {
			free(groups);
			return -ENOMEM;
		}
		groups[cnt] = make_group(&members[i], end - i);
		groups[cnt++].sample_cnt = sample_cnt;
	}
	qsort(groups, cnt, sizeof(*groups), compare_groups);
	*ret = groups;
	*ret_cnt = cnt;
	return 0;
}
