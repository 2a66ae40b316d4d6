/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See layout.h. */
#include "lib/flame/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/text.h"

struct sibling {
	const char *name;
	__u32 below; /* 1 + the index of the parent; 0: the node is a root */
	__u32 node;
};

static int compare_siblings(const void *pa, const void *pb)
{
	const struct sibling *a = pa, *b = pb;
	int order;

	if (a->below != b->below)
		return a->below < b->below ? -1 : 1;
	order = strcmp(a->name, b->name);
	if (order)
		return order;
	return a->node < b->node ? -1 : a->node > b->node;
}

static struct sibling *order_siblings(const struct rsp_profile *p)
{
	struct sibling *all = calloc(p->nodes.cnt + 1, sizeof(*all));

	for (size_t i = 0; all && i < p->nodes.cnt; i++) {
		const struct rsp_profile_node *node = &p->nodes.v[i];

		all[i] = (struct sibling){
			.name = rsp_profile_text(p, node->name),
			.below = node->parent == RSP_PROFILE_ROOT ? 0 : node->parent + 1,
			.node = (__u32)i,
		};
	}
	if (all)
		qsort(all, p->nodes.cnt, sizeof(*all), compare_siblings);
	return all;
}

static void sum_up(const struct rsp_profile *p, struct rsp_flame_box *boxes)
{
	for (size_t i = p->nodes.cnt; i-- > 0;) {
		const struct rsp_profile_node *node = &p->nodes.v[i];
		struct rsp_flame_box *box = &boxes[i], *parent;

		box->total += node->self;
		box->off += node->off;
		box->cnt += node->cnt;
		if (node->parent == RSP_PROFILE_ROOT)
			continue;
		parent = &boxes[node->parent];
		parent->total += box->total;
		parent->off += box->off;
		parent->cnt += box->cnt;
	}
}

/*
 * Parents come before their children: siblings are sorted by their parent, and a parent has a lower
 * index than its children.
 */
static void place(const struct rsp_profile *p, const struct sibling *siblings,
		  struct rsp_flame_box *boxes)
{
	__u64 next = 0;

	for (size_t i = 0; i < p->nodes.cnt; i++) {
		__u32 below = siblings[i].below;
		struct rsp_flame_box *box = &boxes[siblings[i].node];

		if (below && siblings[i - 1].below != below)
			next = boxes[below - 1].begin;
		box->begin = next;
		next += box->total;
		box->depth = below ? boxes[below - 1].depth + 1 : 0;
	}
}

static int compare_places(const void *pa, const void *pb, void *userdata)
{
	const struct rsp_flame_box *boxes = userdata;
	const struct rsp_flame_box *a = &boxes[*(const __u32 *)pa], *b = &boxes[*(const __u32 *)pb];

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->depth < b->depth ? -1 : a->depth > b->depth;
}

int rsp_flame_layout_make(const struct rsp_profile *p, struct rsp_flame_layout *ret)
{
	_cleanup_(rsp_flame_layout_done) struct rsp_flame_layout l = {
		.boxes = calloc(p->nodes.cnt + 1, sizeof(*l.boxes)),
		.order = calloc(p->nodes.cnt + 1, sizeof(*l.order)),
	};
	_cleanup_free_ struct sibling *siblings = order_siblings(p);

	if (!l.boxes || !l.order || !siblings)
		return -ENOMEM;
	sum_up(p, l.boxes);
	place(p, siblings, l.boxes);
	for (size_t i = 0; i < p->nodes.cnt; i++)
		if (l.boxes[i].total)
			l.order[l.cnt++] = (__u32)i;
	qsort_r(l.order, l.cnt, sizeof(*l.order), compare_places, l.boxes);
	*ret = l;
	l = (struct rsp_flame_layout){0};
	return 0;
}

void rsp_flame_layout_done(struct rsp_flame_layout *l)
{
	free(l->boxes);
	free(l->order);
}

char *rsp_flame_name(const struct rsp_profile *p, const struct rsp_profile_node *node)
{
	const char *name = rsp_profile_text(p, node->name);
	char *copy = strdup(*name ? name : "[unknown]");

	if (copy)
		rsp_text_clean(copy);
	return copy;
}
