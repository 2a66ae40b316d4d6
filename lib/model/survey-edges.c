/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wakeups -> a row for each pair of programs. What woke is told by the context of the wakeup, and
 * by the wait that it ended: only that knows the disk, or who on this host sent.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "survey-parts.h"

struct key {
	__u32 waker, wakee, context, is_target;
};

struct edges {
	const struct rsp_survey_scope *scope;
	struct rsp_survey *survey;
	size_t *passed; /* see rsp_survey_ended_wait() */
	struct rsp_intern keys;
};

/* What is not told by a wait is called by its kind. */
static __u32 name_disk(const struct rsp_survey_scope *s, const struct rsp_span *ended)
{
	const struct rsp_ops *ops = &s->model->ops;

	if (!ended || ended->cause != RSP_CAUSE_DISK)
		return rsp_names_add(s->names, "disk");
	return rsp_names_device(s->names,
				ops->requests.v[ops->disk_waits.v[ended->cause_id].request].dev);
}

static __u32 name_sender(const struct rsp_survey_scope *s, const struct rsp_span *ended)
{
	const struct rsp_arrival *arrival = NULL;

	if (ended && ended->cause == RSP_CAUSE_NET)
		arrival = &s->model->ops.arrivals.v[ended->cause_id];
	if (!arrival || arrival->sender == RSP_NO_THREAD)
		return rsp_names_add(s->names, "network");
	return rsp_names_thread(s->names, s->model->threads.v[arrival->sender].tid,
				arrival->send_ns);
}

static __u32 name_handler(const struct rsp_survey_scope *s, const struct rsp_ev_waking *ev)
{
	__u32 name = rsp_names_object(s->names, ev->cause);

	return name ? name : rsp_names_interrupt(s->names, ev);
}

static void name_waker(const struct rsp_survey_scope *s, const struct rsp_ev_waking *ev,
		       const struct rsp_span *ended, struct key *key)
{
	const char *context = "interrupt";

	switch (ev->context) {
	case RSP_WAKE_TASK:
		context = "task";
		key->waker = ev->waker_tid
				     ? rsp_names_thread(s->names, ev->waker_tid, ev->hdr.ts_ns)
				     : rsp_names_interrupt(s->names, ev);
		break;
	case RSP_WAKE_BLOCK:
		context = "disk";
		key->waker = name_disk(s, ended);
		break;
	case RSP_WAKE_NET:
		context = "network";
		key->waker = name_sender(s, ended);
		break;
	case RSP_WAKE_TIMER:
		context = "timer";
		key->waker = rsp_names_add(s->names, "its own timeout");
		break;
	case RSP_WAKE_KTIMER:
		context = "timer";
		key->waker = rsp_names_interrupt(s->names, ev);
		break;
	case RSP_WAKE_SOFTIRQ:
		key->waker = rsp_names_interrupt(s->names, ev);
		break;
	default:
		key->waker = name_handler(s, ev);
		break;
	}
	key->context = rsp_names_add(s->names, context);
}

static struct rsp_edge_row *row_of(struct edges *e, const struct key *key)
{
	const struct rsp_survey_scope *s = e->scope;
	struct rsp_edge_row *row;
	uint32_t i;

	if (rsp_intern_put(&e->keys, key, sizeof(*key), &i) < 0)
		return NULL;
	if (i < e->survey->edges.cnt)
		return &e->survey->edges.v[i];
	row = rsp_array_add(&e->survey->edges);
	if (!row)
		return NULL;
	row->waker = rsp_survey_text(s, key->waker);
	row->wakee = rsp_survey_text(s, key->wakee);
	row->context = rsp_survey_text(s, key->context);
	row->is_target = key->is_target;
	return row;
}

static int on_waking(struct edges *e, const struct rsp_ev_waking *ev)
{
	const struct rsp_survey_scope *s = e->scope;
	__u32 wakee = rsp_survey_thread(s, ev->wakee_tid, ev->hdr.ts_ns);
	struct rsp_survey_wait w = {0};
	bool first = rsp_survey_ended_wait(s, ev, e->passed, &w);
	struct rsp_edge_row *row;
	struct key key = {
		.wakee = rsp_names_thread(s->names, ev->wakee_tid, ev->hdr.ts_ns),
		.is_target = wakee != RSP_NO_THREAD && s->target[wakee],
	};

	name_waker(s, ev, w.span, &key);
	row = row_of(e, &key);
	if (!row)
		return -ENOMEM;
	row->cnt++;
	row->first_cnt += first;
	row->waited_ns += w.ns;
	row->target_ns += w.target_ns;
	return 0;
}

static int compare(const void *pa, const void *pb)
{
	const struct rsp_edge_row *a = pa, *b = pb;
	int r = rsp_survey_more(a->target_ns, b->target_ns);

	if (!r)
		r = b->is_target - a->is_target;
	if (!r)
		r = rsp_survey_more(a->waited_ns, b->waited_ns);
	if (!r)
		r = rsp_survey_more(a->cnt, b->cnt);
	if (!r)
		r = strcmp(a->waker, b->waker);
	if (!r)
		r = strcmp(a->wakee, b->wakee);
	return r ? r : strcmp(a->context, b->context);
}

int rsp_survey_edges(const struct rsp_survey_scope *s, struct rsp_survey *ret)
{
	const struct rsp_trace *trace = s->model->trace;
	_cleanup_free_ size_t *passed = calloc(s->model->threads.cnt + 1, sizeof(*passed));
	struct edges e = {.scope = s, .survey = ret, .passed = passed};
	int r = passed ? 0 : -ENOMEM;

	for (size_t i = 0; i < trace->event_cnt && r == 0; i++) {
		const void *ev = trace->events[i];

		if (trace->events[i]->kind == RSP_EV_WAKING &&
		    rsp_survey_within(s, trace->events[i]->ts_ns))
			r = on_waking(&e, ev);
	}
	rsp_intern_done(&e.keys);
	if (ret->edges.cnt)
		qsort(ret->edges.v, ret->edges.cnt, sizeof(*ret->edges.v), compare);
	return r;
}
