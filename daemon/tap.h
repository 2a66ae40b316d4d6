/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of the newest records, in order of arrival, for clients that follow the machine. The
 * window is encoded, so reading its last second is expensive.
 *
 * If more events occur than a client can read, the tap takes only slices of the time, and marks the
 * time between slices as pauses (LOST records with RSP_LOST_PAUSED). A slice contains the events of
 * all CPUs. The tap always takes stacks, names, births and deaths of threads, and records of
 * losses.
 */
#ifndef RSP_DAEMON_TAP_H
#define RSP_DAEMON_TAP_H

#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"

struct rsp_tap;

#define RSP_TAP_BYTES	(8UL << 20)
/* Time after the last read by a client at which the recorder frees the tap. */
#define RSP_TAP_IDLE_NS 15000000000ULL

/* Returns 0 or -ENOMEM. */
int rsp_tap_new(__u64 now_ns, struct rsp_tap **ret);
struct rsp_tap *rsp_tap_free(struct rsp_tap *tap);

/* The record must be valid. */
void rsp_tap_append(struct rsp_tap *tap, const void *record, size_t len);
/* Call it after each drain. Returns whether a client has read the tap within RSP_TAP_IDLE_NS. */
bool rsp_tap_poll(struct rsp_tap *tap, __u64 now_ns);

/* Records from a position on, oldest first, in two buffers. */
struct rsp_tap_part {
	const void *v[2];
	size_t len[2];
	__u64 position; /* position for the next read */
	bool missed;	/* some records after the requested position are gone */
};

/*
 * position: 0, or a position from an earlier call. For 0, returns no records, but a position for
 * the next call. ret is valid until the next rsp_tap_append() or rsp_tap_poll().
 */
void rsp_tap_read(struct rsp_tap *tap, __u64 position, __u64 now_ns, struct rsp_tap_part *ret);

#endif
