/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns IRQ records into rows of interrupts, and subtracts their time from the times of tasks and
 * CPUs.
 *
 * The time of a softirq includes the hard interrupts within it, so their time is subtracted, unless
 * the record is a sum of several softirqs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/model/utilization/utilization-parts.h"

struct hard_irq {
	__u64 to_ns, ns; /* to_ns: the end; ns: the part of the time that lies within the span */
};

struct irqs {
	struct rsp_using *x;
	struct rsp_intern keys; /* names */
	/* The hard interrupts of each CPU since its last softirq with a record of its own. */
	struct {
		struct hard_irqs {
			struct hard_irq *v;
			size_t cnt, cap;
		} * v;
		size_t cnt, cap;
	} cpus;
};

static __u32 name_of(struct rsp_names *names, const struct rsp_ev_irq *ev)
{
	const struct rsp_ev_waking from = {.context = RSP_WAKE_SOFTIRQ, .cause = ev->vector};
	char text[32];
	__u32 name;

	if (ev->hdr.flags & RSP_IRQ_SOFT)
		return rsp_names_interrupt(names, &from);
	name = rsp_names_object(names, ev->object);
	if (name)
		return name;
	snprintf(text, sizeof(text), "irq %u", ev->vector);
	return rsp_names_add(names, text);
}

static struct rsp_use_irq *row_of(struct irqs *q, __u32 name)
{
	struct rsp_utilization *u = q->x->u;
	struct rsp_use_irq *row;
	uint32_t i;

	if (rsp_intern_put(&q->keys, &name, sizeof(name), &i) < 0)
		return NULL;
	if (i < u->irqs.cnt)
		return &u->irqs.v[i];
	row = rsp_array_add(&u->irqs);
	if (row)
		*row = (struct rsp_use_irq){.name = name, .min_ns = UINT64_MAX};
	return row;
}

static __u64 begin_of(const struct rsp_ev_irq *ev)
{
	return ev->dur_ns < ev->hdr.ts_ns ? ev->hdr.ts_ns - ev->dur_ns : 0;
}

static bool is_sum(const struct rsp_ev_irq *ev)
{
	return ev->hdr.flags & RSP_IRQ_SOFT && ev->more_cnt;
}

static void add_to_row(const struct rsp_utilization *u, const struct rsp_ev_irq *ev,
		       struct rsp_use_irq *row)
{
	__u64 longest_ns = ev->dur_ns;

	if (begin_of(ev) < u->since_ns || ev->hdr.ts_ns > u->until_ns) {
		row->pending_ns += rsp_use_clip(u, begin_of(ev), ev->hdr.ts_ns);
		return;
	}
	row->cnt++;
	row->sum_ns += ev->dur_ns;
	if (is_sum(ev)) {
		row->cnt += ev->more_cnt;
		row->has_sums = true;
		if (longest_ns > ev->longest_ns)
			longest_ns = ev->longest_ns;
	} else if (ev->dur_ns < row->min_ns) {
		row->min_ns = ev->dur_ns;
	}
	if (row->max_ns < longest_ns)
		row->max_ns = longest_ns;
}

static struct hard_irqs *hards_of(struct irqs *q, __u16 cpu)
{
	while (q->cpus.cnt <= cpu)
		if (!rsp_array_add(&q->cpus))
			return NULL;
	return &q->cpus.v[cpu];
}

/* Empties the list. */
static __u64 nested_ns(struct hard_irqs *hard_irqs, __u64 from_ns)
{
	__u64 ns = 0;

	for (; hard_irqs->cnt && hard_irqs->v[hard_irqs->cnt - 1].to_ns > from_ns; hard_irqs->cnt--)
		ns += hard_irqs->v[hard_irqs->cnt - 1].ns;
	hard_irqs->cnt = 0;
	return ns;
}

/* Returns the time that was moved. */
static __u64 move_time(__u64 *left, bool is_soft, __u64 *irq_ns, __u64 *softirq_ns, __u64 ns)
{
	if (ns > *left)
		ns = *left;
	*left -= ns;
	*(is_soft ? softirq_ns : irq_ns) += ns;
	return ns;
}

static void take_from_task(struct rsp_use_task *task, const struct rsp_ev_irq *ev, bool is_soft,
			   __u64 ns)
{
	struct rsp_use_place *place = rsp_use_place_of(task, ev->hdr.cpu);
	struct rsp_use *use = &task->use;
	__u64 left;

	if (!place)
		return;
	left = rsp_use_place_left_ns(place);
	ns = move_time(&left, is_soft, &place->irq_ns, &place->softirq_ns, ns);
	move_time(&use->busy_ns, is_soft, &use->irq_ns, &use->softirq_ns, ns);
}

static void take_time(struct irqs *q, const struct rsp_ev_irq *ev, __u64 ns)
{
	struct rsp_utilization *u = q->x->u;
	bool is_soft = ev->hdr.flags & RSP_IRQ_SOFT;
	size_t i = ev->tid ? rsp_use_task_at(u, ev->tid, begin_of(ev)) : RSP_NO_TASK;
	struct rsp_use *use;

	if (i != RSP_NO_TASK) {
		take_from_task(&u->tasks.v[i], ev, is_soft, ns);
	} else if (!ev->tid && ev->hdr.cpu < u->cpus.cnt) {
		use = &u->cpus.v[ev->hdr.cpu].use;
		move_time(&use->idle_ns, is_soft, &use->irq_ns, &use->softirq_ns, ns);
	}
}

static int add_irq(struct irqs *q, const struct rsp_ev_irq *ev)
{
	const struct rsp_utilization *u = q->x->u;
	__u64 ns = rsp_use_clip(u, begin_of(ev), ev->hdr.ts_ns), nested;
	struct hard_irqs *hard_irqs = hards_of(q, ev->hdr.cpu);
	struct rsp_use_irq *row;
	struct hard_irq *hard_irq;

	if (!hard_irqs)
		return -ENOMEM;
	if (!ns)
		return 0;
	row = row_of(q, name_of(q->x->names, ev));
	if (!row)
		return -ENOMEM;
	add_to_row(u, ev, row);
	if (ev->hdr.flags & RSP_IRQ_SOFT) {
		nested = is_sum(ev) ? 0 : nested_ns(hard_irqs, begin_of(ev));
		take_time(q, ev, ns > nested ? ns - nested : 0);
		return 0;
	}
	hard_irq = rsp_array_add(hard_irqs);
	if (!hard_irq)
		return -ENOMEM;
	*hard_irq = (struct hard_irq){ev->hdr.ts_ns, ns};
	take_time(q, ev, ns);
	return 0;
}

static int compare_irqs(const void *pa, const void *pb)
{
	const struct rsp_use_irq *a = pa, *b = pb;
	__u64 a_ns = a->sum_ns + a->pending_ns, b_ns = b->sum_ns + b->pending_ns;

	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

int rsp_use_irqs(struct rsp_using *x)
{
	const struct rsp_trace *trace = x->m->trace;
	struct irqs q = {.x = x};
	int r = 0;

	for (size_t i = 0; i < trace->event_cnt && r == 0; i++)
		if (trace->events[i]->kind == RSP_EV_IRQ)
			r = add_irq(&q, (const void *)trace->events[i]);
	for (size_t i = 0; i < q.cpus.cnt; i++)
		free(q.cpus.v[i].v);
	free(q.cpus.v);
	rsp_intern_done(&q.keys);
	if (x->u->irqs.cnt)
		qsort(x->u->irqs.v, x->u->irqs.cnt, sizeof(*x->u->irqs.v), compare_irqs);
	for (size_t i = 0; i < x->u->irqs.cnt; i++)
		if (x->u->irqs.v[i].min_ns == UINT64_MAX)
			x->u->irqs.v[i].min_ns = 0;
	return r;
}
