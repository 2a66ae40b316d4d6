/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds the memory that threads allocated, freed or touched to a profile, by stack. A MEMORY record
 * contains the sums since the beginning of its watch, so only the newest record of each stack is
 * used.
 */
#include "lib/profile/profile-parts.h"

static const struct rsp_ev_memory_watch *find_watch(const struct rsp_model *m, __u32 kind)
{
	for (size_t i = m->trace->event_cnt; i-- > 0;) {
		const struct rsp_ev_hdr *hdr = m->trace->events[i];

		if (hdr->ts_ns < m->since_ns)
			break;
		if (hdr->kind == RSP_EV_MEMORY_WATCH && hdr->flags & 1U << kind)
			return (const void *)hdr;
	}
	return NULL;
}

static __u64 weight_of(const struct rsp_ev_memory *ev, enum rsp_profile_kind kind)
{
	if (kind == RSP_PROFILE_LEAKS)
		return ev->live_bytes;
	return kind == RSP_PROFILE_FAULTS ? ev->cnt : ev->bytes;
}

static void add_record(struct rsp_profile_builder *b, const struct rsp_ev_memory *ev)
{
	__u64 until_ns = b->model->until_ns;
	const char *comm = rsp_names_text(b->names, rsp_names_tid(b->names, ev->tgid, until_ns));
	__u64 weight = weight_of(ev, b->opt->kind);
	__u32 base, node;

	/*
	 * A watch of memory covers one process and its descendants, so all of its records belong to
	 * the family of this process.
	 */
	if (!weight || (!b->family && !rsp_profile_wants(b, ev->tgid, comm)))
		return;
	base = rsp_profile_base(
		b, comm, rsp_names_text(b->names, rsp_names_tid(b->names, ev->tid, until_ns)),
		ev->tid);
	node = rsp_profile_stack(b, base, ev->kstack, ev->ustack);
	if (node == base)
		node = rsp_profile_no_stack(b, base);
	rsp_profile_add(b, node, weight,
			b->opt->kind == RSP_PROFILE_LEAKS ? ev->live_cnt : ev->cnt);
}

void rsp_profile_memory(struct rsp_profile_builder *b)
{
	const struct rsp_trace *trace = b->model->trace;
	__u32 kind = rsp_profile_words(b->opt->kind)->memory;

	b->profile.watch = find_watch(b->model, kind);
	for (size_t i = trace->event_cnt; b->profile.watch && i-- > 0 && !b->error;) {
		const struct rsp_ev_hdr *hdr = trace->events[i];

		if (hdr->ts_ns < b->profile.watch->hdr.ts_ns)
			break;
		if (hdr->kind == RSP_EV_MEMORY && hdr->flags == kind &&
		    hdr->ts_ns == b->profile.watch->hdr.ts_ns)
			add_record(b, (const void *)hdr);
	}
}
