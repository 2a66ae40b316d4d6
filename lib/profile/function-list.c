/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See function-list.h. */
#include "lib/profile/function-list.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

bool rsp_function_is_unnamed(const char *name, const char *module)
{
	size_t len = strlen(module);

	return strncmp(name, "0x", 2) == 0 ||
	       (len && strncmp(name, module, len) == 0 && strncmp(name + len, "+0x", 3) == 0);
}

static int intern(struct rsp_function_list *f, const char *text, __u32 *ret)
{
	return rsp_intern_put(&f->strings, text, strlen(text), ret);
}

static int intern_name(struct rsp_function_list *f, const char *name, const char *module,
		       __u32 *ret)
{
	_cleanup_free_ char *text = NULL;

	if (!rsp_function_is_unnamed(name, module))
		return intern(f, name, ret);
	if (asprintf(&text, "%s (no symbols)", *module ? module : "?") < 0) {
		text = NULL;
		return -ENOMEM;
	}
	return intern(f, text, ret);
}

/* ids: from a name and a module to the index of a function. */
static int find_or_add(struct rsp_function_list *f, struct rsp_idmap *ids,
		       const struct rsp_profile_node *node, __u32 *ret)
{
	struct rsp_function *function;
	const char *module = rsp_profile_text(f->profile, node->module);
	__u32 name_id, module_id;
	uint64_t key, found;
	int r = intern(f, module, &module_id);

	if (r == 0)
		r = intern_name(f, rsp_profile_text(f->profile, node->name), module, &name_id);
	if (r < 0)
		return r;
	key = (__u64)name_id << 32 | module_id;
	if (rsp_idmap_get(ids, key, &found)) {
		*ret = (__u32)found;
		return 0;
	}
	function = rsp_array_add(&f->list);
	if (!function)
		return -ENOMEM;
	function->name = name_id;
	function->module = module_id;
	function->ink = node->ink;
	*ret = (__u32)(f->list.cnt - 1);
	return rsp_idmap_put(ids, key, *ret);
}

static bool is_process(const struct rsp_profile_node *node)
{
	return node->ink == RSP_PROFILE_PROCESS || node->ink == RSP_PROFILE_THREAD;
}

static int name_nodes(struct rsp_function_list *f)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap ids = {0};
	const struct rsp_profile *p = f->profile;
	int r = 0;

	for (size_t i = 0; i < p->nodes.cnt && r == 0; i++) {
		f->of_node[i] = RSP_NO_FUNCTION;
		if (!is_process(&p->nodes.v[i]))
			r = find_or_add(f, &ids, &p->nodes.v[i], &f->of_node[i]);
	}
	return r;
}

static bool is_recursive(const struct rsp_function_list *f, size_t node)
{
	const struct rsp_profile_node *nodes = f->profile->nodes.v;

	for (__u32 i = nodes[node].parent; i != RSP_PROFILE_ROOT; i = nodes[i].parent)
		if (f->of_node[i] == f->of_node[node])
			return true;
	return false;
}

struct sums {
	__u64 *total, *cnt; /* per node: weight and events, including all of its descendants */
};

static void sum_up(const struct rsp_profile *p, const struct sums *sums)
{
	for (size_t i = p->nodes.cnt; i-- > 0;) {
		const struct rsp_profile_node *node = &p->nodes.v[i];

		sums->total[i] += node->self;
		sums->cnt[i] += node->cnt;
		if (node->parent != RSP_PROFILE_ROOT) {
			sums->total[node->parent] += sums->total[i];
			sums->cnt[node->parent] += sums->cnt[i];
		}
	}
}

static int weigh(struct rsp_function_list *f)
{
	const struct rsp_profile *p = f->profile;
	_cleanup_free_ __u64 *total = calloc(p->nodes.cnt + 1, sizeof(*total));
	_cleanup_free_ __u64 *cnt = calloc(p->nodes.cnt + 1, sizeof(*cnt));

	if (!total || !cnt)
		return -ENOMEM;
	sum_up(p, &(struct sums){total, cnt});
	for (size_t i = 0; i < p->nodes.cnt; i++) {
		struct rsp_function *function;

		if (f->of_node[i] == RSP_NO_FUNCTION)
			continue;
		function = &f->list.v[f->of_node[i]];
		function->self += p->nodes.v[i].self;
		function->self_cnt += p->nodes.v[i].cnt;
		if (is_recursive(f, i))
			continue;
		function->total += total[i];
		function->total_cnt += cnt[i];
	}
	return 0;
}

struct ranked {
	struct rsp_function function;
	const char *name;
	__u32 number, depth; /* number: index before sorting; depth: smallest depth of its nodes */
};

static int compare(const void *pa, const void *pb)
{
	const struct ranked *x = pa, *y = pb;
	const struct rsp_function *a = &x->function, *b = &y->function;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return strcmp(x->name, y->name);
}

static __u32 depth_of(const struct rsp_profile *p, size_t node)
{
	__u32 depth = 0;

	for (__u32 i = p->nodes.v[node].parent; i != RSP_PROFILE_ROOT; i = p->nodes.v[i].parent)
		depth++;
	return depth;
}

static void measure_depths(const struct rsp_function_list *f, struct ranked *ranked)
{
	for (size_t i = 0; i < f->profile->nodes.cnt; i++) {
		__u32 depth, function = f->of_node[i];

		if (function == RSP_NO_FUNCTION)
			continue;
		depth = depth_of(f->profile, i);
		if (depth < ranked[function].depth)
			ranked[function].depth = depth;
	}
}

static int sort(struct rsp_function_list *f)
{
	_cleanup_free_ struct ranked *ranked = calloc(f->list.cnt + 1, sizeof(*ranked));
	_cleanup_free_ __u32 *now = calloc(f->list.cnt + 1, sizeof(*now));

	if (!ranked || !now)
		return -ENOMEM;
	for (__u32 i = 0; i < f->list.cnt; i++)
		ranked[i] = (struct ranked){f->list.v[i], rsp_function_name(f, i), i, UINT32_MAX};
	measure_depths(f, ranked);
	qsort(ranked, f->list.cnt, sizeof(*ranked), compare);
	for (__u32 i = 0; i < f->list.cnt; i++) {
		f->list.v[i] = ranked[i].function;
		now[ranked[i].number] = i;
	}
	for (size_t i = 0; i < f->profile->nodes.cnt; i++)
		if (f->of_node[i] != RSP_NO_FUNCTION)
			f->of_node[i] = now[f->of_node[i]];
	return 0;
}

int rsp_function_list_make(const struct rsp_profile *p, struct rsp_function_list *ret)
{
	struct rsp_function_list f = {.profile = p};
	int r = -ENOMEM;

	f.of_node = calloc(p->nodes.cnt + 1, sizeof(*f.of_node));
	if (f.of_node)
		r = name_nodes(&f);
	if (r == 0)
		r = weigh(&f);
	if (r == 0)
		r = sort(&f);
	if (r < 0)
		rsp_function_list_done(&f);
	else
		*ret = f;
	return r;
}

void rsp_function_list_done(struct rsp_function_list *f)
{
	free(f->list.v);
	free(f->of_node);
	rsp_intern_done(&f->strings);
	*f = (struct rsp_function_list){0};
}

__u32 rsp_function_list_find(const struct rsp_function_list *f, const char *name)
{
	for (__u32 i = 0; i < f->list.cnt; i++)
		if (!strcmp(rsp_function_name(f, i), name))
			return i;
	return RSP_NO_FUNCTION;
}
