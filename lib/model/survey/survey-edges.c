/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the wakeups of each pair of programs, in one row for each pair and context. */
#include <errno.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/model/survey/survey-parts.h"

struct key {
	__u32 waker, wakee, context, is_target;
};

struct edges {
	const struct rsp_survey_scope *scope;
	struct rsp_survey *survey;
	struct rsp_intern keys;
};

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
	return rsp_names_thread(s->names, &s->model->threads.v[arrival->sender], arrival->send_ns);
}

static __u32 name_handler(const struct rsp_survey_scope *s, const struct rsp_ev_waking *ev)
{
	__u32 name = rsp_names_object(s->names, ev->cause);

	return name ? name : rsp_names_interrupt(s->names, ev);
}

static __u32 name_waker(const struct rsp_survey_scope *s, const struct rsp_ev_waking *ev,
			const struct rsp_span *ended)
{
	switch (ev->context) {
	case RSP_WAKE_TASK:
		return ev->waker_tid ? rsp_names_tid(s->names, ev->waker_tid, ev->hdr.ts_ns)
				     : rsp_names_interrupt(s->names, ev);
	case RSP_WAKE_BLOCK:
		return name_disk(s, ended);
	case RSP_WAKE_NET:
		return name_sender(s, ended);
	case RSP_WAKE_TIMER:
		return rsp_names_add(s->names, "its own timeout");
	case RSP_WAKE_KTIMER:
	case RSP_WAKE_SOFTIRQ:
		return rsp_names_interrupt(s->names, ev);
	default:
		return name_handler(s, ev);
	}
}

/* RSP_WAKE_HARDIRQ stands for all interrupts. */
static const char *context_text(__u32 context)
{
	switch (context) {
	case RSP_WAKE_TASK:
		return "task";
	case RSP_WAKE_BLOCK:
		return "disk";
	case RSP_WAKE_NET:
		return "network";
	case RSP_WAKE_TIMER:
		return "timer";
	default:
		return "interrupt";
	}
}

static __u32 context_of(const struct rsp_ev_waking *ev)
{
	switch (ev->context) {
	case RSP_WAKE_TASK:
	case RSP_WAKE_BLOCK:
	case RSP_WAKE_NET:
	case RSP_WAKE_TIMER:
		return ev->context;
	case RSP_WAKE_KTIMER:
		return RSP_WAKE_TIMER;
	default:
		return RSP_WAKE_HARDIRQ;
	}
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
	row->context = context_text(key->context);
	row->is_target = key->is_target;
	return row;
}

static int on_waking(void *table, const struct rsp_survey_waking *waking)
{
	struct edges *e = table;
	const struct rsp_survey_scope *s = e->scope;
	const struct rsp_ev_waking *ev = waking->ev;
	const struct rsp_survey_wait *w = waking->ended;
	bool is_known = waking->wakee != RSP_NO_THREAD;
	struct rsp_edge_row *row;
	struct key key;

	if (!rsp_survey_within(s, ev->hdr.ts_ns))
		return 0;
	key = (struct key){
		.waker = name_waker(s, ev, w ? w->span : NULL),
		.wakee = is_known ? rsp_names_thread(s->names, &s->model->threads.v[waking->wakee],
						     ev->hdr.ts_ns)
				  : rsp_names_tid(s->names, ev->wakee_tid, ev->hdr.ts_ns),
		.context = context_of(ev),
		.is_target = is_known && s->target[waking->wakee],
	};
	row = row_of(e, &key);
	if (!row)
		return -ENOMEM;
	row->cnt++;
	if (w) {
		row->first_cnt++;
		row->waited_ns += w->ns;
		row->target_ns += w->target_ns;
	}
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

static void *begin(const struct rsp_survey_scope *s, struct rsp_survey *ret)
{
	struct edges *e = calloc(1, sizeof(*e));

	if (e)
		*e = (struct edges){.scope = s, .survey = ret};
	return e;
}

static int end(void *table)
{
	struct edges *e = table;
	struct rsp_survey *survey = e->survey;

	rsp_intern_done(&e->keys);
	free(e);
	if (survey->edges.cnt)
		qsort(survey->edges.v, survey->edges.cnt, sizeof(*survey->edges.v), compare);
	return 0;
}

const struct rsp_survey_table rsp_survey_edges = {
	.begin = begin,
	.on_waking = on_waking,
	.end = end,
};
