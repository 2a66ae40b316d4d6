/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See polls.h. */
#include "lib/model/waits/polls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "lib/base/syscalls.h"
#include "lib/model/near.h"

/*
 * A thread that only checks whether an event has happened runs for some microseconds between two
 * sleeps. If it runs longer than GLANCE_NS, it does some work.
 */
#define GLANCE_NS      100000
/*
 * Event loops do a little housekeeping between sleeps, for at most 1 / GLANCE_DIVISOR of the
 * longest sleep of the loop so far.
 */
#define GLANCE_DIVISOR 20
/*
 * If another thread ended the sleep, the limit is 1 / LOOK_DIVISOR of the sleep, because the thread
 * may now do its real work.
 */
#define LOOK_DIVISOR   200

#define CALLS_ASKED 16

/*
 * Minimum number of sleeps of a poll, if the worker may be in a process that the poller did not
 * create.
 */
#define STRANGER_SLEEPS_MIN 4

/*
 * Maximum number of the caller's spans in which has_answered() searches for an answer of the
 * callee.
 */
#define LOOK_BACK 256

/* Maximum number of spans of a thread from its last wakeup to its end. */
#define ENDING_SPANS_MAX 16

#define NO_POLL UINT32_MAX

/*
 * An event by which the caller starts the work of the callee: it creates the callee, or wakes it.
 */
struct call {
	__u64 at_ns;
	__u32 caller, callee;
};

struct calls {
	struct call *v; /* by caller, then by time */
	size_t cnt, cap;
	/* [thread]: index of its first call; the entry after the last thread is cnt */
	size_t *first;
	size_t near; /* index at which the last search ended */
};

static bool ended_by_timer(const struct rsp_span *span)
{
	return span->kind == RSP_SPAN_BLOCKED &&
	       (span->cause == RSP_CAUSE_TIMEOUT || span->cause == RSP_CAUSE_SLEEP);
}

static bool is_unread(const struct rsp_ev_switch *out)
{
	return out->hdr.flags & RSP_SW_SEED && !out->object && rsp_syscall_polls(out->syscall_nr);
}

/* A condition variable of glibc has two adjacent futexes, and its waiters alternate between them.
 */
#define FUTEX_PAIR_MASK (~7ULL)

static bool same_object(const struct rsp_ev_switch *a, const struct rsp_ev_switch *b)
{
	if (a->hdr.flags & b->hdr.flags & RSP_SW_FUTEX)
		return ((a->object ^ b->object) & FUTEX_PAIR_MASK) == 0;
	return a->object == b->object || is_unread(a) || is_unread(b);
}

/* A busy recorder leaves out stacks. */
static bool same_stack(const struct rsp_ev_switch *a, const struct rsp_ev_switch *b)
{
	if (a->ustack && b->ustack)
		return a->ustack == b->ustack;
	return a->ustack == b->ustack || a->object || rsp_syscall_polls(a->syscall_nr);
}

static bool same_place(const struct rsp_span *a, const struct rsp_span *b)
{
	if (!a->out || !b->out)
		return false;
	return a->out->syscall_nr == b->out->syscall_nr && same_stack(a->out, b->out) &&
	       same_object(a->out, b->out);
}

/* --- calls ----------------------------------------------------------------------------------- */

/*
 * Adds a call, unless the callee is a kernel thread: programs do not poll for kernel threads, but
 * an interrupted program appears as the waker of a softirq thread.
 */
static int add_call(struct calls *calls, const struct rsp_model *m, __u32 caller, __u32 callee,
		    __u64 at_ns)
{
	struct call *call;

	if (rsp_thread_is_kthread(m, &m->threads.v[callee], at_ns))
		return 0;
	call = rsp_array_add(calls);
	if (!call)
		return -ENOMEM;
	*call = (struct call){at_ns, caller, callee};
	return 0;
}

static int calls_to(struct calls *calls, const struct rsp_model *m, __u32 thread, const bool *polls)
{
	const struct rsp_thread *t = &m->threads.v[thread];

	if (t->parent != RSP_NO_THREAD && polls[t->parent] &&
	    add_call(calls, m, t->parent, thread, t->birth_ns) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < t->spans.cnt; i++) {
		__u32 caller = rsp_span_ender(m, t, i);

		if (caller != RSP_NO_THREAD && polls[caller] &&
		    add_call(calls, m, caller, thread, rsp_span_end(t, i)) < 0)
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

static bool has_timeouts(const struct rsp_thread *t)
{
	for (size_t i = 0; i < t->spans.cnt; i++)
		if (ended_by_timer(&t->spans.v[i]))
			return true;
	return false;
}

static int index_calls(const struct rsp_model *m, struct calls *calls)
{
	size_t i = 0;

	calls->first = calloc(m->threads.cnt + 1, sizeof(*calls->first));
	if (!calls->first)
		return -ENOMEM;
	for (size_t caller = 0; caller <= m->threads.cnt; caller++) {
		while (i < calls->cnt && calls->v[i].caller < caller)
			i++;
		calls->first[caller] = i;
	}
	return 0;
}

static bool same_process(const struct rsp_model *m, __u32 a, __u32 b, __u64 ts_ns)
{
	const struct rsp_ev_task *x = rsp_thread_task(m, &m->threads.v[a], ts_ns);
	const struct rsp_ev_task *y = rsp_thread_task(m, &m->threads.v[b], ts_ns);

	return x && y && x->tgid == y->tgid;
}

static bool is_first_thread(const struct rsp_model *m, const struct rsp_thread *t)
{
	const struct rsp_ev_task *task = rsp_thread_task(m, t, t->end_ns);

	return !task || task->tgid == t->tid;
}

static bool ended_by_own(const struct rsp_model *m, __u32 thread, size_t i)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	const struct rsp_span *span = &t->spans.v[i];

	return span->kind == RSP_SPAN_BLOCKED && span->cause == RSP_CAUSE_TASK &&
	       span->cause_id != thread &&
	       same_process(m, thread, span->cause_id, rsp_span_end(t, i));
}

static __u64 check_limit_ns(__u64 sleep_ns)
{
	return sleep_ns / GLANCE_DIVISOR > GLANCE_NS ? sleep_ns / GLANCE_DIVISOR : GLANCE_NS;
}

/*
 * Returns the maximum time between two sleeps of a pool's thread that had no job: jobs take longer.
 */
static __u64 no_job_limit_ns(__u64 sleep_ns)
{
	return sleep_ns / LOOK_DIVISOR > GLANCE_NS ? sleep_ns / LOOK_DIVISOR : GLANCE_NS;
}

/*
 * If another thread of the process ended the sleep at i, and the thread soon slept at the same
 * place again, returns the index of this next sleep, whatever the thread did in between. Otherwise
 * returns 0.
 */
static size_t sleeps_on_at(const struct rsp_model *m, __u32 thread, size_t i)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	__u64 until_ns = rsp_span_end(t, i);

	if (!ended_by_own(m, thread, i))
		return 0;
	until_ns += no_job_limit_ns(until_ns - t->spans.v[i].from_ns);
	for (size_t k = i + 1; k < t->spans.cnt && t->spans.v[k].from_ns < until_ns; k++)
		if (t->spans.v[k].kind == RSP_SPAN_BLOCKED &&
		    same_place(&t->spans.v[i], &t->spans.v[k]))
			return k;
	return 0;
}

/*
 * Returns whether another thread of the process ended the sleep at i, and the thread ended soon
 * after that. Waits for a CPU do not count.
 */
static bool ends_after(const struct rsp_model *m, __u32 thread, size_t i)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	__u64 limit_ns, ns = 0;

	if (t->end_ns == UINT64_MAX || t->spans.cnt - i > ENDING_SPANS_MAX ||
	    !ended_by_own(m, thread, i))
		return false;
	limit_ns = no_job_limit_ns(rsp_span_end(t, i) - t->spans.v[i].from_ns);
	for (size_t k = i + 1; k < t->spans.cnt && ns < limit_ns; k++)
		if (t->spans.v[k].kind == RSP_SPAN_BLOCKED || t->spans.v[k].kind == RSP_SPAN_RUN)
			ns += rsp_span_end(t, k) - t->spans.v[k].from_ns;
	return ns < limit_ns;
}

static bool may_look(const struct rsp_model *m, __u32 thread)
{
	const struct rsp_thread *t = &m->threads.v[thread];

	if (is_first_thread(m, t))
		return false;
	for (size_t i = 0; i < t->spans.cnt; i++)
		if (sleeps_on_at(m, thread, i) || ends_after(m, thread, i))
			return true;
	return false;
}

static int find_calls(const struct rsp_model *m, struct calls *ret)
{
	bool *polls = calloc(m->threads.cnt + 1, sizeof(*polls));
	int r = polls ? 0 : -ENOMEM;

	for (size_t i = 0; i < m->threads.cnt && polls; i++)
		polls[i] = has_timeouts(&m->threads.v[i]) || may_look(m, (__u32)i);
	for (size_t i = 0; i < m->threads.cnt && r == 0; i++)
		r = calls_to(ret, m, (__u32)i, polls);
	free(polls);
	if (r == 0)
		r = rsp_sort(ret->v, ret->cnt, sizeof(*ret->v), compare_calls);
	return r < 0 ? r : index_calls(m, ret);
}

static size_t calls_until(struct calls *calls, __u32 caller, __u64 at_ns)
{
	size_t first = calls->first[caller], end = calls->first[caller + 1];

	if (first == end || calls->v[first].at_ns > at_ns)
		return first;
	if (calls->near < first || calls->near >= end)
		calls->near = first;
	calls->near = first + rsp_near(&calls->v[first], end - first, sizeof(*calls->v), at_ns,
				       calls->near - first);
	return calls->near + 1;
}

/* --- loops of sleeps ------------------------------------------------------------------------ */

/*
 * Returns whether the thread only made a check after the sleep at i: it used almost no CPU time,
 * even if it was often preempted, and called no other thread. Moves i to the next sleep.
 * longest_ns: the longest sleep of this loop.
 */
static bool only_checks(const struct rsp_model *m, struct calls *calls, __u32 thread,
			__u64 longest_ns, size_t *i)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	__u64 woken_ns = rsp_span_end(t, *i), ran_ns = 0, check_ns = check_limit_ns(longest_ns);

	for (++*i; *i < t->spans.cnt && t->spans.v[*i].kind != RSP_SPAN_BLOCKED; ++*i)
		if (t->spans.v[*i].kind == RSP_SPAN_RUN)
			ran_ns += rsp_span_end(t, *i) - t->spans.v[*i].from_ns;
	return *i < t->spans.cnt && ran_ns < check_ns &&
	       calls_until(calls, thread, t->spans.v[*i].from_ns) ==
		       calls_until(calls, thread, woken_ns);
}

static size_t next_of_same(const struct rsp_model *m, struct calls *calls, __u32 thread,
			   __u64 longest_ns, size_t i)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	size_t next = i;

	if (!only_checks(m, calls, thread, longest_ns, &next))
		return 0;
	return same_place(&t->spans.v[i], &t->spans.v[next]) ? next : 0;
}

/* The last sleep of a loop may have another end. */
static bool may_go_on(const struct rsp_thread *t, size_t i)
{
	bool unseen = t->spans.v[i].cause == RSP_CAUSE_NONE && i + 1 < t->spans.cnt;

	return unseen || ended_by_timer(&t->spans.v[i]);
}

static void add_spans(struct rsp_polls *p, const struct rsp_thread *t, size_t first, size_t last,
		      size_t poll)
{
	for (size_t i = first; i <= last; i++)
		if (t->spans.v[i].kind == RSP_SPAN_BLOCKED ||
		    t->spans.v[i].kind == RSP_SPAN_RUNNABLE ||
		    t->spans.v[i].kind == RSP_SPAN_PREEMPTED)
			p->of_span[t->first_span + i] = (__u32)poll;
}

static size_t next_run(const struct rsp_thread *t, size_t i)
{
	while (++i < t->spans.cnt && t->spans.v[i].kind != RSP_SPAN_RUN)
		;
	return i;
}

/* Moves i to the last sleep of the poll. A timer ended the first sleep. */
static int add_poll(struct rsp_polls *p, const struct rsp_model *m, struct calls *calls,
		    __u32 thread, size_t *i)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	struct rsp_poll *poll = rsp_array_add(&p->list);
	size_t next, index = p->list.cnt - 1;
	__u64 longest_ns = 0;

	if (!poll)
		return -ENOMEM;
	add_spans(p, t, *i, *i, index);
	poll->thread = thread;
	poll->worker = RSP_NO_THREAD;
	poll->from_ns = t->spans.v[*i].from_ns;
	poll->sleep_cnt = 1;
	for (; may_go_on(t, *i); *i = next) {
		if (longest_ns < rsp_span_end(t, *i) - t->spans.v[*i].from_ns)
			longest_ns = rsp_span_end(t, *i) - t->spans.v[*i].from_ns;
		next = next_of_same(m, calls, thread, longest_ns, *i);
		if (!next)
			break;
		add_spans(p, t, *i + 1, next, index);
		poll->sleep_cnt++;
	}
	poll->last = &t->spans.v[*i];
	poll->ended_ns = rsp_span_end(t, *i);
	next = next_run(t, *i);
	poll->noticed_ns = next < t->spans.cnt ? t->spans.v[next].from_ns : poll->ended_ns;
	add_spans(p, t, *i + 1, next - 1, index);
	return 0;
}

static int find_polls(struct rsp_polls *p, const struct rsp_model *m, struct calls *calls)
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

/* --- looks ---------------------------------------------------------------------------------- */

/*
 * Returns whether the thread, after the sleep at i, woke only the thread that ended this sleep.
 * That thread may wait for the end of this thread.
 */
static bool calls_only_waker(struct calls *calls, const struct rsp_thread *t, __u32 thread,
			     size_t i)
{
	size_t end = calls_until(calls, thread, t->end_ns);

	for (size_t k = calls_until(calls, thread, rsp_span_end(t, i)); k < end; k++)
		if (calls->v[k].callee != t->spans.v[i].cause_id)
			return false;
	return true;
}

static bool is_look_at(const struct rsp_model *m, struct calls *calls, __u32 thread, size_t i)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	size_t next = sleeps_on_at(m, thread, i);

	if (!next)
		return ends_after(m, thread, i) && calls_only_waker(calls, t, thread, i);
	return calls_until(calls, thread, rsp_span_end(t, i)) ==
	       calls_until(calls, thread, t->spans.v[next].from_ns);
}

static void mark_looks(struct rsp_polls *p, const struct rsp_model *m, struct calls *calls,
		       __u32 thread)
{
	const struct rsp_thread *t = &m->threads.v[thread];

	if (!may_look(m, thread))
		return;
	for (size_t i = 0; i < t->spans.cnt; i++)
		p->is_look[t->first_span + i] = is_look_at(m, calls, thread, i);
}

bool rsp_polls_is_look(const struct rsp_polls *p, const struct rsp_thread *t,
		       const struct rsp_span *span)
{
	return p->is_look[rsp_span_number(t, span)];
}

/* --- workers -------------------------------------------------------------------------------- */

/*
 * If the callee is asleep at noticed_ns or a moment later, until the caller wakes it or the
 * recording ends, returns the time at which the callee fell asleep. Otherwise returns 0. If the
 * callee polls for its next call in a loop of timeouts, it counts as asleep during the whole loop.
 */
static __u64 asleep_since(const struct rsp_polls *p, const struct rsp_model *m,
			  const struct call *call, __u64 noticed_ns)
{
	const struct rsp_thread *t = &m->threads.v[call->callee];
	const struct rsp_poll *loop;
	const struct rsp_span *last;
	size_t i = rsp_span_at(t, noticed_ns);
	__u64 from_ns;

	if (t->spans.v[i].kind != RSP_SPAN_BLOCKED)
		i = rsp_span_at(t, noticed_ns + GLANCE_NS);
	last = &t->spans.v[i];
	if (last->kind != RSP_SPAN_BLOCKED)
		return 0;
	loop = rsp_polls_find(p, t, last);
	from_ns = loop ? loop->from_ns : last->from_ns;
	if (loop)
		last = loop->last;
	i = (size_t)(last - t->spans.v);
	if (i + 1 < t->spans.cnt && rsp_span_ender(m, t, i) != call->caller)
		return 0;
	return from_ns;
}

/* A callee that has just reported its end may still be on its way to sleep or to its exit. */
static __u64 done_by(const struct rsp_polls *p, const struct rsp_model *m, const struct call *call,
		     __u64 noticed_ns)
{
	const struct rsp_thread *t = &m->threads.v[call->callee];
	__u64 from_ns;

	if (t->exit_ns > call->at_ns && t->exit_ns <= noticed_ns + GLANCE_NS)
		return t->exit_ns < noticed_ns ? t->exit_ns : noticed_ns;
	if (!t->spans.cnt || t->end_ns <= noticed_ns || t->spans.v[0].from_ns > noticed_ns)
		return 0;
	from_ns = asleep_since(p, m, call, noticed_ns);
	if (from_ns <= call->at_ns)
		return 0;
	return from_ns < noticed_ns ? from_ns : noticed_ns;
}

/*
 * Returns true after LOOK_BACK spans, because a caller that only waits for the callee has fewer
 * spans.
 */
static bool has_answered(const struct rsp_model *m, const struct call *call, __u64 before_ns)
{
	const struct rsp_thread *t = &m->threads.v[call->caller];
	size_t i = rsp_span_at(t, before_ns);

	for (size_t n = 0; n < LOOK_BACK; n++) {
		if (t->spans.v[i].from_ns <= call->at_ns)
			return false;
		if (i == 0)
			return false;
		if (rsp_span_ender(m, t, --i) == call->callee)
			return true;
	}
	return true;
}

static bool is_related(const struct rsp_model *m, const struct rsp_poll *poll, __u32 thread)
{
	return m->threads.v[thread].parent == poll->thread ||
	       same_process(m, thread, poll->thread, poll->noticed_ns);
}

static bool worked_all_the_time(const struct rsp_model *m, const struct call *call, __u64 done_ns)
{
	const struct rsp_thread *t = &m->threads.v[call->callee];

	for (size_t i = rsp_span_at(t, call->at_ns); i < t->spans.cnt; i++) {
		if (t->spans.v[i].from_ns >= done_ns)
			break;
		if (t->spans.v[i].from_ns >= call->at_ns && !rsp_span_is_work(&t->spans.v[i]))
			return false;
	}
	return true;
}

/*
 * A background process also falls asleep at some time after a wakeup. After many sleeps of the
 * poller, and one uninterrupted time of work since the call, a coincidence is unlikely.
 */
static bool may_be_worker(const struct rsp_model *m, const struct rsp_poll *poll,
			  const struct call *call, __u64 done_ns)
{
	return is_related(m, poll, call->callee) ||
	       (poll->sleep_cnt >= STRANGER_SLEEPS_MIN && worked_all_the_time(m, call, done_ns));
}

/*
 * Considers only callees that were done after the last sleep began: the poller would have noticed
 * an earlier end after the previous sleep.
 */
static void find_worker(const struct rsp_polls *p, const struct rsp_model *m, struct calls *calls,
			struct rsp_poll *poll)
{
	size_t end = calls_until(calls, poll->thread, poll->noticed_ns);
	__u64 earliest_ns = poll->last->from_ns - GLANCE_NS;

	for (size_t i = end; i-- > 0 && end - i <= CALLS_ASKED;) {
		const struct call *call = &calls->v[i];
		__u64 done_ns;

		if (call->caller != poll->thread)
			break;
		done_ns = done_by(p, m, call, poll->noticed_ns);
		if (done_ns < earliest_ns || done_ns <= poll->ready_ns ||
		    !may_be_worker(m, poll, call, done_ns) || has_answered(m, call, poll->from_ns))
			continue;
		poll->worker = call->callee;
		poll->ready_ns = done_ns;
	}
}

static bool awaits_answer(const struct rsp_span *span)
{
	return span->cause == RSP_CAUSE_TIMEOUT && span->cause_id != RSP_NO_SENT_REQUEST &&
	       span->out && rsp_syscall_polls(span->out->syscall_nr);
}

/*
 * A single timeout is not a poll. A wait on a futex is not a poll, either: the thread that changes
 * the futex wakes the waiter. If an answer is missing, the poll was for the answer.
 */
static bool may_await_a_thread(const struct rsp_poll *poll)
{
	return poll->sleep_cnt > 1 && ended_by_timer(poll->last) && !awaits_answer(poll->last) &&
	       !(poll->last->out && rsp_syscall_is_futex(poll->last->out->syscall_nr));
}

static const struct rsp_span *idle_before(const struct rsp_thread *t, __u64 ts_ns)
{
	size_t i;

	if (!t->spans.cnt || t->spans.v[0].from_ns >= ts_ns)
		return NULL;
	i = rsp_span_at(t, ts_ns - 1);
	for (size_t n = 0; n < RSP_POLLS_WORK_SPANS_MAX; n++) {
		if (rsp_span_waits_for_work(&t->spans.v[i]))
			return &t->spans.v[i];
		if (i-- == 0)
			return NULL;
	}
	return NULL;
}

static bool is_on_behalf_of_a_thread(const struct rsp_model *m, const struct rsp_poll *poll)
{
	const struct rsp_thread *poller = &m->threads.v[poll->thread];
	const struct rsp_thread *t = &m->threads.v[poll->last->cause_id];
	__u32 ender = rsp_span_ender(m, poller, (size_t)(poll->last - poller->spans.v));
	const struct rsp_span *idle;

	if (ender == poll->last->cause_id) {
		idle = idle_before(t, poll->ended_ns);
		ender = idle ? rsp_span_ender(m, t, (size_t)(idle - t->spans.v)) : RSP_NO_THREAD;
	}
	return ender != RSP_NO_THREAD && ender != poll->thread &&
	       !rsp_thread_is_kthread(m, &m->threads.v[ender], poll->ended_ns);
}

/* A kernel thread counts only if it worked for another thread. */
static bool is_for_waker(const struct rsp_model *m, const struct rsp_poll *poll)
{
	const struct rsp_thread *waker = &m->threads.v[poll->last->cause_id];

	return !rsp_thread_is_kthread(m, waker, poll->ended_ns) ||
	       is_on_behalf_of_a_thread(m, poll);
}

static void find_workers(struct rsp_polls *p, const struct rsp_model *m, struct calls *calls)
{
	for (size_t i = 0; i < p->list.cnt; i++) {
		struct rsp_poll *poll = &p->list.v[i];

		if (poll->last->cause == RSP_CAUSE_TASK || poll->last->cause == RSP_CAUSE_READER) {
			if (!is_for_waker(m, poll))
				continue;
			poll->worker = poll->last->cause_id;
			poll->ready_ns = poll->ended_ns;
		} else if (may_await_a_thread(poll)) {
			find_worker(p, m, calls, poll);
			poll->is_inferred = poll->worker != RSP_NO_THREAD;
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
	p->of_span = malloc((m->span_cnt + 1) * sizeof(*p->of_span));
	if (p->of_span)
		memset(p->of_span, 0xff, m->span_cnt * sizeof(*p->of_span));
	p->is_look = calloc(m->span_cnt + 1, sizeof(*p->is_look));
	r = p->of_span && p->is_look ? find_calls(m, &calls) : -ENOMEM;
	if (r == 0)
		r = find_polls(p, m, &calls);
	for (size_t i = 0; i < m->threads.cnt && r == 0; i++)
		mark_looks(p, m, &calls, (__u32)i);
	if (r == 0)
		find_workers(p, m, &calls);
	free(calls.v);
	free(calls.first);
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
	free(p->of_span);
	free(p->is_look);
	free(p);
	return NULL;
}

const struct rsp_poll *rsp_polls_find(const struct rsp_polls *p, const struct rsp_thread *t,
				      const struct rsp_span *span)
{
	__u32 i = p->of_span[rsp_span_number(t, span)];

	return i == NO_POLL ? NULL : &p->list.v[i];
}
