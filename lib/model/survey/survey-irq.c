/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a row of the survey for each interrupt handler and softirq. An interrupt is recorded when
 * it ends. It claims the wakeups on its CPU since it began, except those that a nested interrupt
 * has already claimed.
 *
 * Short softirqs are recorded as sums, without the beginning of each softirq. A sum of NET_RX
 * softirqs claims the unclaimed wakeups by packets. The softirqs of other sums woke no thread.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/model/survey/survey-parts.h"

#define NET_RX_SOFTIRQ 3

struct wakeup {
	__u64 ts_ns;
	bool is_by_packet;
};

/* Wakeups that no interrupt has claimed yet, oldest first. */
struct unclaimed {
	struct wakeup *v;
	size_t cnt, cap;
};

struct irqs {
	const struct rsp_survey_scope *scope;
	struct rsp_survey *survey;
	struct rsp_intern keys; /* names */
	struct {
		struct unclaimed *v; /* one for each CPU */
		size_t cnt, cap;
	} cpus;
};

static struct unclaimed *cpu_of(struct irqs *q, __u16 cpu)
{
	while (q->cpus.cnt <= cpu)
		if (!rsp_array_add(&q->cpus))
			return NULL;
	return &q->cpus.v[cpu];
}

static __u32 name_of(const struct rsp_survey_scope *s, const struct rsp_ev_irq *ev)
{
	const struct rsp_ev_waking from = {.context = RSP_WAKE_SOFTIRQ, .cause = ev->vector};
	char text[32];
	__u32 name;

	if (ev->hdr.flags & RSP_IRQ_SOFT)
		return rsp_names_interrupt(s->names, &from);
	name = rsp_names_object(s->names, ev->object);
	if (name)
		return name;
	snprintf(text, sizeof(text), "irq %u", ev->vector);
	return rsp_names_add(s->names, text);
}

static struct rsp_irq_row *row_of(struct irqs *q, __u32 name)
{
	struct rsp_irq_row *row;
	uint32_t i;

	if (rsp_intern_put(&q->keys, &name, sizeof(name), &i) < 0)
		return NULL;
	if (i < q->survey->irqs.cnt)
		return &q->survey->irqs.v[i];
	row = rsp_array_add(&q->survey->irqs);
	if (row)
		row->name = rsp_survey_text(q->scope, name);
	return row;
}

static bool is_by_packet(const struct rsp_ev_waking *ev)
{
	return ev->context == RSP_WAKE_NET ||
	       (ev->context == RSP_WAKE_SOFTIRQ && ev->cause == NET_RX_SOFTIRQ);
}

static int on_waking(void *table, const struct rsp_survey_waking *waking)
{
	const struct rsp_ev_waking *ev = waking->ev;
	struct irqs *q = table;
	struct unclaimed *cpu;
	struct wakeup *wakeup;

	if (ev->context == RSP_WAKE_TASK || !rsp_survey_within(q->scope, ev->hdr.ts_ns))
		return 0;
	cpu = cpu_of(q, ev->hdr.cpu);
	wakeup = cpu ? rsp_array_add(cpu) : NULL;
	if (!wakeup)
		return -ENOMEM;
	*wakeup = (struct wakeup){ev->hdr.ts_ns, is_by_packet(ev)};
	return 0;
}

static __u64 claim(struct unclaimed *cpu, __u64 since_ns)
{
	__u64 cnt = 0;

	for (; cpu->cnt && cpu->v[cpu->cnt - 1].ts_ns >= since_ns; cpu->cnt--)
		cnt++;
	return cnt;
}

static __u64 claim_packets(struct unclaimed *cpu)
{
	size_t kept = 0, cnt = cpu->cnt;

	for (size_t i = 0; i < cnt; i++)
		if (!cpu->v[i].is_by_packet)
			cpu->v[kept++] = cpu->v[i];
	cpu->cnt = kept;
	return cnt - kept;
}

static void add_irq(struct irqs *q, const struct rsp_ev_irq *ev, struct unclaimed *cpu,
		    struct rsp_irq_row *row)
{
	const struct rsp_survey_scope *s = q->scope;
	__u64 to_ns = ev->hdr.ts_ns, from_ns = ev->dur_ns < to_ns ? to_ns - ev->dur_ns : 0;
	__u64 ns = rsp_survey_clip(s, from_ns, to_ns), longest_ns = ns;
	bool is_sum = ev->hdr.flags & RSP_IRQ_SOFT && ev->more_cnt;
	__u32 thread = ev->tid ? rsp_survey_thread(s, ev->tid, from_ns) : RSP_NO_THREAD;

	row->cnt++;
	row->ns += ns;
	if (is_sum) {
		row->cnt += ev->more_cnt;
		if (longest_ns > ev->longest_ns)
			longest_ns = ev->longest_ns;
		if (ev->vector == NET_RX_SOFTIRQ)
			row->woken_cnt += claim_packets(cpu);
	} else {
		row->woken_cnt += claim(cpu, from_ns);
	}
	if (row->longest_ns < longest_ns)
		row->longest_ns = longest_ns;
	if (thread != RSP_NO_THREAD && s->target[thread])
		row->interrupting_ns += ns;
}

static int on_irq(void *table, const struct rsp_ev_irq *ev)
{
	struct irqs *q = table;
	const struct rsp_survey_scope *s = q->scope;
	__u64 to_ns = ev->hdr.ts_ns, from_ns = ev->dur_ns < to_ns ? to_ns - ev->dur_ns : 0;
	struct unclaimed *cpu = cpu_of(q, ev->hdr.cpu);
	struct rsp_irq_row *row;

	if (!cpu)
		return -ENOMEM;
	if (!rsp_survey_clip(s, from_ns, to_ns) && !rsp_survey_within(s, to_ns))
		return 0;
	row = row_of(q, name_of(s, ev));
	if (!row)
		return -ENOMEM;
	add_irq(q, ev, cpu, row);
	return 0;
}

static int compare(const void *pa, const void *pb)
{
	const struct rsp_irq_row *a = pa, *b = pb;
	int r = rsp_survey_more(a->interrupting_ns, b->interrupting_ns);

	if (!r)
		r = rsp_survey_more(a->ns, b->ns);
	return r ? r : strcmp(a->name, b->name);
}

static void *begin(const struct rsp_survey_scope *s, struct rsp_survey *ret)
{
	struct irqs *q = calloc(1, sizeof(*q));

	if (q)
		*q = (struct irqs){.scope = s, .survey = ret};
	return q;
}

static int end(void *table)
{
	struct irqs *q = table;
	struct rsp_survey *survey = q->survey;

	rsp_intern_done(&q->keys);
	for (size_t i = 0; i < q->cpus.cnt; i++)
		free(q->cpus.v[i].v);
	free(q->cpus.v);
	free(q);
	if (survey->irqs.cnt)
		qsort(survey->irqs.v, survey->irqs.cnt, sizeof(*survey->irqs.v), compare);
	return 0;
}

const struct rsp_survey_table rsp_survey_irqs = {
	.begin = begin,
	.on_waking = on_waking,
	.on_irq = on_irq,
	.end = end,
};
