/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Appends random records (records.h) to the smallest possible window. Floods of records evict
 * segments. The window must stay within its budget and return valid records.
 */
#include "lib/snapshot/window.h"
#include "tests/fuzz/records.h"

#define BUDGET_BYTES ((size_t)1 << 20)
#define FLOOD_FRAMES 120

struct handed_out {
	__u64 cnt;
};

static int check_chunk(const void *records, size_t len, void *userdata)
{
	struct handed_out *out = userdata;
	const struct rsp_ev_hdr *hdr;
	size_t off = 0;
	int r;

	while ((r = rsp_record_next(records, len, &off, &hdr)) > 0)
		out->cnt++;
	must(r == 0);
	return 0;
}

static void check(const struct rsp_window *win, __u64 since_ns)
{
	struct handed_out out = {0};
	struct rsp_window_stats stats;

	rsp_window_get_stats(win, &stats);
	must(stats.bytes <= BUDGET_BYTES && stats.bad_cnt == 0);
	must(rsp_window_foreach(win, since_ns, check_chunk, &out) == 0);
	/* Without evictions, a read of the whole window returns all events. */
	must(since_ns || stats.evicted_cnt || out.cnt >= stats.segment_events);
}

/*
 * Appends cnt stacks. The window cannot predict their frames and so cannot compress them: about a
 * hundred stacks fill a segment.
 */
static void flood(struct rsp_window *win, unsigned int cnt, __u64 now_ns)
{
	static __u64 record[RECORD_BYTES_MAX / 8];
	struct rsp_ev_stack *stack = (void *)record;

	stack->hdr = (struct rsp_ev_hdr){.ts_ns = now_ns,
					 .kind = RSP_EV_STACK,
					 .size = sizeof(*stack) + FLOOD_FRAMES * sizeof(__u64)};
	stack->frame_cnt = FLOOD_FRAMES;
	for (; cnt > 0; cnt--) {
		stack->id++;
		for (unsigned int i = 0; i < FLOOD_FRAMES; i++)
			stack->frames[i] = (stack->id * FLOOD_FRAMES + i) * 0x9e3779b97f4a7c15ULL;
		must(rsp_window_append(win, stack, stack->hdr.size) >= 0);
	}
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static __u64 record[RECORD_BYTES_MAX / 8];
	struct input in = {data, len};
	__u64 now_ns = RECORDS_BASE_NS;
	struct rsp_window *win;

	must(rsp_window_new(BUDGET_BYTES, &win) == 0);
	while (in.len > 0) {
		__u8 what = take_u8(&in);

		if (what < 0xf0) {
			for (unsigned int cnt = what & 15; cnt > 0; cnt--)
				if (take_record(&in, &now_ns, record))
					must(rsp_window_append(win, record, RECORD_BYTES_MAX) >= 0);
		} else if (what < 0xfc) {
			flood(win, take_u8(&in), now_ns);
		} else {
			check(win, take_time(&in, &now_ns));
		}
	}
	check(win, 0);
	rsp_window_free(win);
	return 0;
}
