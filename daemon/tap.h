/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The newest records, as they came, for clients that follow what happens: the window keeps records
 * encoded, and reading its last second means decoding a fifth of it. The recorder has a tap only
 * while a client follows.
 *
 * A tap holds at most RSP_TAP_BYTES. If more events occur than a client can read within its own
 * budget, it takes only slices of the time, and marks the time between them as pauses (LOST records
 * with RSP_LOST_PAUSED). Slices are chosen by the time of an event, so all CPUs are in a slice or
 * none. Names and births and deaths of threads are always taken.
 */
#ifndef RSP_DAEMON_TAP_H
#define RSP_DAEMON_TAP_H

#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"

struct rsp_tap;

#define RSP_TAP_BYTES	(8UL << 20)
/* Without a client for so long, a tap is of no use any more. */
#define RSP_TAP_IDLE_NS 15000000000ULL

/* 0 or -ENOMEM. */
int rsp_tap_new(__u64 now_ns, struct rsp_tap **ret);
struct rsp_tap *rsp_tap_free(struct rsp_tap *tap);

/* Takes a valid record. */
void rsp_tap_append(struct rsp_tap *tap, const void *record, size_t len);
/*
 * Called after each drain: marks pauses that have ended, and decides how long later slices are.
 * Returns whether a client has read within RSP_TAP_IDLE_NS.
 */
bool rsp_tap_poll(struct rsp_tap *tap, __u64 now_ns);

/* Records since a position, oldest first, in two pieces of which either may be empty. */
struct rsp_tap_part {
	const void *v[2];
	size_t len[2];
	__u64 position; /* the end of them: where the next part begins */
	bool missed;	/* records between the wanted position and the first one are gone */
};

/*
 * position: that of an earlier part; any other one leads to bytes that may be no records, or to
 * none. ret is valid until the next record is appended.
 */
void rsp_tap_read(struct rsp_tap *tap, __u64 position, __u64 now_ns, struct rsp_tap_part *ret);

#endif
