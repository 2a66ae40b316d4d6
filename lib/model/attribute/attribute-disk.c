/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains waits for disk requests by the state of the requests during the wait. */
#include "lib/model/attribute/attribute-parts.h"
#include "lib/model/waits/disk-states.h"
#include "lib/model/waits/used.h"

static __u32 name_disk_wait(struct rsp_attribution *a, const struct rsp_request *req,
			    const struct rsp_ev_switch *out)
{
	__u32 file = rsp_names_object(a->names, rsp_ops_file(a->model->trace, req, out));

	return file ? file : rsp_names_device(a->names, req->dev);
}

static __u32 name_ahead(struct rsp_attribution *a, const struct rsp_in_flight *fl, __u64 at_ns)
{
	const struct rsp_model *m = a->model;

	for (size_t i = 0; i < fl->cnt; i++) {
		const struct rsp_request *req = fl->v[i], *ahead;

		if (!req->insert_ns || req->insert_ns > at_ns || req->issue_ns <= at_ns ||
		    req->ahead == RSP_NO_REQUEST)
			continue;
		ahead = &m->ops.requests.v[req->ahead];
		rsp_used_request(a->used, req->ahead);
		if (ahead->issuer != RSP_NO_THREAD)
			return rsp_names_thread(a->names, &m->threads.v[ahead->issuer], at_ns);
	}
	return 0;
}

static void attribute_to_state(struct rsp_attribution *a, struct rsp_piece *p,
			       const struct rsp_in_flight *fl, enum rsp_disk_state state,
			       __u64 until_ns, struct rsp_label label)
{
	static const enum rsp_category categories[] = {
		[RSP_DISK_NONE] = RSP_CAT_KERNEL,
		[RSP_DISK_HELD] = RSP_CAT_DISK_QUEUED,
		[RSP_DISK_QUEUED] = RSP_CAT_DISK_QUEUED,
		[RSP_DISK_ACTIVE] = RSP_CAT_DISK_ACTIVE,
	};
	unsigned int flags = p->flags;

	if (state == RSP_DISK_HELD) {
		p->flags |= RSP_HOP_THROTTLED;
		label.behind = rsp_names_object(a->names, rsp_in_flight_limit(fl, p->from_ns));
	} else if (state == RSP_DISK_QUEUED) {
		label.behind = name_ahead(a, fl, p->from_ns);
	}
	rsp_attribute_leaf_until(a, p, until_ns, categories[state], label);
	p->flags = flags;
}

/* Divides the wait by the states of the thread's disk requests (disk-states.h). */
void rsp_attribute_disk(struct rsp_attribution *a, struct rsp_piece *p)
{
	const struct rsp_ops *ops = &a->model->ops;
	struct rsp_label label = rsp_attribute_label(a, p->span->out);
	struct rsp_in_flight fl;

	rsp_in_flight_find(ops, p->span->cause_id, &fl);
	for (size_t i = 0; i < fl.cnt; i++)
		rsp_used_request(a->used, (__u32)(fl.v[i] - ops->requests.v));
	label.object = name_disk_wait(a, fl.v[0], p->span->out);
	if (!p->why && rsp_place_of(a->places, p->span) == RSP_PLACE_SWAP)
		p->why = RSP_WHY_SWAP;
	while (p->from_ns < p->to_ns) {
		__u64 until_ns;
		enum rsp_disk_state state = rsp_in_flight_state(&fl, p->from_ns, p->to_ns,
								&until_ns);

		attribute_to_state(a, p, &fl, state, until_ns, label);
	}
}

static enum rsp_why reason_of_place(enum rsp_place place)
{
	switch (place) {
	case RSP_PLACE_DIRTY_PAGES:
		return RSP_WHY_DIRTY_PAGES;
	case RSP_PLACE_IO_SHARE:
		return RSP_WHY_IO_SHARE;
	case RSP_PLACE_MEMORY_HIGH:
		return RSP_WHY_MEMORY_HIGH;
	default:
		return RSP_WHY_NONE;
	}
}

/* The kernel chose the length of the sleep, so the event that ended it does not matter. */
bool rsp_attribute_slowed(struct rsp_attribution *a, const struct rsp_piece *p)
{
	struct rsp_piece slow = *p;
	bool of_memory;

	slow.why = reason_of_place(rsp_place_of(a->places, p->span));
	if (p->why || !slow.why)
		return false;
	slow.flags |= RSP_HOP_THROTTLED;
	of_memory = slow.why == RSP_WHY_MEMORY_HIGH;
	rsp_attribute_leaf(a, &slow, of_memory ? RSP_CAT_KERNEL : RSP_CAT_DISK_QUEUED,
			   rsp_attribute_label(a, p->span->out));
	return true;
}
