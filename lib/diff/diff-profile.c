/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See diff-profile.h. */
#include "lib/diff/diff-profile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/diff/diff-parts.h"

struct rsp_diff_node {
	struct rsp_profile_node node; /* its name and module are ids in rsp_diff_merge.strings */
	double *weights;	      /* one weight per recording */
};

void rsp_diff_merge_done(struct rsp_diff_merge *m)
{
	for (size_t i = 0; i < m->nodes.cnt; i++)
		free(m->nodes.v[i].weights);
	free(m->nodes.v);
	rsp_idmap_done(&m->by_key);
	rsp_intern_done(&m->strings);
	rsp_intern_done(&m->keys);
}

/*
 * Removes the IDs of processes and threads, replaces numbers in names of objects by "#", and names
 * functions without symbols by their module.
 */
static char *name_of(const struct rsp_profile *p, const struct rsp_profile_node *node)
{
	const char *name = rsp_profile_text(p, node->name), *module;
	char *text, *end;

	module = rsp_profile_text(p, node->module);
	switch (node->ink) {
	case RSP_PROFILE_USER:
	case RSP_PROFILE_KERNEL:
	case RSP_PROFILE_WAKER_USER:
	case RSP_PROFILE_WAKER_KERNEL:
		if (!rsp_function_is_unnamed(name, module))
			return strdup(name);
		return asprintf(&text, "%s (no symbols)", *module ? module : "?") < 0 ? NULL : text;
	case RSP_PROFILE_PROCESS:
	case RSP_PROFILE_THREAD:
		text = strdup(name);
		end = text ? strrchr(text, '[') : NULL;
		if (end && end > text && end[-1] == ' ')
			end[-1] = '\0';
		return text;
	default:
		return rsp_diff_key_of(name);
	}
}

static int intern(struct rsp_intern *in, const char *text, __u32 *ret)
{
	return rsp_intern_put(in, text, strlen(text), ret);
}

/* Nodes with the same parent and the same key are merged. */
static int key_of(struct rsp_diff_merge *m, const struct rsp_profile_node *node, __u32 *ret)
{
	const __u32 key[3] = {node->name, node->module, node->ink};

	return rsp_intern_put(&m->keys, key, sizeof(key), ret);
}

static int find_or_add(struct rsp_diff_merge *m, const struct rsp_profile_node *node, __u32 *ret)
{
	struct rsp_diff_node *added;
	uint64_t key, found;
	__u32 id;

	if (key_of(m, node, &id) < 0)
		return -ENOMEM;
	key = ((__u64)node->parent + 1) << 32 | id;
	if (rsp_idmap_get(&m->by_key, key, &found)) {
		*ret = (__u32)found;
		return 0;
	}
	added = rsp_array_add(&m->nodes);
	if (!added)
		return -ENOMEM;
	added->node = *node;
	added->weights = calloc(2 * RSP_DIFF_RECORDINGS_MAX, sizeof(*added->weights));
	*ret = (__u32)(m->nodes.cnt - 1);
	return added->weights ? rsp_idmap_put(&m->by_key, key, *ret) : -ENOMEM;
}

static int add_node(struct rsp_diff_merge *m, const struct rsp_profile *p, size_t i,
		    size_t recording, __u32 *merged)
{
	const struct rsp_profile_node *from = &p->nodes.v[i];
	_cleanup_free_ char *name = name_of(p, from);
	struct rsp_profile_node node = {.ink = from->ink};
	struct rsp_diff_node *to;

	node.parent = from->parent == RSP_PROFILE_ROOT ? RSP_PROFILE_ROOT : merged[from->parent];
	if (!name || intern(&m->strings, name, &node.name) < 0 ||
	    intern(&m->strings, rsp_profile_text(p, from->module), &node.module) < 0 ||
	    find_or_add(m, &node, &merged[i]) < 0)
		return -ENOMEM;
	to = &m->nodes.v[merged[i]];
	to->weights[recording] += (double)from->self;
	to->node.cnt += from->cnt;
	to->node.off += from->off;
	return 0;
}

int rsp_diff_merge_add(struct rsp_diff_merge *m, const struct rsp_profile *p, size_t recording)
{
	_cleanup_free_ __u32 *merged = calloc(p->nodes.cnt + 1, sizeof(*merged));
	__u32 empty;
	int r = merged ? intern(&m->strings, "", &empty) : -ENOMEM;

	for (size_t i = 0; i < p->nodes.cnt && r == 0; i++)
		r = add_node(m, p, i, recording, merged);
	m->unit = p->unit;
	return r;
}

/* --- sides ------------------------------------------------------------------------------------ */

static double factor_of(const struct rsp_diff *d, const struct rsp_diff_recording *recording)
{
	double cnt = (double)d->recording_cnt[recording->side];

	switch (d->basis) {
	case RSP_DIFF_PER_RUN:
		return 1 / cnt;
	case RSP_DIFF_PER_REQUEST:
		return recording->request_cnt ? 1 / (double)recording->request_cnt / cnt : 0;
	default:
		return recording->span_ns ? 1e9 / (double)recording->span_ns / cnt : 0;
	}
}

static void weigh(const struct rsp_diff *d, const struct rsp_diff_node *from,
		  struct rsp_diff_profile *ret, size_t i)
{
	double sum[2] = {0};

	for (size_t k = 0; k < d->added_cnt; k++)
		sum[d->recordings[k].side] += from->weights[k] * factor_of(d, &d->recordings[k]);
	ret->before[i] = (__u64)llround(sum[0]);
	ret->after.nodes.v[i].self = (__u64)llround(sum[1]);
	ret->after.total += ret->after.nodes.v[i].self;
}

static int copy_node(const struct rsp_diff_merge *m, size_t i, struct rsp_diff_profile *ret)
{
	const struct rsp_profile_node *from = &m->nodes.v[i].node;
	struct rsp_profile_node *to = rsp_array_add(&ret->after.nodes);

	if (!to)
		return -ENOMEM;
	*to = *from;
	to->off = 0;
	if (intern(&ret->after.strings, rsp_intern_data(&m->strings, from->name), &to->name) < 0)
		return -ENOMEM;
	return intern(&ret->after.strings, rsp_intern_data(&m->strings, from->module), &to->module);
}

int rsp_diff_profile_make(const struct rsp_diff *d, struct rsp_diff_profile *ret)
{
	_cleanup_(rsp_diff_profile_done) struct rsp_diff_profile p = {0};
	const struct rsp_diff_merge *m = &d->merge;
	__u32 empty;
	int r = intern(&p.after.strings, "", &empty);

	p.before = calloc(m->nodes.cnt + 1, sizeof(*p.before));
	p.after.unit = m->unit ? m->unit : "ns";
	if (!p.before)
		return -ENOMEM;
	for (size_t i = 0; i < m->nodes.cnt && r == 0; i++) {
		r = copy_node(m, i, &p);
		if (r == 0)
			weigh(d, &m->nodes.v[i], &p, i);
	}
	if (r < 0)
		return r;
	*ret = p;
	p = (struct rsp_diff_profile){0};
	return 0;
}

void rsp_diff_profile_done(struct rsp_diff_profile *p)
{
	rsp_profile_done(&p->after);
	free(p->before);
}
