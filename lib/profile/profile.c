/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See profile.h. Builds the tree of stacks, and selects the threads whose stacks it contains. */
#include "lib/profile/profile-parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/model/roots.h"

/* --- nodes ------------------------------------------------------------------------------------ */

static __u64 hash_key(const struct rsp_profile_node *key)
{
	__u64 hash = key->parent;

	hash = (hash ^ ((__u64)key->name << 32 | key->module)) * 0x9e3779b97f4a7c15ULL;
	hash ^= hash >> 29;
	return hash * 31 + key->ink;
}

static bool same_key(const struct rsp_profile_node *a, const struct rsp_profile_node *b)
{
	return a->parent == b->parent && a->name == b->name && a->module == b->module &&
	       a->ink == b->ink;
}

/* If several keys have the same hash, each later node is stored at the next free hash value. */
static __u32 find_or_make(struct rsp_profile_builder *b, const struct rsp_profile_node *key)
{
	uint64_t hash = hash_key(key), found;
	struct rsp_profile_node *node;

	for (; rsp_idmap_get(&b->by_key, hash, &found); hash++)
		if (same_key(&b->profile.nodes.v[found], key))
			return (__u32)found;
	node = rsp_array_add(&b->profile.nodes);
	if (!node || rsp_idmap_put(&b->by_key, hash, b->profile.nodes.cnt - 1) < 0) {
		b->error = -ENOMEM;
		return RSP_PROFILE_ROOT;
	}
	*node = *key;
	return (__u32)(b->profile.nodes.cnt - 1);
}

static __u32 intern(struct rsp_profile_builder *b, const char *text)
{
	__u32 id = 0;

	if (rsp_intern_put(&b->profile.strings, text, strlen(text), &id) < 0)
		b->error = -ENOMEM;
	return id;
}

__u32 rsp_profile_child(struct rsp_profile_builder *b, __u32 parent, const char *name,
			const char *module, enum rsp_profile_ink ink)
{
	struct rsp_profile_node key = {.parent = parent, .ink = ink};

	key.name = intern(b, name);
	key.module = intern(b, module);
	return b->error ? RSP_PROFILE_ROOT : find_or_make(b, &key);
}

__u32 rsp_profile_stack(struct rsp_profile_builder *b, __u32 parent, __u64 kstack, __u64 ustack)
{
	__u32 list = rsp_names_stack(b->names, kstack, ustack);
	uint64_t key = (__u64)parent << 32 | list, found;
	const struct rsp_frame *frames;
	__u32 node = parent;
	size_t cnt;

	if (rsp_idmap_get(&b->of_stack, key, &found))
		return (__u32)found;
	frames = rsp_names_frames(b->names, list, &cnt);
	while (cnt-- > 0)
		node = rsp_profile_child(b, node, frames[cnt].symbol, frames[cnt].module,
					 frames[cnt].kernel ? RSP_PROFILE_KERNEL
							    : RSP_PROFILE_USER);
	if (rsp_idmap_put(&b->of_stack, key, node) < 0)
		b->error = -ENOMEM;
	return node;
}

__u32 rsp_profile_waker_stack(struct rsp_profile_builder *b, __u32 parent, __u64 kstack,
			      __u64 ustack)
{
	__u32 list = rsp_names_stack(b->names, kstack, ustack);
	uint64_t key = (__u64)parent << 32 | list, found;
	const struct rsp_frame *frames;
	__u32 node = parent;
	size_t cnt;

	if (rsp_idmap_get(&b->of_reversed, key, &found))
		return (__u32)found;
	frames = rsp_names_frames(b->names, list, &cnt);
	for (size_t i = 0; i < cnt; i++)
		node = rsp_profile_child(b, node, frames[i].symbol, frames[i].module,
					 frames[i].kernel ? RSP_PROFILE_WAKER_KERNEL
							  : RSP_PROFILE_WAKER_USER);
	if (rsp_idmap_put(&b->of_reversed, key, node) < 0)
		b->error = -ENOMEM;
	return node;
}

__u32 rsp_profile_no_stack(struct rsp_profile_builder *b, __u32 parent)
{
	return rsp_profile_child(b, parent, "[no stack]", "", RSP_PROFILE_NOTE);
}

void rsp_profile_add(struct rsp_profile_builder *b, __u32 node, __u64 weight, __u64 cnt)
{
	if (b->error)
		return;
	b->profile.nodes.v[node].self += weight;
	b->profile.nodes.v[node].cnt += cnt;
	b->profile.total += weight;
}

void rsp_profile_add_off(struct rsp_profile_builder *b, __u32 node, __u64 ns, __u64 cnt)
{
	rsp_profile_add(b, node, ns, cnt);
	if (!b->error)
		b->profile.nodes.v[node].off += ns;
}

__u64 rsp_profile_within(const struct rsp_profile_builder *b, __u64 from_ns, __u64 to_ns)
{
	if (from_ns < b->since_ns)
		from_ns = b->since_ns;
	if (to_ns > b->until_ns)
		to_ns = b->until_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

__u64 rsp_profile_span_within(const struct rsp_profile_builder *b, const struct rsp_thread *t,
			      size_t i)
{
	return rsp_profile_within(b, t->spans.v[i].from_ns, rsp_span_end(t, i));
}

/* --- threads ---------------------------------------------------------------------------------- */

bool rsp_profile_wants(const struct rsp_profile_builder *b, __u32 tgid, const char *comm)
{
	if (b->opt->tgid && tgid != b->opt->tgid)
		return false;
	return !b->opt->comm || !strcmp(comm, b->opt->comm);
}

static void add_hotcold(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base)
{
	rsp_profile_oncpu(b, t, base);
	rsp_profile_offcpu(b, t, base);
}

static __u64 paused_within(const struct rsp_profile_builder *b, const struct rsp_thread *t,
			   size_t i)
{
	__u64 from_ns = t->spans.v[i].from_ns, to_ns = rsp_span_end(t, i);

	if (from_ns < b->since_ns)
		from_ns = b->since_ns;
	if (to_ns > b->until_ns)
		to_ns = b->until_ns;
	return rsp_gap_within(&b->model->pauses, from_ns, to_ns);
}

static void add_spans(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base)
{
	static void (*const add[RSP_PROFILE_KIND_MAX])(struct rsp_profile_builder *,
						       const struct rsp_thread *, __u32) = {
		[RSP_PROFILE_ONCPU] = rsp_profile_oncpu,
		[RSP_PROFILE_OFFCPU] = rsp_profile_offcpu,
		[RSP_PROFILE_HOTCOLD] = add_hotcold,
		[RSP_PROFILE_WAKEUP] = rsp_profile_wakeup,
		[RSP_PROFILE_CHAIN] = rsp_profile_chain,
		[RSP_PROFILE_RUNQUEUE] = rsp_profile_runqueue,
		[RSP_PROFILE_DISK] = rsp_profile_disk,
		[RSP_PROFILE_NETWORK] = rsp_profile_network,
	};

	if (add[b->opt->kind])
		add[b->opt->kind](b, t, base);
	for (size_t i = 0; i < t->spans.cnt; i++)
		if (t->spans.v[i].kind == RSP_SPAN_UNEXPLAINED)
			b->profile.unknown_ns += rsp_profile_span_within(b, t, i) -
						 paused_within(b, t, i);
}

__u32 rsp_profile_base(struct rsp_profile_builder *b, const char *comm, const char *thread,
		       __u32 tid)
{
	__u32 base = rsp_profile_child(b, RSP_PROFILE_ROOT, comm, "", RSP_PROFILE_PROCESS);
	char name[64];

	if (!b->opt->per_thread)
		return base;
	snprintf(name, sizeof(name), "%s [%u]", thread, rsp_host_tid(tid));
	return rsp_profile_child(b, base, name, "", RSP_PROFILE_THREAD);
}

static void add_thread(struct rsp_profile_builder *b, const struct rsp_thread *t)
{
	const struct rsp_ev_task *task = rsp_thread_identity(b->model, t);
	__u32 tgid = task ? task->tgid : t->tid, base;
	const char *comm = rsp_names_text(b->names,
					  rsp_names_tid(b->names, tgid, b->model->until_ns));

	if (b->family ? !b->family[t - b->model->threads.v] : !rsp_profile_wants(b, tgid, comm))
		return;
	if (!b->opt->tgid && !b->opt->comm && !rsp_trace_lists(b->model->trace, task))
		return;
	b->profile.thread_cnt++;
	base = rsp_profile_base(
		b, comm,
		rsp_names_text(b->names, rsp_names_thread(b->names, t, b->model->until_ns)),
		t->tid);
	add_spans(b, t, base);
}

static void builder_done(struct rsp_profile_builder *b)
{
	rsp_estimate_free(b->estimate);
	rsp_names_free(b->names);
	rsp_idmap_done(&b->by_key);
	rsp_idmap_done(&b->of_stack);
	rsp_idmap_done(&b->of_reversed);
	free(b->former);
	free(b->family);
	rsp_profile_done(&b->profile);
}

int rsp_profile_make(const struct rsp_model *m, const struct rsp_profile_options *opt,
		     struct rsp_profile *ret)
{
	_cleanup_(builder_done) struct rsp_profile_builder b = {
		.model = m,
		.opt = opt,
		.since_ns = opt->until_ns ? opt->since_ns : m->since_ns,
		.until_ns = opt->until_ns ? opt->until_ns : m->until_ns,
		.base_ns = m->start_ns && m->start_ns < m->since_ns ? m->start_ns : m->since_ns,
		.end_ns = m->trace->last_ns > m->until_ns ? m->trace->last_ns : m->until_ns,
		.profile = {.unit = rsp_profile_words(opt->kind)->unit},
	};

	if (rsp_names_new(m->trace, &b.names) < 0 ||
	    (opt->descendants && rsp_model_find_family(m, opt->tgid, &b.family) < 0))
		return -ENOMEM;
	intern(&b, "");
	for (size_t i = 0; i < m->threads.cnt && !b.error; i++)
		add_thread(&b, &m->threads.v[i]);
	if (rsp_profile_words(opt->kind)->memory)
		rsp_profile_memory(&b);
	if (b.error || b.names->error)
		return -ENOMEM;
	*ret = b.profile;
	b.profile = (struct rsp_profile){0};
	return 0;
}

void rsp_profile_done(struct rsp_profile *p)
{
	free(p->nodes.v);
	rsp_intern_done(&p->strings);
}
