/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a wait for a disk, from the states of the thread's disk requests. */
#ifndef RSP_LIB_DISK_STATES_H
#define RSP_LIB_DISK_STATES_H

#include "lib/model/ops.h"

struct rsp_in_flight {
	const struct rsp_request *v[RSP_IN_FLIGHT_MAX]; /* v[0]: rsp_disk_wait.request */
	size_t cnt;
};

/* If several requests are in flight, the state with the highest number counts. */
enum rsp_disk_state {
	RSP_DISK_NONE, /* no request was at the disk; the kernel used the time */
	RSP_DISK_HELD, /* the I/O limit of a cgroup held the request back */
	RSP_DISK_QUEUED,
	RSP_DISK_ACTIVE,
};

/* Finds the requests that were in flight during a wait; disk_wait: index in ops->disk_waits. */
void rsp_in_flight_find(const struct rsp_ops *ops, __u32 disk_wait, struct rsp_in_flight *ret);

/*
 * Returns the state at at_ns and, in *ret_until_ns, the end of this state, at most to_ns. at_ns
 * must be before to_ns.
 */
enum rsp_disk_state rsp_in_flight_state(const struct rsp_in_flight *fl, __u64 at_ns, __u64 to_ns,
					__u64 *ret_until_ns);

/* Returns the OBJECT id of the cgroup whose limit holds a request back at at_ns, or 0. */
__u64 rsp_in_flight_limit(const struct rsp_in_flight *fl, __u64 at_ns);

#endif
