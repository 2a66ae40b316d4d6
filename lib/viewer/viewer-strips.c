/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the activity of the machine over time, which the page shows as strips (curves) above the
 * pictures. A strip consists of bins of equal length.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/snapshot/decode.h"
#include "lib/viewer/viewer-parts.h"

/*
 * BINS is half of the width of a large screen in pixels. IRQ_BINS_MAX limits the number of bins of
 * all CPUs together.
 */
#ifndef BINS /* the fuzz target uses fewer */
#define BINS 2048
#endif
#define IRQ_BINS_MAX (1 << 16)

/*
 * If a record covers many whole bins, it changes only a few elements of the array more. So the cost
 * of a record does not depend on its length.
 */
struct bins {
	__u64 *v; /* sums of amounts that cover only a part of the bin */
	/*
	 * for amounts that cover whole bins: change of their sum from the previous bin; wraps
	 * around
	 */
	__u64 *more;
	size_t cnt;
	__u64 end; /* end of the last bin, relative to base_ns */
};

/* The result is relative to base_ns. */
static __u64 begin_of(const struct bins *b, size_t i)
{
	return (__u64)(((unsigned __int128)b->end * i + b->cnt - 1) / b->cnt);
}

static size_t bin_at(const struct bins *b, __u64 t)
{
	return (size_t)((unsigned __int128)t * b->cnt / b->end);
}

/* The sums of the array more are numbers of spans that cover the whole bin. */
static void add_time(const struct rsp_viewer *v, struct bins *b, __u64 from_ns, __u64 to_ns)
{
	__u64 from = (__u64)rsp_viewer_time(v, from_ns), to = (__u64)rsp_viewer_time(v, to_ns);
	size_t first, last;

	if (to <= from)
		return;
	first = bin_at(b, from);
	last = bin_at(b, to - 1);
	if (first == last) {
		b->v[first] += to - from;
		return;
	}
	b->v[first] += begin_of(b, first + 1) - from;
	b->v[last] += to - begin_of(b, last);
	b->more[first + 1]++;
	b->more[last]--;
}

/* The shares add up exactly to amount. */
static void add_evenly(struct bins *b, __u64 from, __u64 to, __u64 amount)
{
	size_t first = bin_at(b, from), cnt = bin_at(b, to - 1) - first + 1;
	__u64 each = amount / cnt;

	b->more[first] += each + 1;
	b->more[first + amount % cnt]--;
	b->more[first + cnt] -= each;
}

static void add_amount(const struct rsp_viewer *v, struct bins *b, __u64 ts_ns, __u64 amount)
{
	__u64 at = (__u64)rsp_viewer_time(v, ts_ns);

	if (at < b->end)
		b->v[bin_at(b, at)] += amount;
	else if (b->end)
		b->v[b->cnt - 1] += amount;
}

/* --- strips ----------------------------------------------------------------------------------- */

static void add_spans(const struct rsp_viewer *v, struct bins strips[static RSP_COL_MAX])
{
	const struct rsp_model *m = v->model;

	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_thread *t = &m->threads.v[i];

		for (size_t j = 0; j < t->spans.cnt; j++) {
			const struct rsp_span *s = &t->spans.v[j];

			if (s->kind == RSP_SPAN_RUN)
				add_time(v, &strips[RSP_COL_STRIP_CPU], s->from_ns,
					 rsp_span_end(t, j));
			else if (s->kind == RSP_SPAN_RUNNABLE || s->kind == RSP_SPAN_PREEMPTED)
				add_time(v, &strips[RSP_COL_STRIP_RUNQUEUE], s->from_ns,
					 rsp_span_end(t, j));
		}
	}
}

/* A request without a record of its end counts as in progress until the end of the recording. */
static void add_requests(const struct rsp_viewer *v, struct bins strips[static RSP_COL_MAX])
{
	const struct rsp_ops *ops = &v->model->ops;

	for (size_t i = 0; i < ops->requests.cnt; i++) {
		const struct rsp_request *r = &ops->requests.v[i];
		__u64 done_ns = r->done_ns ? r->done_ns : v->end_ns;
		__u64 issue_ns = r->issue_ns ? r->issue_ns : done_ns;

		if (r->insert_ns)
			add_time(v, &strips[RSP_COL_STRIP_DISK_QUEUED], r->insert_ns, issue_ns);
		add_time(v, &strips[RSP_COL_STRIP_DISK], issue_ns, done_ns);
	}
}

static void add_net(const struct rsp_viewer *v, const struct rsp_ev_net *ev,
		    struct bins strips[static RSP_COL_MAX])
{
	if (rsp_socket_is_unix(rsp_trace_socket(v->model->trace, ev->object)))
		return;
	if (ev->hdr.flags & RSP_NET_SEND)
		add_amount(v, &strips[RSP_COL_STRIP_SENT], ev->hdr.ts_ns, ev->bytes);
	if (ev->hdr.flags & RSP_NET_READY)
		add_amount(v, &strips[RSP_COL_STRIP_RECEIVED], ev->hdr.ts_ns, ev->bytes);
}

static void put_gaps(struct rsp_viewer *v, struct bins *lost)
{
	const struct rsp_trace *trace = v->model->trace;

	for (size_t i = 0; i < trace->losses.cnt; i++) {
		const struct rsp_ev_lost *l = trace->losses.v[i];
		__s64 from = rsp_viewer_time(v, l->from_ns);
		__s64 to = rsp_viewer_time(v, l->hdr.ts_ns);
		bool of_any = l->hdr.flags & RSP_LOST_NOT_MADE;

		rsp_columns_put(&v->columns, RSP_COL_GAP_FROM, from);
		rsp_columns_put(&v->columns, RSP_COL_GAP_NS, to > from ? to - from : 0);
		rsp_columns_put(&v->columns, RSP_COL_GAP_CPU, of_any ? 0 : l->hdr.cpu + 1);
		rsp_columns_put(&v->columns, RSP_COL_GAP_LOST, (__s64)l->lost_cnt);
		if (to > from)
			add_evenly(lost, (__u64)from, (__u64)to, l->lost_cnt);
		else
			add_amount(v, lost, l->hdr.ts_ns, l->lost_cnt);
	}
}

static void put_bins(struct rsp_viewer *v, enum rsp_column_id id, const struct bins *b)
{
	__u64 more = 0;

	for (size_t i = 0; i < b->cnt; i++) {
		__u64 unit = id == RSP_COL_STRIP_LOST ? 1 : begin_of(b, i + 1) - begin_of(b, i);

		more += b->more[i];
		rsp_columns_put(&v->columns, id, (__s64)(b->v[i] + more * unit));
	}
}

/* --- interrupts, for each CPU ----------------------------------------------------------------- */

static void add_irq(const struct rsp_viewer *v, const struct rsp_ev_irq *ev, struct bins *hard,
		    struct bins *soft, size_t cpu_cnt)
{
	__u64 from_ns = ev->hdr.ts_ns > ev->dur_ns ? ev->hdr.ts_ns - ev->dur_ns : 0;

	if (ev->hdr.cpu < cpu_cnt)
		add_time(v, ev->hdr.flags & RSP_IRQ_HARD ? &hard[ev->hdr.cpu] : &soft[ev->hdr.cpu],
			 from_ns, ev->hdr.ts_ns);
}

static void add_events(const struct rsp_viewer *v, struct bins strips[static RSP_COL_MAX],
		       struct bins *hard, struct bins *soft, size_t cpu_cnt)
{
	const struct rsp_trace *trace = v->model->trace;

	for (size_t i = 0; i < trace->event_cnt; i++) {
		const void *ev = trace->events[i];

		if (trace->events[i]->kind == RSP_EV_NET)
			add_net(v, ev, strips);
		else if (trace->events[i]->kind == RSP_EV_IRQ)
			add_irq(v, ev, hard, soft, cpu_cnt);
	}
}

/* --- the whole -------------------------------------------------------------------------------- */

static size_t irq_bins(size_t cpu_cnt)
{
	size_t cnt = cpu_cnt ? IRQ_BINS_MAX / cpu_cnt : 0;

	return cnt > BINS ? BINS : cnt ? cnt : 1;
}

/* The array "more" has one more element, for the change after the last bin. */
static size_t numbers_of(size_t n, size_t cnt)
{
	return n * (2 * cnt + 1);
}

static __u64 *divide(const struct rsp_viewer *v, __u64 *memory, struct bins *ret, size_t n,
		     size_t cnt)
{
	for (size_t i = 0; i < n; i++, memory += numbers_of(1, cnt))
		ret[i] = (struct bins){memory, memory + cnt, cnt, v->end_ns - v->base_ns};
	return memory;
}

void rsp_viewer_put_strips(struct rsp_viewer *v)
{
	size_t cpu_cnt = v->cpu_cnt, irq_cnt = irq_bins(cpu_cnt);
	size_t strip_cnt = RSP_COL_STRIP_LOST - RSP_COL_STRIP_CPU + 1;
	_cleanup_free_ __u64 *memory = calloc(
		numbers_of(strip_cnt, BINS) + numbers_of(2 * cpu_cnt, irq_cnt), sizeof(*memory));
	_cleanup_free_ struct bins *irqs = calloc(2 * cpu_cnt + 1, sizeof(*irqs));
	struct bins strips[RSP_COL_MAX] = {0};
	__u64 *rest;

	if (!memory || !irqs) {
		v->error = -ENOMEM;
		return;
	}
	rest = divide(v, memory, &strips[RSP_COL_STRIP_CPU], strip_cnt, BINS);
	divide(v, rest, irqs, 2 * cpu_cnt, irq_cnt);
	if (v->end_ns > v->base_ns) {
		add_spans(v, strips);
		add_requests(v, strips);
		add_events(v, strips, irqs, irqs + cpu_cnt, cpu_cnt);
	}
	put_gaps(v, &strips[RSP_COL_STRIP_LOST]);
	for (enum rsp_column_id id = RSP_COL_STRIP_CPU; id <= RSP_COL_STRIP_LOST; id++)
		put_bins(v, id, &strips[id]);
	for (size_t i = 0; i < 2 * cpu_cnt; i++)
		put_bins(v, i < cpu_cnt ? RSP_COL_IRQ_HARD : RSP_COL_IRQ_SOFT, &irqs[i]);
}
