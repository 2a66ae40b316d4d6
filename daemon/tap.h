/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of the newest records, in order of arrival, for clients that follow the machine. The
 * window keeps records encoded, so reading its last second means decoding a fifth of the window.
 * The recorder has a tap only while a client follows the machine.
 *
 * A tap holds at most RSP_TAP_BYTES. If more events occur than a client can read within its own
 * budget, the tap takes only slices of the time, and marks the time between slices as pauses (LOST
 * records with RSP_LOST_PAUSED). The time of an event decides whether it is in a slice, so a slice
 * contains the events of all CPUs. The tap always takes stacks, names, births and deaths of
 * threads, and records of losses.
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

/*
 * Copies a record if its time is in a slice, or if the tap always takes records of its kind. The
 * record must be valid.
 */
void rsp_tap_append(struct rsp_tap *tap, const void *record, size_t len);
/*
 * Marks pauses that have ended, and chooses the length of later slices. Call it after each drain.
 * Returns whether a client has read the tap within RSP_TAP_IDLE_NS.
 */
bool rsp_tap_poll(struct rsp_tap *tap, __u64 now_ns);

/* Records from a position on, oldest first, in two buffers. Each buffer may be empty. */
struct rsp_tap_part {
	const void *v[2];
	size_t len[2];
	__u64 position; /* end of these records, and beginning of the records after them */
	bool missed;	/* some records after the requested position are gone */
};

/*
 * Reads the records from position on. position must come from an earlier call. If it is 0, returns
 * no records, but a position for the next call. From any other position, the bytes may not be whole
 * records. ret is valid until the next rsp_tap_append() or rsp_tap_poll().
 */
void rsp_tap_read(struct rsp_tap *tap, __u64 position, __u64 now_ns, struct rsp_tap_part *ret);

#endif
