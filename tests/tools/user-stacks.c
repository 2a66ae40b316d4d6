/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user-stacks FILE: prints the user stack of each switch, sample and wakeup in a snapshot, in order
 * of time. Each stack is one line, so that tests can search it:
 *
 *	TID COMMAND complete|partial NAME…
 *
 * The innermost function comes first. A function without a name is MODULE+0xOFFSET or 0xADDRESS.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "lib/trace/trace.h"
#include "tests/tools/open-trace.h"

static void print_word(const char *word)
{
	putchar(' ');
	for (; *word; word++)
		putchar(*word > ' ' ? *word : '?');
}

static void print_stack(const struct rsp_trace *trace, __u32 tid, __u64 ts_ns, __u64 id)
{
	const struct rsp_ev_stack *stack = rsp_trace_stack(trace, id);
	const struct rsp_ev_task *task = rsp_trace_task(trace, tid, ts_ns);
	struct rsp_frame frames[4 * RSP_STACK_FRAMES_MAX];
	size_t cnt;

	if (!stack || !task)
		return;
	cnt = rsp_trace_frames(trace, id, frames, sizeof(frames) / sizeof(*frames));
	printf("%u", tid);
	print_word(task->comm);
	print_word(stack->hdr.flags & (RSP_STACK_PARTIAL | RSP_STACK_TRUNCATED) ? "partial"
										: "complete");
	for (size_t i = 0; i < cnt; i++)
		print_word(frames[i].symbol);
	putchar('\n');
}

static void print_event(const struct rsp_trace *trace, const struct rsp_ev_hdr *hdr)
{
	const struct rsp_ev_switch *sw = (const void *)hdr;
	const struct rsp_ev_waking *waking = (const void *)hdr;
	const struct rsp_ev_sample *sample = (const void *)hdr;

	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		if (!(hdr->flags & (RSP_SW_SEED | RSP_SW_CARRIED)))
			print_stack(trace, sw->prev_tid, hdr->ts_ns, sw->ustack);
		break;
	case RSP_EV_WAKING:
		print_stack(trace, waking->waker_tid, hdr->ts_ns, waking->ustack);
		break;
	case RSP_EV_SAMPLE:
		print_stack(trace, sample->tid, hdr->ts_ns, sample->ustack);
		break;
	}
}

int main(int argc, char **argv)
{
	struct rsp_trace *trace;

	if (argc != 2)
		errx(2, "usage: user-stacks FILE");
	trace = open_trace(argv[1]);
	for (size_t i = 0; i < trace->event_cnt; i++)
		print_event(trace, trace->events[i]);
	close_trace(trace);
	return 0;
}
