/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See disk-states.h. */
#include "lib/model/waits/disk-states.h"

/* Returns the first time in v after at_ns, or the last time in v if no time is later. */
static __u64 next_of(const __u64 *v, size_t cnt, __u64 at_ns)
{
	size_t i = 0;

	while (i + 1 < cnt && v[i] <= at_ns)
		i++;
	return v[i];
}

/*
 * If only the end of a request was recorded, RSP assumes that the request began with the wait, or
 * when its cgroup released it.
 */
static enum rsp_disk_state request_state(const struct rsp_request *req, __u64 at_ns,
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
		return RSP_DISK_ACTIVE;
	if (at_ns >= insert_ns && at_ns < issue_ns)
		return RSP_DISK_QUEUED;
	return at_ns < held_ns ? RSP_DISK_HELD : RSP_DISK_NONE;
}

static enum rsp_disk_state state_at(const struct rsp_in_flight *fl, __u64 at_ns,
				    __u64 *ret_until_ns)
{
	enum rsp_disk_state state = RSP_DISK_NONE;

	*ret_until_ns = UINT64_MAX;
	for (size_t i = 0; i < fl->cnt; i++) {
		__u64 until_ns;
		enum rsp_disk_state its = request_state(fl->v[i], at_ns, &until_ns);

		if (state < its)
			state = its;
		if (*ret_until_ns > until_ns)
			*ret_until_ns = until_ns;
	}
	return state;
}

enum rsp_disk_state rsp_in_flight_state(const struct rsp_in_flight *fl, __u64 at_ns, __u64 to_ns,
					__u64 *ret_until_ns)
{
	__u64 until_ns, next_ns;
	enum rsp_disk_state state = state_at(fl, at_ns, &until_ns);

	while (until_ns < to_ns && state_at(fl, until_ns, &next_ns) == state)
		until_ns = next_ns;
	*ret_until_ns = until_ns < to_ns ? until_ns : to_ns;
	return state;
}

__u64 rsp_in_flight_limit(const struct rsp_in_flight *fl, __u64 at_ns)
{
	for (size_t i = 0; i < fl->cnt; i++)
		if (fl->v[i]->held && at_ns < fl->v[i]->held->from_ns)
			return fl->v[i]->held->object;
	return 0;
}

void rsp_in_flight_find(const struct rsp_ops *ops, __u32 disk_wait, struct rsp_in_flight *ret)
{
	ret->cnt = rsp_ops_in_flight(ops, &ops->disk_waits.v[disk_wait], ret->v, RSP_IN_FLIGHT_MAX);
}
