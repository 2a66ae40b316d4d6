/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of window.c and window-read.c: what a window consists of.
 *
 * A window is a list of generations, some five of them. In a generation each stack and each name
 * comes once, ahead of the events that refer to it: the recorder begins an epoch with each. A
 * generation is a list of segments, filled one after the other by one coder, so a segment can be
 * read only after those before it. Segments are evicted one by one, the oldest first. The names in
 * an evicted segment move to the name segments of the generation, since later events refer to them.
 */
#ifndef RSP_LIB_WINDOW_PARTS_H
#define RSP_LIB_WINDOW_PARTS_H

#include <stdbool.h>
#include <sys/queue.h>

#include "carry.h"
#include "segment.h"
#include "window.h"

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
	struct segment_list segments; /* in order of arrival */
	size_t segment_cnt;	      /* that it ever had */
	size_t evicted_cnt;	      /* of them */
	struct segment_list names;    /* of the evicted ones: filled by a coder of their own */
};

TAILQ_HEAD(generation_list, generation);

/* What it takes to read segments, which go on where the coder is. */
struct reader {
	struct rsp_coder *coder;
	char *chunk;
	size_t chunk_bytes;
};

struct rsp_window {
	struct generation_list generations; /* oldest first; the last one is being filled */
	size_t segment_cnt;		    /* of all generations, and the spare one */
	size_t segment_bytes;		    /* capacity of each */
	size_t generation_segments;	    /* after so many the next generation begins */
	unsigned int coder_halvings;
	struct segment *open;	  /* the last one, NULL: none */
	struct segment *spare;	  /* memory of an evicted one */
	struct rsp_coder *writer; /* as of the end of the open segment */
	struct reader evictor;	  /* as of the end of the segment that was evicted last */
	struct rsp_coder *namer;  /* as of the end of the names of its generation */
	struct rsp_carry *carry;
	__u64 evicted_ns;	       /* of the newest event ever evicted */
	struct rsp_window_stats stats; /* those that are counted, not computed */
};

int rsp_reader_init(struct reader *rd, size_t chunk_bytes, unsigned int coder_halvings);
void rsp_reader_done(struct reader *rd);
/* The next records of a segment, *pos is 0 at first. Returns their length, 0 at the end. */
size_t rsp_reader_next(struct reader *rd, const struct segment *seg, size_t *pos);

bool rsp_window_is_name(const struct rsp_ev_hdr *hdr);

/*
 * What lay in rings when an epoch began refers to names of the one before. So the names of a
 * generation stay until half of the next one is evicted as well: an eighth of the window holds more
 * than rings of its size do.
 */
static inline bool rsp_outlives_stragglers(size_t gone_cnt, const struct generation *next)
{
	return gone_cnt * 2 >= next->segment_cnt;
}

#endif
