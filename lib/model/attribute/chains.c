/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See chains.h. A node of the tree is a hop, and its key contains the number of its parent. */
#include "lib/model/attribute/chains.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"

struct rsp_chain_node {
	struct rsp_hop_key key;
	__u32 same_hash; /* an older node, or RSP_NO_NODE */
	__u32 child;	 /* the child that was found last, or RSP_NO_NODE */
	__u32 latest;	 /* thread whose time was added last */
	__u64 latest_ns;
	__u64 ns;
	__u64 count;
	__u64 heaviest_ns; /* the largest time of one thread */
	__u32 heaviest;	   /* the thread with heaviest_ns */
	__u32 thread_cnt;
	__u32 depth;
	unsigned int flags;
	struct rsp_chain_part longest;
};

struct rsp_chain_sample {
	__u32 node, sample;
};

void rsp_chains_done(struct rsp_chains *c)
{
	free(c->samples.v);
	rsp_idmap_done(&c->by_hash);
	rsp_idmap_done(&c->parts);
	free(c->nodes.v);
	*c = (struct rsp_chains){0};
}

static bool is_same(const struct rsp_hop_key *a, const struct rsp_hop_key *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

static uint64_t hash_of(const struct rsp_hop_key *key)
{
	uint32_t words[sizeof(*key) / sizeof(uint32_t)];
	uint64_t h = 0;

	memcpy(words, key, sizeof(*key));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		h = (h ^ words[i]) * 0xbf58476d1ce4e5b9ULL;
		h ^= h >> 29;
	}
	return h;
}

static int new_node(struct rsp_chains *c, const struct rsp_hop_key *key, uint64_t hash,
		    __u32 same_hash)
{
	struct rsp_chain_node *node = rsp_array_add(&c->nodes);

	if (!node || rsp_idmap_put(&c->by_hash, hash, c->nodes.cnt - 1) < 0)
		return -ENOMEM;
	node->key = *key;
	node->same_hash = same_hash;
	node->child = RSP_NO_NODE;
	node->depth = 1;
	if (key->parent != RSP_NO_NODE)
		node->depth += c->nodes.v[key->parent].depth;
	c->hop_cnt += node->depth;
	return 0;
}

static int look_up(struct rsp_chains *c, const struct rsp_hop_key *key, __u32 *ret)
{
	uint64_t hash = hash_of(key), first = RSP_NO_NODE;

	rsp_idmap_get(&c->by_hash, hash, &first);
	for (__u32 id = (__u32)first; id != RSP_NO_NODE; id = c->nodes.v[id].same_hash) {
		if (is_same(&c->nodes.v[id].key, key)) {
			*ret = id;
			return 0;
		}
	}
	*ret = (__u32)c->nodes.cnt;
	return new_node(c, key, hash, (__u32)first);
}

/* A program often repeats itself, so the function first compares the child that was found last. */
static struct rsp_chain_node *find_node(struct rsp_chains *c, const struct rsp_hop_key *key,
					__u32 *ret)
{
	*ret = key->parent == RSP_NO_NODE ? RSP_NO_NODE : c->nodes.v[key->parent].child;
	if (*ret != RSP_NO_NODE && is_same(&c->nodes.v[*ret].key, key))
		return &c->nodes.v[*ret];
	if (look_up(c, key, ret) < 0)
		return NULL;
	if (key->parent != RSP_NO_NODE)
		c->nodes.v[key->parent].child = *ret;
	return &c->nodes.v[*ret];
}

static int add_part(struct rsp_chains *c, __u32 id, struct rsp_chain_node *node, __u32 thread,
		    __u64 ns)
{
	uint64_t known = 0;

	if (node->thread_cnt == 0 || node->latest != thread) {
		if (node->thread_cnt &&
		    rsp_idmap_put(&c->parts, (__u64)id << 32 | node->latest, node->latest_ns) < 0)
			return -ENOMEM;
		node->thread_cnt += !rsp_idmap_get(&c->parts, (__u64)id << 32 | thread, &known);
		node->latest = thread;
		node->latest_ns = known;
	}
	node->latest_ns += ns;
	if (node->latest_ns >= node->heaviest_ns) {
		node->heaviest_ns = node->latest_ns;
		node->heaviest = thread;
	}
	return 0;
}

static int add_sample(struct rsp_chains *c, __u32 id, __u32 sample)
{
	struct rsp_chain_sample *last = c->samples.cnt ? &c->samples.v[c->samples.cnt - 1] : NULL;

	if (last && last->node == id && last->sample == sample)
		return 0;
	last = rsp_array_add(&c->samples);
	if (!last)
		return -ENOMEM;
	*last = (struct rsp_chain_sample){id, sample};
	return 0;
}

__u32 rsp_chains_add(struct rsp_chains *c, const struct rsp_hop_key *key,
		     const struct rsp_chain_part *part)
{
	struct rsp_chain_node *node;
	__u32 id = 0;

	if (c->error)
		return 0;
	node = find_node(c, key, &id);
	if (!node || add_part(c, id, node, part->thread, part->ns) < 0) {
		c->error = -ENOMEM;
		return 0;
	}
	node->ns += part->ns;
	node->count++;
	if (part->sample && add_sample(c, id, part->sample - 1) < 0)
		c->error = -ENOMEM;
	node->flags |= part->flags;
	if (part->ns > node->longest.ns)
		node->longest = *part;
	return id;
}

/* --- listing -------------------------------------------------------------------------------- */

static const struct rsp_hop_key *key_of(const struct rsp_chains *c, __u32 id)
{
	return &c->nodes.v[id].key;
}

static void fill_hop(const struct rsp_chains *c, const struct rsp_names *names, __u32 id,
		     struct rsp_hop *ret)
{
	const struct rsp_chain_node *node = &c->nodes.v[id];
	const struct rsp_hop_key *key = key_of(c, id);

	*ret = (struct rsp_hop){
		.kind = key->kind,
		.category = key->category,
		.why = key->why,
		.flags = node->flags,
		.tid = node->heaviest,
		.task_cnt = node->thread_cnt,
		.comm = rsp_names_text(names, key->comm),
		.container = rsp_names_text(names, key->container),
		.object = rsp_names_text(names, key->object),
		.behind = rsp_names_text(names, key->behind),
		.syscall = rsp_names_text(names, key->syscall),
	};
	ret->frames = (struct rsp_frame *)rsp_names_frames(names, key->frames, &ret->frame_cnt);
}

static int fill_chain(const struct rsp_chains *c, const struct rsp_names *names,
		      struct rsp_arena *arena, __u32 leaf, struct rsp_chain *ret)
{
	size_t hop_cnt = c->nodes.v[leaf].depth, i = hop_cnt;

	ret->ns = c->nodes.v[leaf].ns;
	ret->count = c->nodes.v[leaf].count;
	ret->longest.from_ns = c->nodes.v[leaf].longest.from_ns;
	ret->longest.ns = c->nodes.v[leaf].longest.ns;
	ret->longest.tid = c->nodes.v[leaf].longest.root;
	ret->hop_cnt = hop_cnt;
	ret->hops = rsp_arena_alloc(arena, hop_cnt * sizeof(*ret->hops));
	if (!ret->hops)
		return -ENOMEM;
	for (__u32 id = leaf; id != RSP_NO_NODE; id = key_of(c, id)->parent)
		fill_hop(c, names, id, &ret->hops[--i]);
	return 0;
}

struct ranked {
	__u64 ns;
	__u32 node; /* of two nodes with equal times, the lower number comes first */
};

static int compare_ranked(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static struct ranked *rank_leaves(const struct rsp_chains *c, size_t *ret_cnt)
{
	struct ranked *v = malloc((c->nodes.cnt + 1) * sizeof(*v));
	size_t cnt = 0;

	if (!v)
		return NULL;
	for (size_t i = 0; i < c->nodes.cnt; i++)
		if (key_of(c, (__u32)i)->kind == RSP_HOP_LEAF)
			v[cnt++] = (struct ranked){.ns = c->nodes.v[i].ns, .node = (__u32)i};
	qsort(v, cnt, sizeof(*v), compare_ranked);
	*ret_cnt = cnt;
	return v;
}

static int compare_samples(const void *pa, const void *pb)
{
	const struct rsp_chain_sample *a = pa, *b = pb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return a->sample < b->sample ? -1 : a->sample > b->sample;
}

/* of_node: for each leaf, the index of its chain. */
static int list_samples(const struct rsp_chains *c, const __u32 *of_node, struct rsp_arena *arena,
			struct rsp_chain *chains)
{
	size_t cnt = c->samples.cnt, bytes = cnt * sizeof(*c->samples.v);
	struct rsp_chain_sample *v = malloc(bytes + 1);
	__u32 *samples = rsp_arena_alloc(arena, (cnt + 1) * sizeof(*samples));

	if (!v || !samples) {
		free(v);
		return -ENOMEM;
	}
	memcpy(v, c->samples.v, bytes);
	qsort(v, cnt, sizeof(*v), compare_samples);
	for (size_t i = 0; i < cnt; i++) {
		struct rsp_chain *chain = &chains[of_node[v[i].node]];

		if (i > 0 && compare_samples(&v[i - 1], &v[i]) == 0)
			continue;
		if (chain->sample_cnt++ == 0)
			chain->samples = samples;
		*samples++ = v[i].sample;
	}
	free(v);
	return 0;
}

int rsp_chains_list(const struct rsp_chains *c, const struct rsp_names *names,
		    struct rsp_arena *arena, __u32 *of_node, struct rsp_chain **ret,
		    size_t *ret_cnt)
{
	struct rsp_chain *chains = NULL;
	size_t cnt = 0;
	struct ranked *leaves = rank_leaves(c, &cnt);
	__u32 *index;
	int r = -ENOMEM;

	if (leaves)
		chains = calloc(cnt + 1, sizeof(*chains));
	if (chains) {
		r = 0;
		for (size_t i = 0; i < cnt && r == 0; i++)
			r = fill_chain(c, names, arena, leaves[i].node, &chains[i]);
	}
	index = of_node ? of_node : calloc(c->nodes.cnt + 1, sizeof(*index));
	if (r == 0 && !index)
		r = -ENOMEM;
	for (size_t i = 0; i < cnt && r == 0; i++)
		index[leaves[i].node] = (__u32)i;
	if (r == 0 && c->samples.cnt)
		r = list_samples(c, index, arena, chains);
	if (index != of_node)
		free(index);
	free(leaves);
	if (r < 0) {
		free(chains);
		return r;
	}
	*ret = chains;
	*ret_cnt = cnt;
	return 0;
}
