/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a stream of records like those in a snapshot, the same in each run. If memory runs out, the
 * program ends.
 */
#ifndef BENCH_MODEL_STREAM_H
#define BENCH_MODEL_STREAM_H

#include <stddef.h>

#include "lib/snapshot/snapshot.h"
#include "rsp/event.h"

#define STREAM_BASE_NS 1000000000ULL
#define STREAM_CPUS    8
#define STREAM_TARGET  1000 /* tgid of the process of interest */

struct stream {
	char *bytes;
	size_t len, cap;
	size_t event_cnt; /* without the records of stacks, objects and sockets */
	size_t event_max; /* events beyond this number are ignored */
	__u64 now_ns;
	__u64 random; /* state of the generator, not 0 */
};

void stream_init(struct stream *s, size_t event_max);
void stream_done(struct stream *s);

static inline bool stream_full(const struct stream *s)
{
	return s->event_cnt >= s->event_max;
}

/*
 * Writes a snapshot of the stream's records to a file. As in a recorder, the records are drained
 * ten times a second, one CPU after the other. META contains the whole span, and STREAM_TARGET as
 * the target.
 */
void stream_write(const struct stream *s, int fd);

/* --- random numbers, which are the same in each run ------------------------------------------- */

__u64 stream_random(struct stream *s);
__u32 stream_below(struct stream *s, __u32 n);
/* Returns a random number, which is mostly near mean, and sometimes several times as large. */
__u64 stream_around(struct stream *s, __u64 mean);

/* --- records --------------------------------------------------------------------------------- */

#define STREAM_KSTACKS 256
#define STREAM_USTACKS 2048

/* The wait for which a task leaves a CPU; all zeros if the CPU was idle. */
struct stream_wait {
	__u16 flags;
	__s32 syscall_nr;
	__u64 object;
	__u32 stack; /* selects the stacks; any number */
};

void stream_stacks(struct stream *s); /* adds all stacks; must be called first */
void stream_file(struct stream *s, __u64 id, unsigned int number);
void stream_socket(struct stream *s, __u64 id, unsigned int number); /* its sk is id, too */
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
