/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes random records (records.h) to the live view (lib/live) in batches of any size, and takes
 * views between batches. The screen must be able to show each view.
 */
#include "lib/live/live.h"
#include "lib/live/screen.h"
#include "tests/fuzz/records.h"

static void name_frame(__u64 frame, char *name, size_t name_len, char *module, size_t module_len,
		       void *userdata)
{
	(void)userdata;
	snprintf(name, name_len, "%llu", frame % 7);
	snprintf(module, module_len, "m");
}

static void feed(struct rsp_live *live, struct input *in, __u64 *now_ns)
{
	static __u64 buf[RECORD_BYTES_MAX / 8 * 16];
	size_t len = 0;

	for (unsigned int cnt = 1 + take_u8(in) % 15; cnt > 0; cnt--) {
		struct rsp_ev_hdr *hdr = (void *)((char *)buf + len);

		if (!take_record(in, now_ns, hdr))
			break;
		len += hdr->size;
	}
	must(rsp_live_feed(live, buf, len, 0) == 0);
}

static void look(struct rsp_live *live, struct input *in, __u64 now_ns)
{
	static struct rsp_live_view view;
	__u8 what = take_u8(in);
	struct rsp_live_how how = {.now_ns = now_ns,
				   .by_process = what & 1,
				   .by_cgroup = what & 2,
				   .with_idle = what & 4,
				   .row_max = RSP_LIVE_ROWS};
	struct rsp_screen_how show = {.cols = what,
				      .rows = 24,
				      .filter = what & 8 ? "1" : "",
				      .notice = "",
				      .cost = "",
				      .clock = ""};
	struct rsp_screen screen;

	rsp_live_look(live, &how, &view);
	must(view.waiter_rows <= RSP_LIVE_ROWS && view.process_rows <= RSP_LIVE_ROWS);
	rsp_live_view_clean(&view);
	must(rsp_screen_make(&view, &show, &screen) == 0);
	must(screen.cnt <= 24);
	rsp_screen_done(&screen);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	const struct rsp_live_namer namer = {.name = name_frame};
	struct input in = {data, len};
	__u64 now_ns = RECORDS_BASE_NS;
	struct rsp_live *live;

	must(rsp_live_new(&namer, &live) == 0);
	while (in.len > 0) {
		if (take_u8(&in) < 0xe0)
			feed(live, &in, &now_ns);
		else
			look(live, &in, now_ns);
	}
	look(live, &in, now_ns);
	rsp_live_free(live);
	return 0;
}
