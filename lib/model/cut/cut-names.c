/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See cut-names.h. */
#include "lib/model/cut/cut-names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/symbols.h"

enum { WANTED, WRITTEN };

void rsp_cut_names_done(struct rsp_cut_names *n)
{
	rsp_idmap_done(&n->stacks);
	rsp_idmap_done(&n->things);
	rsp_idmap_done(&n->binaries);
	rsp_idmap_done(&n->cgroups);
}

/* --- references ------------------------------------------------------------------------------ */

static int want(struct rsp_idmap *map, __u64 id)
{
	return id ? rsp_idmap_put(map, id, WANTED) : 0;
}

static int want_stacks(struct rsp_cut_names *n, __u64 kstack, __u64 ustack)
{
	int r = want(&n->stacks, kstack);

	return r < 0 ? r : want(&n->stacks, ustack);
}

static int want_cause(struct rsp_cut_names *n, __u32 context, __u64 cause)
{
	if (context == RSP_WAKE_KTIMER)
		return want(&n->stacks, cause);
	if (context == RSP_WAKE_HARDIRQ || context == RSP_WAKE_IRQ)
		return want(&n->things, cause);
	return 0;
}

static int refer_switch(struct rsp_cut_names *n, const struct rsp_ev_switch *sw)
{
	int r = want_stacks(n, sw->kstack, sw->ustack);

	return r < 0 || sw->hdr.flags & RSP_SW_FUTEX ? r : want(&n->things, sw->object);
}

static int refer_waking(struct rsp_cut_names *n, const struct rsp_ev_waking *waking)
{
	int r = want_stacks(n, waking->kstack, waking->ustack);

	return r < 0 ? r : want_cause(n, waking->context, waking->cause);
}

static int refer_block(struct rsp_cut_names *n, const struct rsp_ev_block *block)
{
	int r = want(&n->things, block->object);

	return r < 0 ? r : want(&n->things, RSP_DISK_ID(block->dev));
}

static int refer_work(struct rsp_cut_names *n, const struct rsp_ev_work *work)
{
	int r = want(&n->stacks, work->function);

	return r < 0 ? r : want_cause(n, work->context, work->cause);
}

int rsp_cut_names_refer(struct rsp_cut_names *n, const struct rsp_ev_hdr *hdr)
{
	const void *ev = hdr;
	const struct rsp_ev_sample *sample = ev;
	const struct rsp_ev_irq *irq = ev;
	const struct rsp_ev_net *net = ev;
	const struct rsp_ev_delay *delay = ev;
	const struct rsp_ev_task *task = ev;
	const struct rsp_ev_memory *memory = ev;

	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		return refer_switch(n, ev);
	case RSP_EV_WAKING:
		return refer_waking(n, ev);
	case RSP_EV_SAMPLE:
		return want_stacks(n, sample->kstack, sample->ustack);
	case RSP_EV_BLOCK:
		return refer_block(n, ev);
	case RSP_EV_IRQ:
		return hdr->flags & RSP_IRQ_HARD ? want(&n->things, irq->object) : 0;
	case RSP_EV_NET:
		return want(&n->things, net->object);
	case RSP_EV_TASK:
		return want(&n->cgroups, task->cgroup_id);
	case RSP_EV_WORK:
		return refer_work(n, ev);
	case RSP_EV_DELAY:
		return want(&n->things, delay->object);
	case RSP_EV_MEMORY:
		return want_stacks(n, memory->kstack, memory->ustack);
	}
	return 0;
}

/* --- records --------------------------------------------------------------------------------- */

/* Returns whether the name with this id is wanted and not written yet, and marks it as written. */
static bool take(struct rsp_idmap *map, __u64 id)
{
	uint64_t state;

	if (!rsp_idmap_get(map, id, &state) || state != WANTED)
		return false;
	rsp_idmap_put(map, id, WRITTEN); /* the entry exists, so this needs no memory */
	return true;
}

static int want_binaries(struct rsp_cut_names *n, const struct rsp_ev_stack *stack)
{
	int r = 0;

	for (__u32 i = 0; i < stack->frame_cnt && r == 0; i++)
		if (stack->hdr.flags & RSP_STACK_USER && stack->frames[i] & RSP_FRAME_IN_BINARY)
			r = want(&n->binaries, RSP_FRAME_BINARY(stack->frames[i]));
	return r;
}

/* Returns 1 if the record is to be written, 0 if not, or -ENOMEM. */
typedef int (*take_fn)(struct rsp_cut_names *n, const struct rsp_ev_hdr *hdr);

/*
 * This is a separate pass, because the record of a path may come before the record of the socket.
 */
static int refer_socket(struct rsp_cut_names *n, const struct rsp_ev_hdr *hdr)
{
	const struct rsp_ev_socket *sock = (const void *)hdr;

	if (hdr->kind != RSP_EV_SOCKET || !rsp_socket_is_unix(sock) ||
	    !rsp_idmap_get(&n->things, sock->id, &(uint64_t){0}))
		return 0;
	return want(&n->things, sock->un.path);
}

/* TASK records refer to a cgroup by its inode number, and DELAY records by its id. */
static bool take_object(struct rsp_cut_names *n, const struct rsp_ev_object *obj)
{
	bool of_task = obj->type == RSP_OBJ_CGROUP && take(&n->cgroups, obj->ino);

	return take(&n->things, obj->id) || of_task;
}

static int take_name(struct rsp_cut_names *n, const struct rsp_ev_hdr *hdr)
{
	const void *rec = hdr;
	const struct rsp_ev_container *container = rec;
	int r;

	switch (hdr->kind) {
	case RSP_EV_STACK:
		if (!take(&n->stacks, ((const struct rsp_ev_stack *)rec)->id))
			return 0;
		r = want_binaries(n, rec);
		return r < 0 ? r : 1;
	case RSP_EV_OBJECT:
		return take_object(n, rec);
	case RSP_EV_SOCKET:
		return take(&n->things, ((const struct rsp_ev_socket *)rec)->id);
	case RSP_EV_CONTAINER: /* a cgroup has at most one CONTAINER record */
		return rsp_idmap_get(&n->cgroups, container->cgroup_id, &(uint64_t){0});
	}
	return 0;
}

static int take_binary(struct rsp_cut_names *n, const struct rsp_ev_hdr *hdr)
{
	const struct rsp_ev_binary *binary = (const void *)hdr;

	return hdr->kind == RSP_EV_BINARY && take(&n->binaries, binary->number);
}

static int write_section(struct rsp_cut_names *n, const struct rsp_section *sec, take_fn fn,
			 struct rsp_snapshot_writer *w)
{
	_cleanup_free_ char *out = malloc(sec->len + 1);
	const struct rsp_ev_hdr *hdr;
	size_t off = 0, len = 0;

	if (!out)
		return -ENOMEM;
	while (rsp_record_next(sec->data, sec->len, &off, &hdr) > 0) {
		int r = fn(n, hdr);

		if (r < 0)
			return r;
		if (r == 0)
			continue;
		memcpy(out + len, hdr, hdr->size);
		len += hdr->size;
	}
	return len ? rsp_snapshot_write_section(w, RSP_SEC_EVENTS, out, len) : 0;
}

static int write_records(struct rsp_cut_names *n, const struct rsp_snapshot *snap, take_fn fn,
			 struct rsp_snapshot_writer *w)
{
	int r = 0;

	for (size_t i = 0; i < snap->section_cnt && r == 0; i++)
		if (snap->sections[i].type == RSP_SEC_EVENTS)
			r = write_section(n, &snap->sections[i], fn, w);
	return r;
}

/* --- symbols --------------------------------------------------------------------------------- */

static int copy_symbols(const struct rsp_cut_names *n, const struct rsp_section *sec,
			struct rsp_symbols_builder *b)
{
	struct rsp_symbols *symbols;
	uint64_t id, state;
	size_t pos = 0;
	int r = 0;

	if (sec->type != RSP_SEC_SYMBOLS || rsp_symbols_open(sec->data, sec->len, &symbols) < 0)
		return 0;
	while (r == 0 && rsp_idmap_next(&n->stacks, &pos, &id, &state))
		r = rsp_symbols_copy_stack(b, symbols, id, id);
	rsp_symbols_free(symbols);
	return r;
}

/*
 * If several sections name a stack, the last section counts. The builder keeps the first name that
 * it gets, so the function reads the sections backward.
 */
static int write_symbols(const struct rsp_cut_names *n, const struct rsp_snapshot *snap,
			 struct rsp_snapshot_writer *w)
{
	_cleanup_free_ void *data = NULL;
	struct rsp_symbols_builder *b;
	size_t len;
	int r = rsp_symbols_builder_new(&b);

	if (r < 0)
		return r;
	for (size_t i = snap->section_cnt; i-- > 0 && r == 0;)
		r = copy_symbols(n, &snap->sections[i], b);
	if (r == 0)
		r = rsp_symbols_builder_finish(b, &data, &len);
	rsp_symbols_builder_free(b);
	return r < 0 ? r : rsp_snapshot_write_section(w, RSP_SEC_SYMBOLS, data, len);
}

int rsp_cut_names_write(struct rsp_cut_names *n, const struct rsp_snapshot *snap,
			struct rsp_snapshot_writer *w)
{
	int r = write_records(n, snap, refer_socket, w);

	if (r == 0)
		r = write_records(n, snap, take_name, w);
	if (r == 0)
		r = write_records(n, snap, take_binary, w);
	return r < 0 ? r : write_symbols(n, snap, w);
}
