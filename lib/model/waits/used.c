/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See used.h. */
#include "lib/model/waits/used.h"

#include <errno.h>
#include <stdlib.h>

static bool *new_marks(size_t cnt)
{
	return calloc(cnt + 1, sizeof(bool));
}

static int allocate(struct rsp_used *u)
{
	const struct rsp_model *m = u->model;

	u->spans = new_marks(m->span_cnt);
	u->requests = new_marks(m->ops.requests.cnt);
	u->turns = calloc(m->cpus.cnt + 1, sizeof(*u->turns));
	if (!u->spans || !u->requests || !u->turns)
		return -ENOMEM;
	for (size_t i = 0; i < m->cpus.cnt; i++) {
		u->turns[i] = new_marks(m->cpus.v[i].turns.cnt);
		if (!u->turns[i])
			return -ENOMEM;
	}
	return 0;
}

int rsp_used_new(const struct rsp_model *m, struct rsp_used **ret)
{
	struct rsp_used *u = calloc(1, sizeof(*u));

	if (!u)
		return -ENOMEM;
	u->model = m;
	if (allocate(u) < 0) {
		rsp_used_free(u);
		return -ENOMEM;
	}
	*ret = u;
	return 0;
}

struct rsp_used *rsp_used_free(struct rsp_used *u)
{
	if (!u)
		return NULL;
	for (size_t i = 0; u->turns && i < u->model->cpus.cnt; i++)
		free(u->turns[i]);
	free(u->turns);
	free(u->requests);
	free(u->spans);
	free(u);
	return NULL;
}

void rsp_used_span(struct rsp_used *u, __u32 thread, size_t i)
{
	const struct rsp_thread *t;

	if (!u)
		return;
	t = &u->model->threads.v[thread];
	if (i >= t->spans.cnt)
		return;
	u->spans[t->first_span + i] = true;
	if (i > 0)
		u->spans[t->first_span + i - 1] = true;
}

void rsp_used_spans(struct rsp_used *u, __u32 thread, __u64 from_ns, __u64 to_ns)
{
	const struct rsp_thread *t;

	if (!u || from_ns >= to_ns)
		return;
	t = &u->model->threads.v[thread];
	if (!t->spans.cnt || to_ns <= t->spans.v[0].from_ns)
		return;
	for (size_t i = rsp_span_at(t, from_ns); i < t->spans.cnt; i++) {
		if (t->spans.v[i].from_ns >= to_ns)
			break;
		rsp_used_span(u, thread, i);
	}
}

void rsp_used_turn(struct rsp_used *u, __u32 cpu, size_t i)
{
	if (u && i < u->model->cpus.v[cpu].turns.cnt)
		u->turns[cpu][i] = true;
}

void rsp_used_request(struct rsp_used *u, __u32 request)
{
	if (u)
		u->requests[request] = true;
}

static void use_kernel_work(struct rsp_used *u, __u32 thread, __u64 ts_ns)
{
	const struct rsp_thread *t = &u->model->threads.v[thread];
	size_t i;

	if (!t->spans.cnt || t->spans.v[0].from_ns >= ts_ns)
		return;
	i = rsp_span_at(t, ts_ns - 1);
	for (size_t n = 0; n < RSP_POLLS_WORK_SPANS_MAX; n++) {
		rsp_used_span(u, thread, i);
		if (i-- == 0 || rsp_span_waits_for_work(&t->spans.v[i + 1]))
			return;
	}
}

void rsp_used_poll(struct rsp_used *u, const struct rsp_poll *poll)
{
	const struct rsp_model *m;

	if (!u || !poll)
		return;
	m = u->model;
	rsp_used_spans(u, poll->thread, poll->from_ns, poll->noticed_ns + 1);
	if (poll->last->cause == RSP_CAUSE_TASK &&
	    rsp_thread_is_kthread(m, &m->threads.v[poll->last->cause_id], poll->ended_ns))
		use_kernel_work(u, poll->last->cause_id, poll->ended_ns);
	if (poll->worker != RSP_NO_THREAD)
		rsp_used_spans(u, poll->worker, poll->ready_ns - 1, poll->noticed_ns + 1);
}
