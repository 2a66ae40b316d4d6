/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides whether a process did almost nothing within the span, if no record shows that it serves.
 * docs/model.md, "Idle", has the rules.
 */
#include <string.h>

#include "lib/base/syscalls.h"
#include "lib/model/waits/idle.h"

/*
 * A process that rests spends at most a twentieth of the span on housekeeping, and a hundredth on
 * other waits.
 */
#define WORK_DIVISOR	20
#define OTHER_DIVISOR	100
/* The sleeps of a timer loop differ in length by at most a quarter. */
#define REGULAR_DIVISOR 4

struct activities {
	__u64 work_ns, other_ns;
	bool has_events, has_sleeps;
	bool is_asleep; /* see struct rsp_idle */
	bool is_irregular;
	bool polls_unknown; /* whether a thread polled files that RSP does not know */
};

/* The sleep with which all sleeps of a thread are compared. */
struct sleeps {
	const struct rsp_span *first;
	/* length of a sleep whose beginning and end are known; 0: there is no such sleep */
	__u64 ns;
};

static bool is_regular(struct sleeps *s, const struct rsp_thread *t, const struct rsp_span *span)
{
	__u64 ns = rsp_span_end(t, (size_t)(span - t->spans.v)) - span->from_ns;
	bool is_whole = span->cause != RSP_CAUSE_NONE &&
			!(span->out->hdr.flags & (RSP_SW_SEED | RSP_SW_CARRIED));

	if (!s->first)
		s->first = span;
	if (span->out->syscall_nr != s->first->out->syscall_nr ||
	    (span->out->ustack && s->first->out->ustack &&
	     span->out->ustack != s->first->out->ustack))
		return false;
	if (is_whole && !s->ns)
		s->ns = ns;
	return !is_whole ||
	       (ns >= s->ns - s->ns / REGULAR_DIVISOR && ns <= s->ns + s->ns / REGULAR_DIVISOR);
}

static bool waits_for_message(const struct rsp_model *m, const struct rsp_span *span)
{
	const struct rsp_ev_object *obj = span->out && span->out->object
						  ? rsp_trace_object(m->trace, span->out->object)
						  : NULL;

	return obj && (obj->type == RSP_OBJ_UNIX || obj->type == RSP_OBJ_PIPE);
}

/* Minimum number of timeouts within the span that make a loop. */
#define LOOP_MIN 3

/* Maximum number of a thread's spans that a search looks at. */
#define SPANS_MAX 1024

static bool has_timer_loop(const struct rsp_model *m, __u32 thread)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	size_t from = t->spans.v[0].from_ns > m->since_ns ? 0 : rsp_span_at(t, m->since_ns);
	int cnt = 0;

	for (size_t i = from; i < t->spans.cnt && i - from < SPANS_MAX && cnt < LOOP_MIN &&
			      t->spans.v[i].from_ns < m->until_ns;
	     i++)
		cnt += t->spans.v[i].kind == RSP_SPAN_BLOCKED &&
		       t->spans.v[i].cause == RSP_CAUSE_TIMEOUT;
	return cnt >= LOOP_MIN;
}

/* Returns whether the thread wakes others because a timer of its event loop has expired. */
static bool is_housekeeping(const struct rsp_model *m, __u32 thread, __u64 ts_ns)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	size_t i, now;

	if (!t->spans.cnt || t->spans.v[0].from_ns > ts_ns)
		return false;
	now = rsp_span_at(t, ts_ns);
	for (i = now; i > 0 && now - i < SPANS_MAX && t->spans.v[i].kind != RSP_SPAN_BLOCKED;)
		i--;
	return t->spans.v[i].cause == RSP_CAUSE_TIMEOUT &&
	       rsp_idle_rest(m, thread, &t->spans.v[i]) == RSP_REST_EVENT &&
	       has_timer_loop(m, thread);
}

/*
 * Returns whether the waker is a parent, child or sibling of the process, as in a pipeline. Wakeups
 * for housekeeping do not count, because the processes of one server exchange them, too.
 */
static bool is_of_family(const struct rsp_model *m, __u32 thread, const struct rsp_span *span)
{
	__u32 parent, other;

	if (span->cause != RSP_CAUSE_TASK)
		return false;
	parent = rsp_thread_parent_tgid(m, thread);
	other = rsp_thread_parent_tgid(m, span->cause_id);
	if (parent != rsp_thread_tgid(m, span->cause_id) && other != rsp_thread_tgid(m, thread) &&
	    (parent <= 1 || parent != other))
		return false;
	return !is_housekeeping(
		m, span->cause_id,
		rsp_span_end(&m->threads.v[thread], (size_t)(span - m->threads.v[thread].spans.v)));
}

static bool waits_for_housekeeping(const struct rsp_model *m, __u32 thread,
				   const struct rsp_span *span)
{
	const struct rsp_thread *t = &m->threads.v[thread];

	return span->cause == RSP_CAUSE_TASK &&
	       rsp_thread_tgid(m, span->cause_id) == rsp_thread_tgid(m, thread) &&
	       rsp_idle_wait(m, span) == RSP_REST_JOB &&
	       is_housekeeping(m, span->cause_id, rsp_span_end(t, (size_t)(span - t->spans.v)));
}

/*
 * Returns the time for which a program (the stranger) waited for the answer to its message. The
 * wait ends when a thread of this process wakes the program. Without such a wakeup, the next wait
 * of the program counts if it is at a Unix socket or a pipe. Otherwise returns 0.
 */
static __u64 answer_ns(const struct rsp_model *m, __u32 stranger, __u32 tgid, __u64 ts_ns)
{
	const struct rsp_thread *t = &m->threads.v[stranger];
	const struct rsp_span *first = NULL;
	size_t now;

	if (!t->spans.cnt || t->spans.v[0].from_ns > ts_ns)
		return 0;
	now = rsp_span_at(t, ts_ns);
	for (size_t i = now; i < t->spans.cnt && i - now < SPANS_MAX; i++) {
		__u32 ender;

		if (t->spans.v[i].kind != RSP_SPAN_BLOCKED || t->spans.v[i].from_ns < ts_ns)
			continue;
		first = first ? first : &t->spans.v[i];
		ender = rsp_span_ender(m, t, i);
		if (ender != RSP_NO_THREAD && rsp_thread_tgid(m, ender) == tgid)
			return rsp_span_end(t, i) - ts_ns;
		if (t->spans.v[i].from_ns >= m->until_ns)
			break;
	}
	if (!first || !waits_for_message(m, first))
		return 0;
	return rsp_span_end(t, (size_t)(first - t->spans.v)) - ts_ns;
}

static void look_at_message(const struct rsp_model *m, __u32 thread, const struct rsp_span *span,
			    struct activities *d)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	__u64 ts_ns = rsp_span_end(t, (size_t)(span - t->spans.v)), ns;

	if (span->cause != RSP_CAUSE_TASK || ts_ns >= m->until_ns)
		return;
	ns = answer_ns(m, span->cause_id, rsp_thread_tgid(m, thread), ts_ns);
	d->other_ns += ns < m->until_ns - ts_ns ? ns : m->until_ns - ts_ns;
}

static void look_at(const struct rsp_model *m, __u32 thread, const struct rsp_span *span, __u64 ns,
		    struct sleeps *sleeps, struct activities *d)
{
	enum rsp_rest rest = rsp_idle_rest(m, thread, span);

	if (span->kind == RSP_SPAN_RUN)
		d->work_ns += ns;
	else if (rest == RSP_REST_NONE ? !waits_for_housekeeping(m, thread, span)
				       : is_of_family(m, thread, span))
		d->other_ns += ns;
	d->has_events |= rest == RSP_REST_EVENT;
	d->polls_unknown |= rsp_idle_polls_unknown(span);
	d->is_asleep |= rest == RSP_REST_EVENT && span->cause == RSP_CAUSE_NONE &&
			span->out->hdr.flags & (RSP_SW_SEED | RSP_SW_CARRIED);
	if (rest == RSP_REST_EVENT)
		look_at_message(m, thread, span, d);
	if (rest != RSP_REST_SLEEP)
		return;
	d->has_sleeps = true;
	d->is_irregular |= !is_regular(sleeps, &m->threads.v[thread], span);
}

static bool is_little(const struct rsp_model *m, const struct activities *d)
{
	__u64 wall_ns = m->until_ns - m->since_ns;

	return d->work_ns <= wall_ns / WORK_DIVISOR && d->other_ns <= wall_ns / OTHER_DIVISOR;
}

static void look_at_root(const struct rsp_model *m, const struct rsp_root *root,
			 struct activities *d)
{
	const struct rsp_thread *t = &m->threads.v[root->thread];
	struct sleeps sleeps = {0};

	if (!t->spans.cnt || t->spans.v[0].from_ns > root->from_ns) {
		d->other_ns += root->to_ns - root->from_ns; /* the state is unknown */
		return;
	}
	for (size_t i = rsp_span_at(t, root->from_ns);
	     i < t->spans.cnt && t->spans.v[i].from_ns < root->to_ns && is_little(m, d); i++) {
		const struct rsp_span *span = &t->spans.v[i];
		__u64 from_ns = span->from_ns > root->from_ns ? span->from_ns : root->from_ns;
		__u64 to_ns = rsp_span_end(t, i);

		to_ns = to_ns < root->to_ns ? to_ns : root->to_ns;
		if (from_ns < to_ns)
			look_at(m, root->thread, span, to_ns - from_ns, &sleeps, d);
	}
}

/* A poll of several files does not wait for a particular process, unless is_of_family(). */
static bool waits_for_waker(const struct rsp_model *m, __u32 thread, const struct rsp_span *span)
{
	enum rsp_rest rest = rsp_idle_wait(m, span);

	return rest == RSP_REST_NONE || rest == RSP_REST_JOB || is_of_family(m, thread, span);
}

static bool is_awaited_by(const struct rsp_model *m, __u32 thread, __u32 tgid,
			  struct rsp_used *used)
{
	const struct rsp_thread *t = &m->threads.v[thread];

	if (!t->spans.cnt || t->spans.v[0].from_ns >= m->until_ns)
		return false;
	for (size_t i = t->spans.v[0].from_ns > m->since_ns ? 0 : rsp_span_at(t, m->since_ns);
	     i < t->spans.cnt && t->spans.v[i].from_ns < m->until_ns; i++) {
		__u32 ender;

		if (t->spans.v[i].kind != RSP_SPAN_BLOCKED)
			continue;
		ender = rsp_span_ender(m, t, i);
		if (ender == RSP_NO_THREAD || rsp_thread_tgid(m, ender) != tgid ||
		    rsp_span_waits_for_work(&t->spans.v[i]) ||
		    !waits_for_waker(m, thread, &t->spans.v[i]))
			continue;
		rsp_used_span(used, thread, i);
		return true;
	}
	return false;
}

/* If the parent waits for a child or a signal, the process may be a job. */
static bool waits_for_end(const struct rsp_model *m, __u32 thread, struct rsp_used *used)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	const struct rsp_span *span;
	size_t i;

	if (!t->spans.cnt || t->spans.v[0].from_ns >= m->until_ns)
		return false;
	i = rsp_span_at(t, m->until_ns - 1);
	span = &t->spans.v[i];
	if (span->kind != RSP_SPAN_BLOCKED || !span->out ||
	    !(rsp_syscall_awaits_child(span->out->syscall_nr) ||
	      rsp_syscall_awaits_signal(span->out->syscall_nr)))
		return false;
	rsp_used_span(used, thread, i);
	return true;
}

/*
 * may_be_job: the process waited for no events, or for unknown files, so its parent may wait for
 * its end. Init waits for the end of any process, so init does not count as such a parent.
 */
static bool is_awaited(const struct rsp_model *m, const struct rsp_roots *roots, bool may_be_job,
		       struct rsp_used *used)
{
	__u32 tgid = rsp_thread_tgid(m, roots->main_thread);
	__u32 parent = rsp_thread_parent_tgid(m, roots->main_thread);

	for (size_t i = 0; i < m->threads.cnt; i++) {
		__u32 other = rsp_thread_tgid(m, (__u32)i);

		if (other == tgid)
			continue;
		if (is_awaited_by(m, (__u32)i, tgid, used) ||
		    (may_be_job && parent > 1 && other == parent &&
		     waits_for_end(m, (__u32)i, used)))
			return true;
	}
	return false;
}

/*
 * The process may wait for the end or output of a child that runs another program. The workers of a
 * server run the same program.
 */
static bool has_job(const struct rsp_model *m, __u32 main_thread)
{
	__u32 tgid = rsp_thread_tgid(m, main_thread);
	char own[RSP_COMM_MAX], other[RSP_COMM_MAX];

	rsp_thread_comm(m, main_thread, own);
	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_thread *t = &m->threads.v[i];

		if (t->end_ns <= m->since_ns || t->known_ns >= m->until_ns ||
		    rsp_thread_tgid(m, (__u32)i) != t->tid || t->tid == tgid ||
		    rsp_thread_parent_tgid(m, (__u32)i) != tgid)
			continue;
		rsp_thread_comm(m, (__u32)i, other);
		if (strcmp(own, other) != 0)
			return true;
	}
	return false;
}

bool rsp_rests(const struct rsp_model *m, const struct rsp_roots *roots, struct rsp_used *used,
	       bool *ret_is_asleep)
{
	struct activities d = {.other_ns = rsp_model_paused_ns(m)};

	for (size_t i = 0; i < roots->cnt && is_little(m, &d); i++)
		look_at_root(m, &roots->v[i], &d);
	*ret_is_asleep = d.is_asleep;
	return is_little(m, &d) && (d.has_events || (d.has_sleeps && !d.is_irregular)) &&
	       !has_job(m, roots->main_thread) &&
	       !is_awaited(m, roots, !d.has_events || d.polls_unknown, used);
}
