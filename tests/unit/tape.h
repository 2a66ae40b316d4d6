/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tape: records that follow each other in memory, as in a segment of the window. */
#ifndef RSP_TESTS_UNIT_TAPE_H
#define RSP_TESTS_UNIT_TAPE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/snapshot/decode.h"

struct tape {
	char *bytes;
	size_t len, cap;
};

static inline void tape_add(struct tape *t, const void *rec)
{
	size_t size = ((const struct rsp_ev_hdr *)rec)->size;

	assert_int_equal(rsp_record_check(rec, size), 0);
	if (t->len + size > t->cap) {
		t->cap = (t->len + size) * 2;
		t->bytes = realloc(t->bytes, t->cap);
		assert_non_null(t->bytes);
	}
	memcpy(t->bytes + t->len, rec, size);
	t->len += size;
}

/*
 * A callback for rsp_window_foreach() and rsp_carry_foreach(): adds the records to the tape
 * userdata.
 */
static inline int tape_add_chunk(const void *records, size_t len, void *userdata)
{
	const struct rsp_ev_hdr *hdr;
	size_t off = 0;

	while (rsp_record_next(records, len, &off, &hdr) > 0)
		tape_add(userdata, hdr);
	assert_int_equal(off, len);
	return 0;
}

static inline void tape_done(struct tape *t)
{
	free(t->bytes);
	*t = (struct tape){0};
}

/* --- makes records, which tape_add() copies -------------------------------------------------- */

#define HDR(k, type, ts, fl)                                                                       \
	{                                                                                          \
		.ts_ns = (ts), .kind = (k), .size = sizeof(struct type), .flags = (fl)             \
	}

static inline struct rsp_ev_task task_rec(__u64 ts_ns, __u16 reason, __u32 tid, __u32 tgid,
					  __u32 ptid)
{
	struct rsp_ev_task rec = {
		.hdr = HDR(RSP_EV_TASK, rsp_ev_task, ts_ns, reason),
		.tid = tid,
		.tgid = tgid,
		.ptid = ptid,
	};

	snprintf(rec.comm, sizeof(rec.comm), "%x", (unsigned int)ts_ns);
	return rec;
}

static inline struct rsp_ev_exit exit_rec(__u64 ts_ns, __u32 tid, __u32 tgid)
{
	return (struct rsp_ev_exit){
		.hdr = HDR(RSP_EV_EXIT, rsp_ev_exit, ts_ns, 0),
		.tid = tid,
		.tgid = tgid,
	};
}

/* A switch in which prev falls asleep on object. flags can make it another kind of switch. */
static inline struct rsp_ev_switch switch_rec(__u64 ts_ns, __u16 flags, __u32 prev, __u32 next,
					      __u64 object, __u64 kstack)
{
	return (struct rsp_ev_switch){
		.hdr = HDR(RSP_EV_SWITCH, rsp_ev_switch, ts_ns, flags),
		.prev_tid = prev,
		.next_tid = next,
		.prev_state = flags & (RSP_SW_PREEMPTED | RSP_SW_SEED) ? 0 : 1,
		.object = object,
		.kstack = kstack,
	};
}

static inline struct rsp_ev_waking waking_rec(__u64 ts_ns, __u32 waker, __u32 wakee, __u64 kstack)
{
	return (struct rsp_ev_waking){
		.hdr = HDR(RSP_EV_WAKING, rsp_ev_waking, ts_ns, 0),
		.waker_tid = waker,
		.wakee_tid = wakee,
		.context = RSP_WAKE_TASK,
		.kstack = kstack,
	};
}

static inline struct rsp_ev_work work_rec(__u64 ts_ns, __u32 worker)
{
	return (struct rsp_ev_work){
		.hdr = HDR(RSP_EV_WORK, rsp_ev_work, ts_ns, 0),
		.worker_tid = worker,
		.context = RSP_WAKE_TASK,
	};
}

static inline struct rsp_ev_sample sample_rec(__u64 ts_ns, __u32 tid)
{
	return (struct rsp_ev_sample){
		.hdr = HDR(RSP_EV_SAMPLE, rsp_ev_sample, ts_ns, 0),
		.tid = tid,
	};
}

/*
 * Like struct rsp_ev_stack, but with two frames in place of a flexible array, so that functions can
 * return it.
 */
struct stack_rec {
	struct rsp_ev_hdr hdr;
	__u64 id;
	__u32 tgid, frame_cnt;
	__u64 frames[2];
};

static inline struct stack_rec stack_rec(__u64 ts_ns, __u64 id)
{
	return (struct stack_rec){
		.hdr = HDR(RSP_EV_STACK, stack_rec, ts_ns, RSP_STACK_KERNEL),
		.id = id,
		.frame_cnt = 2,
		.frames = {id, id + 1},
	};
}

static inline struct rsp_ev_object object_rec(__u64 ts_ns, __u64 id)
{
	return (struct rsp_ev_object){
		.hdr = HDR(RSP_EV_OBJECT, rsp_ev_object, ts_ns, 0),
		.id = id,
		.type = RSP_OBJ_PIPE,
	};
}

static inline struct rsp_ev_socket socket_rec(__u64 ts_ns, __u64 id)
{
	return (struct rsp_ev_socket){
		.hdr = HDR(RSP_EV_SOCKET, rsp_ev_socket, ts_ns, 0),
		.id = id,
		.family = 2,
	};
}

#define TAPE_ADD(t, make)                                                                          \
	do {                                                                                       \
		__auto_type rec_ = (make);                                                         \
		tape_add((t), &rec_);                                                              \
	} while (0)

#endif
