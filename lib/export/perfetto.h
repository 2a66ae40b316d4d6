/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that the parts of the Perfetto writer share. They write packets one by one. */
#ifndef RSP_LIB_EXPORT_PERFETTO_H
#define RSP_LIB_EXPORT_PERFETTO_H

#include "lib/export/export-parts.h"
#include "lib/export/proto/perfetto.pb-c.h"

#define PB(name)      Perfetto__Protos__##name
#define PB_INIT(name) PERFETTO__PROTOS__##name##__INIT

struct rsp_perfetto {
	struct rsp_export *x;
	FILE *out;
	int error; /* the first error, or 0 */
	__u8 *buf;
	size_t buf_size;
	bool begun;
	/* for each thread: the thread that had its ID before, or RSP_NO_THREAD */
	__u32 *former;
	struct rsp_intern titles;
	/* Tables for samples. */
	struct rsp_intern functions, paths, build_ids, mappings, frames, callstacks;
	struct rsp_idmap mapping_of;   /* from the number of a binary to a mapping */
	struct rsp_idmap callstack_of; /* from a hash of kstack and ustack to a callstack */
	struct rsp_export_frame scratch[RSP_EXPORT_FRAMES_MAX];
};

#define PB_SET(message, field, value)                                                              \
	do {                                                                                       \
		(message)->has_##field = true;                                                     \
		(message)->field = (value);                                                        \
	} while (0)

/* The thread's ID belongs to the thread from this time in the file on. */
static inline __u64 rsp_perfetto_begin(const struct rsp_perfetto *p, size_t thread)
{
	const struct rsp_model *m = p->x->model;

	return p->former[thread] == RSP_NO_THREAD ? m->since_ns : m->threads.v[thread].known_ns;
}

/* Adds the header of the sequence to a packet, and writes the packet. */
void rsp_perfetto_put(struct rsp_perfetto *p, PB(TracePacket) * packet);
/*
 * Writes the descriptor of a thread's track as a sequence of its own. Otherwise, Perfetto would
 * begin threads too early: it reads all descriptors of a sequence at the first event of a track
 * that has no thread.
 */
void rsp_perfetto_put_thread(struct rsp_perfetto *p, PB(TracePacket) * packet);
/* Writes a packet with events of the kernel. Such packets belong to no sequence. */
void rsp_perfetto_put_ftrace(struct rsp_perfetto *p, PB(FtraceEventBundle) * bundle);

enum rsp_perfetto_track {
	RSP_TRACK_THREAD = 1,
	RSP_TRACK_PATHS,
	RSP_TRACK_PATH,
	RSP_TRACK_ABOUT,
	RSP_TRACK_LOST
};

static inline uint64_t rsp_perfetto_track(enum rsp_perfetto_track kind, size_t index)
{
	return (uint64_t)kind << 32 | (uint64_t)index;
}

/* The caller has set all fields except the name. title NULL: no name. */
void rsp_perfetto_event(struct rsp_perfetto *p, __u64 ts_ns, PB(TrackEvent) * event,
			const char *title);

void rsp_perfetto_put_sched(struct rsp_perfetto *p);   /* perfetto-sched.c */
void rsp_perfetto_put_samples(struct rsp_perfetto *p); /* perfetto-samples.c */
void rsp_perfetto_put_events(struct rsp_perfetto *p);  /* perfetto-events.c */

#endif
