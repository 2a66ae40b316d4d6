/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes events on tracks: waits, arrows from the threads that ended them, control paths, losses,
 * and notes about the file.
 */
#include <errno.h>
#include <stdio.h>

#include "lib/export/perfetto.h"

#define ANNOTATIONS_MAX 6

struct annotations {
	PB(DebugAnnotation) v[ANNOTATIONS_MAX], *list[ANNOTATIONS_MAX];
	size_t cnt;
};

static PB(DebugAnnotation) * annotate(struct annotations *a, const char *name)
{
	PB(DebugAnnotation) *annotation = a->list[a->cnt] = &a->v[a->cnt];

	perfetto__protos__debug_annotation__init(annotation);
	annotation->name = (char *)name;
	a->cnt++;
	return annotation;
}

static void annotate_text(struct annotations *a, const char *name, const char *text)
{
	if (*text)
		annotate(a, name)->string_value = (char *)text;
}

static void annotate_number(struct annotations *a, const char *name, __u64 number)
{
	PB(DebugAnnotation) *annotation = annotate(a, name);

	PB_SET(annotation, uint_value, number);
}

static void put_event(struct rsp_perfetto *p, __u64 ts_ns, PB(TrackEvent__Type) type,
		      uint64_t track, const char *category, const char *title,
		      struct annotations *a)
{
	PB(TrackEvent) event = PB_INIT(TRACK_EVENT);
	char *one = (char *)category;

	PB_SET(&event, type, type);
	PB_SET(&event, track_uuid, track);
	if (category) {
		event.n_categories = 1;
		event.categories = &one;
	}
	if (a) {
		event.n_debug_annotations = a->cnt;
		event.debug_annotations = a->list;
	}
	rsp_perfetto_event(p, ts_ns, &event, title);
}

#define BEGIN	PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN
#define END	PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_SLICE_END
#define INSTANT PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_INSTANT
#define COUNTER PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_COUNTER

static void put_track(struct rsp_perfetto *p, PB(TrackDescriptor) * track, uint64_t uuid)
{
	PB(TracePacket) packet = PB_INIT(TRACE_PACKET);

	PB_SET(track, uuid, uuid);
	packet.track_descriptor = track;
	rsp_perfetto_put(p, &packet);
}

static void put_named_track(struct rsp_perfetto *p, uint64_t uuid, uint64_t parent,
			    const char *name)
{
	PB(TrackDescriptor) track = PB_INIT(TRACK_DESCRIPTOR);

	track.name = (char *)name;
	if (parent)
		PB_SET(&track, parent_uuid, parent);
	put_track(p, &track, uuid);
}

/* --- threads ---------------------------------------------------------------------------------- */

static void put_thread_track(struct rsp_perfetto *p, size_t i)
{
	const struct rsp_export_thread *who = &p->x->threads[i];
	PB(ThreadDescriptor) thread = PB_INIT(THREAD_DESCRIPTOR);
	PB(TrackDescriptor) track = PB_INIT(TRACK_DESCRIPTOR);
	PB(TracePacket) packet = PB_INIT(TRACE_PACKET);

	PB_SET(&thread, pid, (int32_t)who->tgid);
	PB_SET(&thread, tid, p->x->model->threads.v[i].tid);
	thread.thread_name = (char *)who->comm;
	track.thread = &thread;
	PB_SET(&track, uuid, rsp_perfetto_track(RSP_TRACK_THREAD, i));
	PB_SET(&packet, timestamp, rsp_perfetto_begin(p, i));
	packet.track_descriptor = &track;
	rsp_perfetto_put_thread(p, &packet);
}

/*
 * Writes an arrow from a waker to the end of a wait. Both ends are instant events, because a slice
 * can have an arrow only at its beginning.
 */
static void put_arrow(struct rsp_perfetto *p, size_t wakee, const struct rsp_export_wakeup *w,
		      uint64_t id)
{
	PB(TrackEvent) from = PB_INIT(TRACK_EVENT), to = PB_INIT(TRACK_EVENT);

	PB_SET(&from, type, INSTANT);
	PB_SET(&from, track_uuid, rsp_perfetto_track(RSP_TRACK_THREAD, w->waker));
	from.n_flow_ids = 1;
	from.flow_ids = &id;
	rsp_perfetto_event(p, w->from_ns, &from, "wakes");
	PB_SET(&to, type, INSTANT);
	PB_SET(&to, track_uuid, rsp_perfetto_track(RSP_TRACK_THREAD, wakee));
	to.n_terminating_flow_ids = 1;
	to.terminating_flow_ids = &id;
	rsp_perfetto_event(p, w->to_ns, &to, "woken");
}

static void put_wait(struct rsp_perfetto *p, size_t thread, const struct rsp_export_span *s,
		     uint64_t *flow)
{
	const struct rsp_thread *t = &p->x->model->threads.v[thread];
	uint64_t track = rsp_perfetto_track(RSP_TRACK_THREAD, thread);
	struct rsp_export_wakeup wakeup;

	put_event(p, s->from_ns, BEGIN, track, "wait",
		  rsp_names_text(p->x->names, rsp_export_title(p->x, s)), NULL);
	put_event(p, s->to_ns, END, track, NULL, NULL, NULL);
	if (rsp_export_wakeup(p->x, t, s, &wakeup))
		put_arrow(p, thread, &wakeup, ++*flow);
}

static void put_threads(struct rsp_perfetto *p)
{
	const struct rsp_model *m = p->x->model;
	struct rsp_export_span s;
	uint64_t flow = 0;

	for (size_t i = 0; i < m->threads.cnt; i++)
		if (rsp_export_has_thread(p->x, i) && m->threads.v[i].spans.cnt)
			put_thread_track(p, i);
	for (size_t i = 0; i < m->threads.cnt && !p->error; i++) {
		if (!rsp_export_has_thread(p->x, i))
			continue;
		for (size_t k = 0; rsp_export_next_span(p->x, &m->threads.v[i], &k, &s);)
			if (s.span && s.span->kind == RSP_SPAN_BLOCKED)
				put_wait(p, i, &s, &flow);
	}
}

/* --- control paths ---------------------------------------------------------------------------- */

static int open_slice(void *userdata, const struct rsp_export_slice *slice)
{
	struct rsp_perfetto *p = userdata;
	const struct rsp_hop *hop = slice->hop;
	struct annotations a = {.cnt = 0};

	annotate_number(&a, "pid", hop->tgid);
	annotate_number(&a, "tid", hop->tid);
	annotate_text(&a, "on", hop->object);
	if (hop->kind == RSP_HOP_LEAF)
		annotate_text(&a, "category", rsp_category_key(hop->category));
	annotate_text(&a, "why", rsp_why_text(hop->why));
	if (hop->flags & (RSP_HOP_INFERRED | RSP_HOP_ESTIMATED | RSP_HOP_POLLS))
		annotate_text(&a, "inferred", "yes");
	put_event(p, slice->from_ns, BEGIN, rsp_perfetto_track(RSP_TRACK_PATH, slice->path),
		  "control path", rsp_names_text(p->x->names, rsp_export_hop_title(p->x, hop)), &a);
	return p->error;
}

static int close_slice(void *userdata, const struct rsp_export_slice *slice)
{
	struct rsp_perfetto *p = userdata;

	put_event(p, slice->to_ns, END, rsp_perfetto_track(RSP_TRACK_PATH, slice->path), NULL, NULL,
		  NULL);
	return p->error;
}

static void put_paths(struct rsp_perfetto *p)
{
	const struct rsp_export_visitor visitor = {open_slice, close_slice, p};
	const struct rsp_explanation *e = p->x->explanation;
	uint64_t parent = rsp_perfetto_track(RSP_TRACK_PATHS, 0);
	char name[128];
	int r;

	if (!e || !e->paths.cnt)
		return;
	snprintf(name, sizeof(name), "control paths of %s [%u]", rsp_export_text(p->x, e->comm),
		 rsp_host_tid(e->meta->target_pid));
	put_named_track(p, parent, 0, name);
	for (size_t i = 0; i < e->paths.cnt; i++) {
		const struct rsp_control_path *path = &e->paths.v[i];

		snprintf(name, sizeof(name), "%s [%u/%u]", path->comm, rsp_host_tid(path->tgid),
			 rsp_host_tid(path->tid));
		put_named_track(p, rsp_perfetto_track(RSP_TRACK_PATH, i), parent, name);
	}
	r = rsp_export_walk_paths(p->x, &visitor);
	if (r < 0)
		p->error = r;
}

/* --- losses, and notes about the file --------------------------------------------------------- */

static void put_lost_cnt(struct rsp_perfetto *p, __u64 ts_ns, __u64 cnt)
{
	PB(TrackEvent) event = PB_INIT(TRACK_EVENT);

	PB_SET(&event, type, COUNTER);
	PB_SET(&event, track_uuid, rsp_perfetto_track(RSP_TRACK_LOST, 0));
	PB_SET(&event, counter_value, (int64_t)cnt);
	rsp_perfetto_event(p, ts_ns, &event, NULL);
}

static void put_losses(struct rsp_perfetto *p)
{
	PB(CounterDescriptor) counter = PB_INIT(COUNTER_DESCRIPTOR);
	PB(TrackDescriptor) track = PB_INIT(TRACK_DESCRIPTOR);
	__u64 sum = 0;

	counter.unit_name = (char *)"records";
	track.name = (char *)"lost records";
	track.counter = &counter;
	put_track(p, &track, rsp_perfetto_track(RSP_TRACK_LOST, 0));
	put_lost_cnt(p, p->x->model->since_ns, 0);
	for (size_t i = 0; i < p->x->trace->event_cnt && !p->error; i++) {
		const struct rsp_ev_hdr *hdr = p->x->trace->events[i];

		if (hdr->kind != RSP_EV_LOST)
			continue;
		sum += ((const struct rsp_ev_lost *)hdr)->lost_cnt;
		put_lost_cnt(p, hdr->ts_ns, sum);
	}
}

static void put_about(struct rsp_perfetto *p)
{
	uint64_t track = rsp_perfetto_track(RSP_TRACK_ABOUT, 0);
	__u64 ts_ns = p->x->model->since_ns;
	char text[512];

	put_named_track(p, track, 0, "RSP");
	if (*p->x->headline)
		put_event(p, ts_ns, INSTANT, track, "summary", p->x->headline, NULL);
	for (size_t i = 0; i < p->x->note_cnt; i++) {
		snprintf(text, sizeof(text), "incomplete: %s", p->x->notes[i]);
		put_event(p, ts_ns, INSTANT, track, "incomplete", text, NULL);
	}
}

void rsp_perfetto_put_events(struct rsp_perfetto *p)
{
	put_about(p);
	put_losses(p);
	put_threads(p);
	put_paths(p);
}
