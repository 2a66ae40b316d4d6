/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See watch.h. */
#include "daemon/capture/watch.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>

#include "daemon/base/clock.h"
#include "daemon/capture/cpu-times.h"
#include "daemon/capture/features.h"
#include "daemon/capture/loader.h"
#include "daemon/capture/visit.h"
#include "rsp/event.h"
#include "rsp/slo.h"
#include "rsp/unwind.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

void rsp_watch_init(struct rsp_watch *w, sd_event *event, struct rsp_bpf *bpf, rsp_sink_fn sink,
		    void *userdata)
{
	*w = (struct rsp_watch){.event = event, .bpf = bpf, .sink = sink, .userdata = userdata};
}

/*
 * Attaches the program at the end of calls first. If a call starts before the program at the start
 * of calls is attached, it has an end without a start, and counts as pending (bpf/calls.bpf.c).
 */
static int attach_counters(struct rsp_watch *w)
{
	const char *const *programs = rsp_features[RSP_FEATURE_CALLS].programs;
	int r = 0;

	for (size_t i = 0; programs[i] && r == 0; i++)
		r = rsp_is_loaded(w->bpf, programs[i]) ? rsp_attach_program(w->bpf, programs[i])
						       : -EOPNOTSUPP;
	return r;
}

static void detach_counters(struct rsp_watch *w)
{
	const char *const *programs = rsp_features[RSP_FEATURE_CALLS].programs;

	for (size_t i = 0; programs[i]; i++)
		rsp_detach_program(w->bpf, programs[i]);
}

static void visit(struct rsp_watch *w, enum rsp_watch_step step)
{
	__atomic_store_n(&w->bpf->bss->rsp_watch.step, step, __ATOMIC_SEQ_CST);
	rsp_visit(w->bpf->links.on_watch, w->sink, w->userdata);
}

static bool measures(const struct rsp_watch_request *request)
{
	return request->calls || request->memory_kinds;
}

static void end_measuring(struct rsp_watch *w)
{
	if (w->is_counting) {
		detach_counters(w);
		visit(w, RSP_WATCH_END);
	}
	rsp_memory_watch_end(&w->memory);
	w->is_measuring = w->is_counting = false;
}

static int begin_measuring(struct rsp_watch *w, const struct rsp_watch_request *request)
{
	struct rsp_watch_knobs *knobs = &w->bpf->bss->rsp_watch;
	int r;

	if (w->is_measuring)
		return -EBUSY;
	knobs->number++;
	knobs->from_ns = rsp_now_ns();
	knobs->is_counting = request->calls;
	__sync_synchronize();
	r = request->calls ? attach_counters(w) : 0;
	w->is_measuring = true;
	w->is_counting = request->calls;
	if (r == 0)
		r = rsp_memory_watch_begin(&w->memory, w->bpf, w->event, request);
	if (r < 0)
		end_measuring(w);
	return r;
}

int rsp_watch_begin(struct rsp_watch *w, const struct rsp_watch_request *request)
{
	int r = measures(request) ? begin_measuring(w, request) : 0;

	if (r < 0)
		return r;
	w->cnt++;
	rsp_cpu_times_write(w->sink, w->userdata);
	visit(w, RSP_WATCH_BEGIN);
	return 0;
}

void rsp_watch_read(struct rsp_watch *w)
{
	if (!w->cnt)
		return;
	visit(w, RSP_WATCH_READ);
	rsp_memory_watch_read(&w->memory, w->sink, w->userdata);
	rsp_cpu_times_write(w->sink, w->userdata);
}

void rsp_watch_end(struct rsp_watch *w, const struct rsp_watch_request *request)
{
	if (measures(request))
		end_measuring(w);
	w->cnt--;
}

void rsp_watch_done(struct rsp_watch *w)
{
	if (w->is_measuring)
		end_measuring(w);
	w->cnt = 0;
}
