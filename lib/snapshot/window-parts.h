/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data structures of a window, shared by window.c and window-read.c.
 *
 * A window is a list of about five generations. In a generation each stack and each name comes
 * once, before the events that refer to it, because the recorder begins an epoch with each
 * generation. A generation is a list of segments. One coder fills these one after the other, so a
 * segment can be read only after the segments before it.
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
	__u64 event_cnt, switch_cnt; /* as in struct rsp_window_stats */
	size_t name_cnt;	     /* STACK, OBJECT and SOCKET records */
	__u64 oldest_ns, newest_ns;  /* of its events */
};

TAILQ_HEAD(segment_list, segment);

struct generation {
	TAILQ_ENTRY(generation) link;
	__u64 number;		      /* counts up */
	struct segment_list segments; /* in order of arrival */
	size_t segment_cnt;	      /* number of segments added so far */
	size_t evicted_cnt;	      /* number of segments evicted so far */
	struct segment_list names;    /* names of evicted segments, filled by a separate coder */
};

TAILQ_HEAD(generation_list, generation);

/* Reads segments. The coder must have seen all earlier segments of the generation. */
struct reader {
	struct rsp_coder *coder;
	char *chunk;
	size_t chunk_bytes;
};

struct rsp_window {
	struct generation_list generations; /* oldest first; the last one is being filled */
	size_t segment_cnt;		    /* segments of all generations, and the spare segment */
	size_t segment_bytes;		    /* capacity of each */
	__u64 generation_cnt;		    /* that ever began */
	size_t generation_segments;	    /* size at which a generation is complete */
	unsigned int coder_halvings;
	struct segment *open;	  /* segment that is being filled, NULL: none */
	struct segment *spare;	  /* memory of an evicted segment */
	struct rsp_coder *writer; /* has learned from the whole open segment */
	struct reader evictor;	  /* has learned from all of the segment evicted last */
	struct rsp_coder *namer;  /* has learned the names of the evicted generation */
	struct rsp_carry *carry;
	__u64 evicted_ns;	       /* time of the newest evicted event */
	struct rsp_window_stats stats; /* figures that are counted; the others are computed */
};

int rsp_reader_init(struct reader *rd, size_t chunk_bytes, unsigned int coder_halvings);
void rsp_reader_done(struct reader *rd);
/*
 * Reads the next records of a segment into the chunk. *pos is 0 at first. Returns their length, 0
 * at the end.
 */
size_t rsp_reader_next(struct reader *rd, const struct segment *seg, size_t *pos);

bool rsp_window_is_name(const struct rsp_ev_hdr *hdr);

/*
 * Returns whether the names of a generation are no longer needed when gone_cnt segments of the next
 * generation are gone. Records that lay in rings when an epoch began still refer to names of the
 * previous epoch. Those records go to the first half of the next generation, which holds more than
 * the rings do. So the names stay until that half is evicted, too.
 */
static inline bool rsp_outlives_stragglers(size_t gone_cnt, const struct generation *next)
{
	return gone_cnt * 2 >= next->segment_cnt;
}

#endif
