/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See polls.h. The paper: "Pseudo-stacks and Control Paths", and its curl case. */
#include "polls.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"

/*
 * To look whether something has happened takes microseconds; who does more between two sleeps works
 * at something. The paper's figure.
 */
#define GLANCE_NS 100000

/* So many of those a thread has set going are asked whether they are done. */
#define CALLS_ASKED 16

/* A thread sets another going: it makes it, or wakes it. */
struct call {
	__u32 caller, callee;
	__u64 at_ns;
};

struct calls {
	struct call *v;
	size_t cnt, cap;
};

static bool ended_by_timer(const struct rsp_span *span)
{
	return span->kind == RSP_SPAN_BLOCKED &&
	       (span->cause == RSP_CAUSE_TIMEOUT || span->cause == RSP_CAUSE_SLEEP);
}

/* --- who set whom going ---------------------------------------------------------------------- */

static int add_call(struct calls *calls, __u32 caller, __u32 callee, __u64 at_ns)
{
	struct call *call = rsp_array_add(calls);

	if (!call)
		return -ENOMEM;
	*call = (struct call){caller, callee, at_ns};
	return 0;
}

static int calls_to(struct calls *calls, const struct rsp_model *m, __u32 thread, const bool *polls)
{
	const struct rsp_thread *t = &m->threads.v[thread];

	if (t->parent != RSP_NO_THREAD && polls[t->parent] &&
	    add_call(calls, t->parent, thread, t->birth_ns) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < t->spans.cnt; i++) {
		const struct rsp_span *span = &t->spans.v[i];

		if (span->kind == RSP_SPAN_BLOCKED && span->cause == RSP_CAUSE_TASK &&
		    polls[span->cause_id] &&
		    add_call(calls, span->cause_id, thread, rsp_span_end(t, i)) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int compare_calls(const void *pa, const void *pb)
{
	const struct call *a = pa, *b = pb;

	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	if (a->at_ns != b->at_ns)
		return a->at_ns < b->at_ns ? -1 : 1;
	return a->callee < b->callee ? -1 : a->callee > b->callee;
}

static bool meets_timers(const struct rsp_thread *t)
{
	for (size_t i = 0; i < t->spans.cnt; i++)
		if (ended_by_timer(&t->spans.v[i]))
			return true;
	return false;
}

/* All that threads which may poll have set going. */
static int find_calls(const struct rsp_model *m, struct calls *ret)
{
	bool *polls = calloc(m->threads.cnt + 1, sizeof(*polls));
	int r = polls ? 0 : -ENOMEM;

	for (size_t i = 0; i < m->threads.cnt && polls; i++)
		polls[i] = meets_timers(&m->threads.v[i]);
	for (size_t i = 0; i < m->threads.cnt && r == 0; i++)
		r = calls_to(ret, m, (__u32)i, polls);
	free(polls);
	if (r == 0 && ret->cnt)
		qsort(ret->v, ret->cnt, sizeof(*ret->v), compare_calls);
	return r;
}

/* How many calls lie before the first of caller after at_ns. */
static size_t calls_until(const struct calls *calls, __u32 caller, __u64 at_ns)
{
	size_t lo = 0, hi = calls->cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct call *c = &calls->v[mid];

		if (c->caller < caller || (c->caller == caller && c->at_ns <= at_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* --- sleeps that are one -------------------------------------------------------------------- */

static bool same_place(const struct rsp_span *a, const struct rsp_span *b)
{
	if (!a->out || !b->out)
		return false;
	return a->out->syscall_nr == b->out->syscall_nr && a->out->ustack == b->out->ustack &&
	       a->out->object == b->out->object;
}

/* Just a look, whether something has happened: who sets another going does more. */
static bool is_glance(const struct rsp_model *m, const struct calls *calls, __u32 thread,
		      size_t run)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	__u64 from_ns = t->spans.v[run].from_ns, to_ns = rsp_span_end(t, run);

	return to_ns - from_ns < GLANCE_NS &&
	       calls_until(calls, thread, to_ns) == calls_until(calls, thread, from_ns);
}

/* The sleep after this one, if it is the same one de facto; else 0. */
static size_t next_of_same(const struct rsp_model *m, const struct calls *calls, __u32 thread,
			   size_t i)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	size_t run = i + 1;

	if (run < t->spans.cnt && t->spans.v[run].kind == RSP_SPAN_RUNNABLE)
		run++;
	if (run + 1 >= t->spans.cnt || t->spans.v[run].kind != RSP_SPAN_RUN ||
	    t->spans.v[run + 1].kind != RSP_SPAN_BLOCKED)
		return 0;
	if (!is_glance(m, calls, thread, run))
		return 0;
	return same_place(&t->spans.v[i], &t->spans.v[run + 1]) ? run + 1 : 0;
}

static int add_span(struct rsp_polls *p, const struct rsp_span *span, size_t poll)
{
	return rsp_idmap_put(&p->of_span, (uintptr_t)span, poll);
}

/* From the sleep at i, which a timer ended, on; moves i to the last one. */
static int add_poll(struct rsp_polls *p, const struct rsp_model *m, const struct calls *calls,
		    __u32 thread, size_t *i)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	struct rsp_poll *poll = rsp_array_add(&p->list);
	size_t next, index = p->list.cnt - 1;

	if (!poll || add_span(p, &t->spans.v[*i], index) < 0)
		return -ENOMEM;
	poll->thread = thread;
	poll->worker = RSP_NO_THREAD;
	poll->from_ns = t->spans.v[*i].from_ns;
	poll->timeout_cnt = 1;
	for (; ended_by_timer(&t->spans.v[*i]); *i = next) {
		next = next_of_same(m, calls, thread, *i);
		if (!next)
			break;
		if (add_span(p, &t->spans.v[next], index) < 0)
			return -ENOMEM;
		poll->is_loop = true;
		poll->timeout_cnt += ended_by_timer(&t->spans.v[next]);
	}
	poll->last = &t->spans.v[*i];
	poll->noticed_ns = rsp_span_end(t, *i);
	return 0;
}

static int find_polls(struct rsp_polls *p, const struct rsp_model *m, const struct calls *calls)
{
	for (size_t thread = 0; thread < m->threads.cnt; thread++) {
		const struct rsp_thread *t = &m->threads.v[thread];

		for (size_t i = 0; i < t->spans.cnt; i++)
			if (ended_by_timer(&t->spans.v[i]) &&
			    add_poll(p, m, calls, (__u32)thread, &i) < 0)
				return -ENOMEM;
	}
	return 0;
}

/* --- whom they were for --------------------------------------------------------------------- */

/* When what the caller had set going was done, if it was by noticed_ns; else 0. */
static __u64 done_by(const struct rsp_model *m, const struct call *call, __u64 noticed_ns,
		     bool *ret_exited)
{
	const struct rsp_thread *t = &m->threads.v[call->callee];
	const struct rsp_span *span;

	*ret_exited = t->exit_ns > call->at_ns && t->exit_ns <= noticed_ns;
	if (*ret_exited)
		return t->exit_ns;
	if (!t->spans.cnt || t->end_ns <= noticed_ns || t->spans.v[0].from_ns > noticed_ns)
		return 0;
	/* Asleep, and until it is called again. */
	span = &t->spans.v[rsp_span_at(t, noticed_ns)];
	if (span->kind != RSP_SPAN_BLOCKED || span->from_ns <= call->at_ns)
		return 0;
	if (span->cause == RSP_CAUSE_NONE)
		return span->from_ns;
	return span->cause == RSP_CAUSE_TASK && span->cause_id == call->caller ? span->from_ns : 0;
}

/* Those who were done earlier would have been noticed at the sleep before. */
static void find_worker(const struct rsp_model *m, const struct calls *calls, struct rsp_poll *poll)
{
	size_t end = calls_until(calls, poll->thread, poll->noticed_ns);
	__u64 earliest_ns = poll->last->from_ns - GLANCE_NS;

	for (size_t i = end; i-- > 0 && end - i <= CALLS_ASKED;) {
		const struct call *call = &calls->v[i];
		bool exited;
		__u64 done_ns;

		if (call->caller != poll->thread)
			break;
		done_ns = done_by(m, call, poll->noticed_ns, &exited);
		if (done_ns < earliest_ns || done_ns <= poll->ready_ns)
			continue;
		poll->worker = call->callee;
		poll->ready_ns = done_ns;
		poll->worker_exited = exited;
	}
}

/* One who sleeps a while of its own will does not wait for anyone; one who polls may. */
static void find_workers(struct rsp_polls *p, const struct rsp_model *m, const struct calls *calls)
{
	for (size_t i = 0; i < p->list.cnt; i++) {
		struct rsp_poll *poll = &p->list.v[i];

		if (poll->last->cause == RSP_CAUSE_TASK) {
			poll->worker = poll->last->cause_id;
			poll->ready_ns = poll->noticed_ns;
		} else if (ended_by_timer(poll->last) &&
			   (poll->is_loop || poll->last->cause == RSP_CAUSE_TIMEOUT)) {
			find_worker(m, calls, poll);
		}
	}
}

int rsp_polls_new(const struct rsp_model *m, struct rsp_polls **ret)
{
	struct rsp_polls *p = calloc(1, sizeof(*p));
	struct calls calls = {0};
	int r;

	if (!p)
		return -ENOMEM;
	r = find_calls(m, &calls);
	if (r == 0)
		r = find_polls(p, m, &calls);
	if (r == 0)
		find_workers(p, m, &calls);
	free(calls.v);
	if (r < 0) {
		rsp_polls_free(p);
		return r;
	}
	*ret = p;
	return 0;
}

struct rsp_polls *rsp_polls_free(struct rsp_polls *p)
{
	if (!p)
		return NULL;
	free(p->list.v);
	rsp_idmap_done(&p->of_span);
	free(p);
	return NULL;
}

const struct rsp_poll *rsp_polls_find(const struct rsp_polls *p, const struct rsp_span *span)
{
	uint64_t i;

	return rsp_idmap_get(&p->of_span, (uintptr_t)span, &i) ? &p->list.v[i] : NULL;
}
