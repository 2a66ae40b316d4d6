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

/*
 * What the disk did at a time, and until when for certain. Before a request existed and after it
 * was done the wait was the kernel's own. A request of which only the end was seen (a cache flush
 * is carried out by another, the file system's) began with the wait.
 */
static enum rsp_category disk_state(const struct in_flight *fl, __u64 at_ns, __u64 *ret_until_ns)
{
	enum rsp_category cat = RSP_CAT_KERNEL;

	*ret_until_ns = UINT64_MAX;
	for (size_t i = 0; i < fl->cnt; i++) {
		const struct rsp_request *req = fl->v[i];
		__u64 issue_ns = req->issue_ns ? req->issue_ns : req->insert_ns;
		__u64 insert_ns = req->insert_ns ? req->insert_ns : issue_ns;
		__u64 done_ns = req->done_ns ? req->done_ns : UINT64_MAX;
		__u64 next_ns = at_ns < insert_ns  ? insert_ns
				: at_ns < issue_ns ? issue_ns
				: at_ns < done_ns  ? done_ns
						   : UINT64_MAX;

		if (at_ns >= issue_ns && at_ns < done_ns)
			cat = RSP_CAT_DISK_ACTIVE;
		else if (at_ns >= insert_ns && at_ns < issue_ns && cat == RSP_CAT_KERNEL)
			cat = RSP_CAT_DISK_QUEUED;
		if (*ret_until_ns > next_ns)
			*ret_until_ns = next_ns;
	}
	return cat;
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
	while (p->from_ns < p->to_ns) {
		__u64 until_ns, next_ns;
		enum rsp_category cat = disk_state(&fl, p->from_ns, &until_ns);

		while (until_ns < p->to_ns && disk_state(&fl, until_ns, &next_ns) == cat)
			until_ns = next_ns;
		label.behind = cat == RSP_CAT_DISK_QUEUED ? name_ahead(a, &fl, p->from_ns) : 0;
		rsp_attribute_leaf_until(a, p, until_ns, cat, label);
	}
}
