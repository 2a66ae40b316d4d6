/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records FILE: prints some records of a snapshot, one per line, so that tests can search them. If
 * an object or a function has a name, the line contains the name.
 *
 *	task TID TGID REASON NAME		(REASON: seed, fork, exec or name)
 *	exit TID TGID
 *	sample TID				(a sample of a running thread)
 *	switch TID throttled OBJECT		(a CPU quota took the CPU from the thread)
 *	switch TID waking			(the state of the thread is TASK_WAKING)
 *	waking TID throttled			(the woken thread is in a throttled cgroup)
 *	work WORKER FUNCTION QUEUER CONTEXT DELAY_NS	(DELAY_NS: -1 if unknown)
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/snapshot/decode.h"
#include "lib/trace/trace.h"
#include "tests/tools/open-trace.h"

static const char *object_name(const struct rsp_trace *trace, __u64 id, char *buf, size_t len)
{
	const struct rsp_ev_object *obj = rsp_trace_object(trace, id);

	return obj ? rsp_object_name(obj, buf, len) : "-";
}

#define TASK_WAKING 0x0200 /* from the kernel */

static void print_switch(const struct rsp_trace *trace, const struct rsp_ev_switch *sw)
{
	char name[2 * RSP_NAME_MAX];

	if (sw->prev_state & TASK_WAKING)
		printf("switch %u waking\n", sw->prev_tid);
	if (sw->hdr.flags & RSP_SW_THROTTLED)
		printf("switch %u throttled %s\n", sw->prev_tid,
		       object_name(trace, sw->object, name, sizeof(name)));
}

static void print_waking(const struct rsp_ev_waking *waking)
{
	if (waking->hdr.flags & RSP_WK_THROTTLED)
		printf("waking %u throttled\n", waking->wakee_tid);
	if (waking->hdr.flags & RSP_WK_PAUSED)
		printf("waking %u paused %u %u %u%s\n", waking->wakee_tid, waking->waker_tid,
		       waking->context, waking->slept_us,
		       waking->hdr.flags & RSP_WK_SAME ? " same" : "");
}

static void print_work(const struct rsp_trace *trace, const struct rsp_ev_work *work)
{
	struct rsp_frame function = {.symbol = "-"};
	int64_t delay_ns = -1;

	rsp_trace_frames(trace, work->function, &function, 1);
	if (work->queued_ns)
		delay_ns = (int64_t)(work->hdr.ts_ns - work->queued_ns);
	printf("work %u %s %u %u %" PRId64 "\n", work->worker_tid, function.symbol,
	       work->queuer_tid, work->context, delay_ns);
}

static void print_delay(const struct rsp_trace *trace, const struct rsp_ev_delay *delay)
{
	static const char *const names[RSP_DELAY_CNT] = {
		[RSP_DELAY_IO_LIMIT] = "io-limit",
		[RSP_DELAY_RETRANSMIT] = "retransmit",
		[RSP_DELAY_CONNECT] = "connect",
		[RSP_DELAY_RECLAIM] = "reclaim",
	};
	const char *what = delay->hdr.flags < RSP_DELAY_CNT ? names[delay->hdr.flags] : NULL;
	char name[2 * RSP_NAME_MAX];

	printf("delay %u %s %s\n", delay->tid, what ? what : "?",
	       object_name(trace, delay->object, name, sizeof(name)));
}

static void print_task(const struct rsp_ev_task *task)
{
	const char *reason = task->hdr.flags & RSP_TASK_SEED   ? "seed"
			     : task->hdr.flags & RSP_TASK_FORK ? "fork"
			     : task->hdr.flags & RSP_TASK_EXEC ? "exec"
							       : "name";

	printf("task %u %u %s %s\n", task->tid, task->tgid, reason, task->comm);
}

static void print_exit(const struct rsp_ev_exit *ex)
{
	printf("exit %u %u\n", ex->tid, ex->tgid);
}

static void print_record(const struct rsp_trace *trace, const struct rsp_ev_hdr *hdr)
{
	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		print_switch(trace, (const void *)hdr);
		break;
	case RSP_EV_WAKING:
		print_waking((const void *)hdr);
		break;
	case RSP_EV_SAMPLE:
		printf("sample %u\n", ((const struct rsp_ev_sample *)hdr)->tid);
		break;
	case RSP_EV_TASK:
		print_task((const void *)hdr);
		break;
	case RSP_EV_EXIT:
		print_exit((const void *)hdr);
		break;
	case RSP_EV_WORK:
		print_work(trace, (const void *)hdr);
		break;
	case RSP_EV_DELAY:
		print_delay(trace, (const void *)hdr);
		break;
	}
}

int main(int argc, char **argv)
{
	struct rsp_trace *trace;

	if (argc != 2)
		errx(2, "usage: records FILE");
	trace = open_trace(argv[1]);
	for (size_t i = 0; i < trace->event_cnt; i++)
		print_record(trace, trace->events[i]);
	close_trace(trace);
	return 0;
}
