/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the newest summaries in memory. A summary is a line of text that this process never parses.
 * It is numbered from 1 on; the number never changes.
 */
#ifndef RSP_DAEMON_SUMMARY_RING_H
#define RSP_DAEMON_SUMMARY_RING_H

#include <stddef.h>
#include <stdint.h>

#include "rsp/summary.h"

#define RSP_SUMMARY_BOOT_BYTES 33 /* 32 hex digits */

struct rsp_summary_entry {
	uint64_t number;
	char *text;  /* NUL-terminated */
	size_t cost; /* its length as a JSON string */
};

/* All zero: an empty ring, except for boot, which identifies this ring. */
struct rsp_summary_ring {
	char boot[RSP_SUMMARY_BOOT_BYTES];
	uint64_t made; /* number of the newest summary; 0: none */
	struct rsp_summary_entry
		v[RSP_SUMMARY_CNT_MAX]; /* number n is at n % RSP_SUMMARY_CNT_MAX */
};

/*
 * Copies a text, and drops the oldest one if the ring is full. -EBADMSG: the text is empty, too
 * long, not valid UTF-8, or contains control characters; -ENOMEM. On failure nothing has changed.
 */
int rsp_summary_ring_put(struct rsp_summary_ring *ring, const char *text, size_t len);
/* NULL: the ring does not have this number any more, or not yet. Valid until the next put. */
const struct rsp_summary_entry *rsp_summary_ring_get(const struct rsp_summary_ring *ring,
						     uint64_t number);
/* Returns the number of the oldest summary in the ring; made + 1 if it is empty. */
uint64_t rsp_summary_ring_oldest(const struct rsp_summary_ring *ring);
void rsp_summary_ring_done(struct rsp_summary_ring *ring);

#endif
