/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes trees of callees and of callers from the functions of a profile. */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/profile/function-list.h"

#define NO_NODE UINT32_MAX

struct calls_builder {
	const struct rsp_function_list *f;
	struct rsp_calls calls;
	struct rsp_idmap child_of; /* from a parent and a function to a node */
};

/* NO_NODE: out of memory. */
static __u32 child(struct calls_builder *b, __u32 parent, __u32 function)
{
	uint64_t key = (__u64)parent << 32 | function, found;
	struct rsp_calls_node *node;

	if (rsp_idmap_get(&b->child_of, key, &found))
		return (__u32)found;
	node = rsp_array_add(&b->calls.nodes);
	if (!node || rsp_idmap_put(&b->child_of, key, b->calls.nodes.cnt - 1) < 0)
		return NO_NODE;
	node->parent = parent;
	node->function = function;
	return (__u32)(b->calls.nodes.cnt - 1);
}

/* Returns the number of functions in ret, innermost first. */
static size_t stack_of(const struct rsp_function_list *f, size_t node, __u32 *ret)
{
	const struct rsp_profile_node *nodes = f->profile->nodes.v;
	size_t cnt = 0;

	for (__u32 i = (__u32)node; i != RSP_PROFILE_ROOT; i = nodes[i].parent)
		if (f->of_node[i] != RSP_NO_FUNCTION)
			ret[cnt++] = f->of_node[i];
	return cnt;
}

static size_t depth_max(const struct rsp_profile *p)
{
	size_t max = 0;

	for (size_t i = 0; i < p->nodes.cnt; i++) {
		size_t depth = 1;

		if (!p->nodes.v[i].self && !p->nodes.v[i].cnt)
			continue;
		for (__u32 at = p->nodes.v[i].parent; at != RSP_PROFILE_ROOT;
		     at = p->nodes.v[at].parent)
			depth++;
		max = depth > max ? depth : max;
	}
	return max;
}

/* up: adds the functions from stack[at] towards the callers, otherwise towards the callees. */
static int add_path(struct calls_builder *b, const __u32 *stack, size_t at, size_t cnt, bool up,
		    const struct rsp_profile_node *leaf)
{
	__u32 node = NO_NODE;

	for (size_t i = 0; i < cnt; i++) {
		node = child(b, node, stack[up ? at + i : at - i]);
		if (node == NO_NODE)
			return -ENOMEM;
		b->calls.nodes.v[node].total += leaf->self;
		b->calls.nodes.v[node].cnt += leaf->cnt;
	}
	if (node != NO_NODE)
		b->calls.nodes.v[node].self += leaf->self;
	return 0;
}

/* stack: memory for the functions of the stack that ends at the node. */
static int add_stack(struct calls_builder *b, __u32 function, enum rsp_calls_direction direction,
		     size_t node, __u32 *stack)
{
	const struct rsp_profile_node *leaf = &b->f->profile->nodes.v[node];
	size_t cnt = stack_of(b->f, node, stack), outermost = cnt;

	while (function != RSP_NO_FUNCTION && outermost > 0 && stack[outermost - 1] != function)
		outermost--;
	if (outermost == 0)
		return 0;
	if (direction == RSP_CALLS_DOWN)
		return add_path(b, stack, outermost - 1, outermost, false, leaf);
	if (function == RSP_NO_FUNCTION)
		return add_path(b, stack, 0, cnt, true, leaf);
	return add_path(b, stack, outermost - 1, cnt - outermost + 1, true, leaf);
}

int rsp_calls_make(const struct rsp_function_list *f, __u32 function,
		   enum rsp_calls_direction direction, struct rsp_calls *ret)
{
	_cleanup_free_ __u32 *stack = calloc(depth_max(f->profile) + 1, sizeof(*stack));
	struct calls_builder b = {.f = f};
	int r = stack ? 0 : -ENOMEM;

	for (size_t i = 0; i < f->profile->nodes.cnt && r == 0; i++)
		if (f->profile->nodes.v[i].self || f->profile->nodes.v[i].cnt)
			r = add_stack(&b, function, direction, i, stack);
	rsp_idmap_done(&b.child_of);
	if (r < 0)
		rsp_calls_done(&b.calls);
	else
		*ret = b.calls;
	return r;
}

void rsp_calls_done(struct rsp_calls *c)
{
	free(c->nodes.v);
	*c = (struct rsp_calls){0};
}
