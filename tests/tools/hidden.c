/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hidden FILE: prints the threads that the kernel hid from the recorder of FILE, one per line:
 *
 *	TID NAME
 *
 * On some machines, the kernel calls no tracepoint while certain threads run. The snapshot then has
 * switches to such a hidden thread, but no switch from it, and no interrupts during its runs. If
 * the recorder only lost a switch, the snapshot has other switches from the same thread.
 *
 * Exit status: 0 if there are hidden threads, 1 if there are none.
 */
#include <err.h>
#include <stdio.h>

#include "lib/base/idmap.h"
#include "tests/tools/open-trace.h"

#define CPU_MAX 1024

static const struct rsp_ev_switch *as_switch(const struct rsp_ev_hdr *hdr)
{
	bool is_real = hdr->kind == RSP_EV_SWITCH &&
		       !(hdr->flags & (RSP_SW_SEED | RSP_SW_CARRIED)) && hdr->cpu < CPU_MAX;

	return is_real ? (const void *)hdr : NULL;
}

static void find_seen(const struct rsp_trace *trace, struct rsp_idmap *seen)
{
	for (size_t i = 0; i < trace->event_cnt; i++) {
		const struct rsp_ev_switch *sw = as_switch(trace->events[i]);

		if (sw && rsp_idmap_put(seen, sw->prev_tid, 1) < 0)
			errx(2, "no memory");
	}
}

static size_t print_hidden(const struct rsp_trace *trace, struct rsp_idmap *seen)
{
	const struct rsp_ev_switch *last[CPU_MAX] = {0};
	size_t cnt = 0;

	for (size_t i = 0; i < trace->event_cnt; i++) {
		const struct rsp_ev_switch *sw = as_switch(trace->events[i]), *before;
		const struct rsp_ev_task *task;
		uint64_t known;

		if (!sw)
			continue;
		before = last[sw->hdr.cpu];
		last[sw->hdr.cpu] = sw;
		if (!before || rsp_idmap_get(seen, before->next_tid, &known))
			continue;
		task = rsp_trace_task(trace, before->next_tid, before->hdr.ts_ns);
		printf("%u %s\n", before->next_tid, task ? task->comm : "?");
		if (rsp_idmap_put(seen, before->next_tid, 1) < 0)
			errx(2, "no memory");
		cnt++;
	}
	return cnt;
}

int main(int argc, char **argv)
{
	struct rsp_idmap seen = {0};
	struct rsp_trace *trace;
	size_t cnt;

	if (argc != 2)
		errx(2, "usage: hidden FILE");
	trace = open_trace(argv[1]);
	find_seen(trace, &seen);
	cnt = print_hidden(trace, &seen);
	rsp_idmap_done(&seen);
	close_trace(trace);
	return cnt ? 0 : 1;
}
