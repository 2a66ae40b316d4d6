/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records made up, one after the other, as a snapshot would hold them: for benchmarks that need
 * millions of them, of known number and always the same. Memory that cannot be had ends the
 * program.
 */
#ifndef BENCH_MODEL_STREAM_H
#define BENCH_MODEL_STREAM_H

#include <stddef.h>

#include "lib/snapshot/snapshot.h"
#include "rsp/event.h"

#define STREAM_BASE_NS 1000000000ULL
#define STREAM_CPUS    8
#define STREAM_TARGET  1000 /* the process of interest: its tgid */

struct stream {
	char *bytes;
	size_t len, cap;
	size_t event_cnt; /* records that are events: not stacks, objects, sockets */
	size_t event_max; /* events beyond are not taken */
	__u64 now_ns;	  /* what a record is dated */
	__u64 random;	  /* state, not 0 */
};

/* Room for event_max events, which comes out of thin air until it is touched. */
void stream_init(struct stream *s, size_t event_max);
void stream_done(struct stream *s);

static inline bool stream_full(const struct stream *s)
{
	return s->event_cnt >= s->event_max;
}

/*
 * Writes the snapshot of these records to a file, as a recorder would: drained ten times a second,
 * one CPU after the other. Its META: all of the time, STREAM_TARGET.
 */
void stream_write(const struct stream *s, int fd);

/* --- chance: the same numbers everywhere ----------------------------------------------------- */

__u64 stream_random(struct stream *s);
__u32 stream_below(struct stream *s, __u32 n);
/* Mostly near mean, sometimes several times that: the sum of two dice, one of them skewed. */
__u64 stream_around(struct stream *s, __u64 mean);

/* --- records --------------------------------------------------------------------------------- */

#define STREAM_KSTACKS 256
#define STREAM_USTACKS 2048

/* What prev does when it leaves a CPU; zeroes: it goes idle. */
struct stream_wait {
	__u16 flags;
	__s32 syscall_nr;
	__u64 object;
	__u32 stack; /* any number: which stacks */
};

void stream_stacks(struct stream *s); /* all of them, to begin with */
void stream_file(struct stream *s, __u64 id, unsigned int number);
void stream_socket(struct stream *s, __u64 id, unsigned int number); /* its sk is id too */
void stream_task(struct stream *s, __u16 cpu, __u16 reason, __u32 tid, __u32 tgid, __u32 ptid,
		 const char *comm);
void stream_exit(struct stream *s, __u16 cpu, __u32 tid, __u32 tgid);
void stream_switch(struct stream *s, __u16 cpu, __u32 prev, __u32 next,
		   const struct stream_wait *wait);
void stream_waking(struct stream *s, __u16 cpu, __u32 waker, __u32 wakee, __u32 context,
		   __u64 cause, __u16 flags);
void stream_sample(struct stream *s, __u16 cpu, __u32 tid);
void stream_block(struct stream *s, __u16 cpu, __u16 flags, __u64 request, __u32 tid, __u64 object);
void stream_net(struct stream *s, __u16 cpu, __u16 flags, __u32 tid, __u64 sk);

#endif
