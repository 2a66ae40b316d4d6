/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks-list FILE: prints the user stacks of a snapshot's switches, for comparison with the stacks
 * of perf (bench/stacks-compare). Each switch with a user stack has a line, with blanks between the
 * columns:
 *
 *   TS_NS TID HOW END FRAME…
 *
 * HOW: "call" if the thread was in a system call, otherwise "interrupted". END: "complete" or
 * "partial". Frames, the innermost first, are PATH+0xOFFSET in hexadecimal, or 0xADDRESS. All of
 * them are return addresses, except the innermost one and frames that a signal interrupted. A blank
 * in a path becomes '?'.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/trace/trace.h"
#include "tests/tools/open-trace.h"

static void print_path(const char *path)
{
	for (; *path; path++)
		putchar(*path > ' ' ? *path : '?');
}

static void print_frame(const struct rsp_trace *trace, __u64 frame)
{
	const struct rsp_ev_binary *binary = NULL;

	putchar(' ');
	if (!(frame & RSP_FRAME_IN_BINARY)) {
		printf("0x%llx", frame);
		return;
	}
	binary = rsp_trace_binary(trace, RSP_FRAME_BINARY(frame));
	if (binary)
		print_path(binary->path);
	else
		printf("binary-%u", RSP_FRAME_BINARY(frame));
	printf("+0x%llx", RSP_FRAME_OFFSET(frame));
}

static void print_switch(const struct rsp_trace *trace, const struct rsp_ev_switch *sw)
{
	const struct rsp_ev_stack *stack = rsp_trace_stack(trace, sw->ustack);

	if (!stack || sw->hdr.flags & (RSP_SW_SEED | RSP_SW_CARRIED))
		return;
	printf("%llu %u %s %s", sw->hdr.ts_ns, sw->prev_tid,
	       sw->syscall_nr < 0 ? "interrupted" : "call",
	       stack->hdr.flags & (RSP_STACK_PARTIAL | RSP_STACK_TRUNCATED) ? "partial"
									    : "complete");
	for (__u32 i = 0; i < stack->frame_cnt; i++)
		print_frame(trace, stack->frames[i]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct rsp_trace *trace;

	if (argc != 2)
		errx(2, "usage: stacks-list FILE");
	trace = open_trace(argv[1]);
	for (size_t i = 0; i < trace->event_cnt; i++)
		if (trace->events[i]->kind == RSP_EV_SWITCH)
			print_switch(trace, (const void *)trace->events[i]);
	close_trace(trace);
	return 0;
}
