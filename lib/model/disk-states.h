/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A wait that the completion of a disk request ended -> what the disk did meanwhile. */
#ifndef RSP_LIB_DISK_STATES_H
#define RSP_LIB_DISK_STATES_H

#include "ops.h"

/* So many requests of one wait are compared: more than one thread usually has at a device. */
#define RSP_IN_FLIGHT_MAX 64

struct rsp_in_flight {
	const struct rsp_request *v[RSP_IN_FLIGHT_MAX]; /* first the one that ended the wait */
	size_t cnt;
};

/* In ascending order: of several requests in flight, the highest state counts. */
enum rsp_disk_state {
	RSP_DISK_NONE, /* the kernel's own */
	RSP_DISK_HELD, /* by the I/O limit of a cgroup */
	RSP_DISK_QUEUED,
	RSP_DISK_ACTIVE,
};

void rsp_in_flight_find(const struct rsp_ops *ops, __u32 disk_wait, struct rsp_in_flight *ret);

/*
 * The state at a time before to_ns, and until when it lasts, but not beyond to_ns. Before a request
 * existed and after it was done the wait was the kernel's own, unless a limit held the request
 * back.
 */
enum rsp_disk_state rsp_in_flight_state(const struct rsp_in_flight *fl, __u64 at_ns, __u64 to_ns,
					__u64 *ret_until_ns);

/* OBJECT id of the cgroup whose limit holds a request back at that time; 0: none. */
__u64 rsp_in_flight_limit(const struct rsp_in_flight *fl, __u64 at_ns);

#endif
