/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the newest summaries in memory. A summary is a line of text, which rspd never parses. */
#ifndef RSP_DAEMON_SUMMARY_RING_H
#define RSP_DAEMON_SUMMARY_RING_H

#include <stddef.h>
#include <stdint.h>

#include "rsp/summary.h"

#define RSP_SUMMARY_BOOT_BYTES 33 /* 32 hex digits */

struct rsp_summary_entry {
	uint64_t number;
	char *text;  /* NUL-terminated */
	size_t cost; /* length of text within a JSON string */
};

/* All zeroes: an empty ring. boot: a random ID of this start of the recorder. */
struct rsp_summary_ring {
	char boot[RSP_SUMMARY_BOOT_BYTES];
	uint64_t made; /* number of the newest summary; 0: the ring is empty */
	struct rsp_summary_entry
		v[RSP_SUMMARY_CNT_MAX]; /* summary n is at index n % RSP_SUMMARY_CNT_MAX */
};

/*
 * If the ring is full, drops the oldest summary. Returns 0; -EBADMSG: the text is empty, too long,
 * not valid UTF-8, or contains control characters; -ENOMEM. On failure nothing has changed.
 */
int rsp_summary_ring_put(struct rsp_summary_ring *ring, const char *text, size_t len);
/*
 * Returns NULL if the ring has dropped the summary or does not have it yet. The result is valid
 * until the next rsp_summary_ring_put().
 */
const struct rsp_summary_entry *rsp_summary_ring_get(const struct rsp_summary_ring *ring,
						     uint64_t number);
/* Returns made + 1 if the ring is empty. */
uint64_t rsp_summary_ring_oldest(const struct rsp_summary_ring *ring);
void rsp_summary_ring_done(struct rsp_summary_ring *ring);

#endif
