/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits that the completion of a disk request ended -> what the disk did meanwhile. */
#include "attribute-parts.h"
#include "used.h"

/* So many requests of one wait are compared: more than one thread usually has at a device. */
#define IN_FLIGHT_MAX 64

struct in_flight {
	const struct rsp_request *v[IN_FLIGHT_MAX];
	size_t cnt;
};

/* In ascending order: of several requests in flight, the highest state counts. */
enum disk_state {
	STATE_NONE, /* the kernel's own */
	STATE_HELD, /* by the I/O limit of a cgroup */
	STATE_QUEUED,
	STATE_ACTIVE,
};

/* The first of the times after at_ns; if there is none, the last. */
static __u64 next_of(const __u64 *v, size_t cnt, __u64 at_ns)
{
	size_t i = 0;

	while (i + 1 < cnt && v[i] <= at_ns)
		i++;
	return v[i];
}

/*
 * A request of which only the end was seen (a cache flush is carried out by another, the file
 * system's) began with the wait, or when its cgroup let it go.
 */
static enum disk_state request_state(const struct rsp_request *req, __u64 at_ns,
				     __u64 *ret_until_ns)
{
	__u64 held_ns = req->held ? req->held->from_ns : 0;
	__u64 begun_ns = req->insert_ns ? req->insert_ns : held_ns;
	__u64 issue_ns = req->issue_ns ? req->issue_ns : begun_ns;
	__u64 insert_ns = req->insert_ns ? req->insert_ns : issue_ns;
	__u64 done_ns = req->done_ns ? req->done_ns : UINT64_MAX;
	const __u64 steps[] = {held_ns, insert_ns, issue_ns, done_ns, UINT64_MAX};

	*ret_until_ns = next_of(steps, sizeof(steps) / sizeof(steps[0]), at_ns);
	if (at_ns >= issue_ns && at_ns < done_ns)
		return STATE_ACTIVE;
	if (at_ns >= insert_ns && at_ns < issue_ns)
		return STATE_QUEUED;
	return at_ns < held_ns ? STATE_HELD : STATE_NONE;
}

/*
 * What the disk did at a time, and until when for certain. Before a request existed and after it
 * was done the wait was the kernel's own, unless a limit held the request back.
 */
static enum disk_state disk_state(const struct in_flight *fl, __u64 at_ns, __u64 *ret_until_ns)
{
	enum disk_state state = STATE_NONE;

	*ret_until_ns = UINT64_MAX;
	for (size_t i = 0; i < fl->cnt; i++) {
		__u64 until_ns;
		enum disk_state its = request_state(fl->v[i], at_ns, &until_ns);

		if (state < its)
			state = its;
		if (*ret_until_ns > until_ns)
			*ret_until_ns = until_ns;
	}
	return state;
}

/* The file; metadata is the disk's. */
static __u32 name_disk_wait(struct rsp_attribution *a, const struct rsp_request *req,
			    const struct rsp_ev_switch *out)
{
	__u32 file = rsp_names_object(a->names, rsp_ops_file(a->model->trace, req, out));

	return file ? file : rsp_names_device(a->names, req->dev);
}

/* Whose request was ahead of the one that queues at that time. */
static __u32 name_ahead(struct rsp_attribution *a, const struct in_flight *fl, __u64 at_ns)
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

/* The cgroup whose limit holds a request back at that time. */
static __u32 name_limit(struct rsp_attribution *a, const struct in_flight *fl, __u64 at_ns)
{
	for (size_t i = 0; i < fl->cnt; i++)
		if (fl->v[i]->held && at_ns < fl->v[i]->held->from_ns)
			return rsp_names_object(a->names, fl->v[i]->held->object);
	return 0;
}

/* One state of the wait, until until_ns. */
static void tell_state(struct rsp_attribution *a, struct rsp_piece *p, const struct in_flight *fl,
		       enum disk_state state, __u64 until_ns, struct rsp_label label)
{
	static const enum rsp_category categories[] = {
		[STATE_NONE] = RSP_CAT_KERNEL,
		[STATE_HELD] = RSP_CAT_DISK_QUEUED,
		[STATE_QUEUED] = RSP_CAT_DISK_QUEUED,
		[STATE_ACTIVE] = RSP_CAT_DISK_ACTIVE,
	};
	unsigned int flags = p->flags;

	if (state == STATE_HELD) {
		p->flags |= RSP_HOP_THROTTLED;
		label.behind = name_limit(a, fl, p->from_ns);
	} else if (state == STATE_QUEUED) {
		label.behind = name_ahead(a, fl, p->from_ns);
	}
	rsp_attribute_leaf_until(a, p, until_ns, categories[state], label);
	p->flags = flags;
}

/* Active while the disk works at any of the wait's requests, queued while all of them are. */
void rsp_attribute_disk(struct rsp_attribution *a, struct rsp_piece *p)
{
	const struct rsp_ops *ops = &a->model->ops;
	struct rsp_label label = rsp_attribute_label(a, p->span->out);
	struct in_flight fl;

	fl.cnt = rsp_ops_in_flight(ops, &ops->disk_waits.v[p->span->cause_id], fl.v, IN_FLIGHT_MAX);
	for (size_t i = 0; i < fl.cnt; i++)
		rsp_used_request(a->used, (__u32)(fl.v[i] - ops->requests.v));
	label.object = name_disk_wait(a, fl.v[0], p->span->out);
	if (!p->why && rsp_place_of(a->places, p->span) == RSP_PLACE_SWAP)
		p->why = RSP_WHY_SWAP;
	while (p->from_ns < p->to_ns) {
		__u64 until_ns, next_ns;
		enum disk_state state = disk_state(&fl, p->from_ns, &until_ns);

		while (until_ns < p->to_ns && disk_state(&fl, until_ns, &next_ns) == state)
			until_ns = next_ns;
		tell_state(a, p, &fl, state, until_ns, label);
	}
}

/* The reason for which the kernel slows down a thread that sleeps at this place. */
static enum rsp_why why_slowed(enum rsp_place place)
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

/* Whether a timer or another task ended the sleep does not matter: the kernel chose its length. */
bool rsp_attribute_slowed(struct rsp_attribution *a, const struct rsp_piece *p)
{
	struct rsp_piece slow = *p;
	bool of_memory;

	slow.why = why_slowed(rsp_place_of(a->places, p->span));
	if (p->why || !slow.why)
		return false;
	slow.flags |= RSP_HOP_THROTTLED;
	of_memory = slow.why == RSP_WHY_MEMORY_HIGH;
	rsp_attribute_leaf(a, &slow, of_memory ? RSP_CAT_KERNEL : RSP_CAT_DISK_QUEUED,
			   rsp_attribute_label(a, p->span->out));
	return true;
}
