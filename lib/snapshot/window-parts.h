/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data structures of a window, shared by window.c, window-read.c and trail.c.
 *
 * A window is a list of about five generations. With each generation, the recorder begins an epoch
 * (bpf/rsp.bpf.h), in which it sends all names again. A generation is a list of segments. One coder
 * fills its segments one after the other, so a segment can be read only after the segments before
 * it.
 *
 * Segments are evicted one by one, oldest first. The names in an evicted segment move to the name
 * segments of the generation, since later events refer to them.
 */
#ifndef RSP_LIB_WINDOW_PARTS_H
#define RSP_LIB_WINDOW_PARTS_H

#include <stdbool.h>
#include <sys/queue.h>

#include "lib/snapshot/carry.h"
#include "lib/snapshot/segment.h"
#include "lib/snapshot/window.h"

struct segment {
	TAILQ_ENTRY(segment) link;
	struct rsp_segment *records;
	__u64 event_cnt,
		switch_cnt; /* number of events; number of SWITCH and WAKING records among them */
	size_t name_cnt;    /* STACK, OBJECT and SOCKET records */
	__u64 oldest_ns, newest_ns;
};

TAILQ_HEAD(segment_list, segment);

struct generation {
	TAILQ_ENTRY(generation) link;
	__u64 number;		      /* from 1 */
	struct segment_list segments; /* in order of arrival */
	size_t segment_cnt;	      /* number of segments added so far */
	size_t evicted_cnt;	      /* number of segments evicted so far */
	struct segment_list names;    /* names of evicted segments, filled by a separate coder */
};

TAILQ_HEAD(generation_list, generation);

/* Reads segments. The coder must have read all earlier segments of the generation. */
struct reader {
	struct rsp_coder *coder;
	char *chunk;
	size_t chunk_bytes;
};

struct rsp_window {
	struct generation_list generations; /* oldest first; the last one is being filled */
	size_t segment_cnt;   /* number of segments of all generations, with the spare segment */
	size_t segment_bytes; /* capacity of each segment */
	__u64 generation_cnt; /* number of generations that ever began */
	size_t generation_segments; /* number of segments in a complete generation */
	unsigned int coder_halvings;
	struct segment *open;  /* NULL: none */
	struct segment *spare; /* an evicted segment whose memory can be used again; NULL: none */
	struct rsp_coder *writer; /* coder that fills the open segment */
	/* its coder has read all evicted segments of the oldest generation */
	struct reader evictor;
	struct rsp_coder *namer; /* coder that fills the name segments of the oldest generation */
	struct rsp_carry *carry;
	__u64 evicted_ns; /* time of the newest evicted event */
	/*
	 * members that are counted as records arrive; rsp_window_get_stats() computes the other
	 * members
	 */
	struct rsp_window_stats stats;
};

int rsp_reader_init(struct reader *rd, size_t chunk_bytes, unsigned int coder_halvings);
void rsp_reader_done(struct reader *rd);
/* *pos is 0 at first. Returns the length of the records in rd->chunk; 0 at the end. */
size_t rsp_reader_next(struct reader *rd, const struct segment *seg, size_t *pos);

bool rsp_window_is_name(const struct rsp_ev_hdr *hdr);

/*
 * Returns whether the names of a generation are no longer needed, when gone_cnt segments of the
 * next generation are evicted. Records that were in rings when an epoch began still refer to names
 * of the previous epoch. These records are in the first half of the next generation, since this
 * half contains more than the rings.
 */
static inline bool rsp_outlives_stragglers(size_t gone_cnt, const struct generation *next)
{
	return gone_cnt * 2 >= next->segment_cnt;
}

#endif
