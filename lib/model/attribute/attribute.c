/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See attribute.h. The walk ends for any input. A thread that is already on the path is not entered
 * again, except for a time that ends earlier; the length of the path is bounded; and on each level
 * of the path, time only moves forward.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/model/attribute/attribute-parts.h"
#include "lib/model/waits/used.h"

/*
 * The budget is PIECES_PER_EVENT pieces of time for each event of the recording, plus PIECES_MIN.
 * Time beyond the budget gets the category other_path. A piece takes up to two microseconds, so a
 * million events take some ten seconds at worst.
 */
#define PIECES_PER_EVENT 4
#define PIECES_MIN	 (1 << 20)

/*
 * A wait for a CPU is split by the turns of other threads, which many waits share, so the turns
 * have a budget, too. When it is used up, the current turn stands for the rest of the wait.
 */
#define TURNS_PER_EVENT 4
#define TURNS_MIN	(1 << 20)

/*
 * The maximum number of hops of all chains together. Above this limit, chains lose hops in the
 * middle and stacks, but no time.
 */
#define HOPS_MAX (4 << 20)

struct rsp_attribution_frame {
	__u64 at_ns, to_ns; /* the part that is not explained yet */
	__u64 until_ns;	    /* the end of the wait for this thread: to_ns or later */
	__u32 thread;
	__u32 node; /* as in struct rsp_piece */
	__u32 work; /* as in struct rsp_piece */
	size_t span;
	/*
	 * Until off_path_until_ns, a kernel thread or a thread of a pool was idle (in the span
	 * idle) or, if idle is NO_SPAN, worked for others. 0: it worked for the waiting thread all
	 * the time.
	 */
	__u64 off_path_until_ns;
	size_t idle;
};

#define NO_SPAN SIZE_MAX

int rsp_attribution_new(const struct rsp_model *model, struct rsp_names *names,
			const struct rsp_polls *polls, const struct rsp_estimate *estimate,
			struct rsp_attribution **ret)
{
	struct rsp_attribution *a = calloc(1, sizeof(*a));
	size_t thread_cnt = model->threads.cnt;

	if (!a)
		return -ENOMEM;
	a->mode = &rsp_attribute_chains;
	a->model = model;
	a->names = names;
	a->polls = polls;
	a->estimate = estimate;
	a->budget_cnt = model->trace->event_cnt * PIECES_PER_EVENT + PIECES_MIN;
	a->turn_cnt = model->trace->event_cnt * TURNS_PER_EVENT + TURNS_MIN;
	a->parts = calloc(thread_cnt + 1, sizeof(*a->parts));
	a->on_path = calloc(thread_cnt + 1, sizeof(*a->on_path));
	a->stack = calloc(RSP_ATTRIBUTE_DEPTH_MAX, sizeof(*a->stack));
	a->span_of = calloc(thread_cnt + 1, sizeof(*a->span_of));
	a->turn_of = calloc(model->cpus.cnt + 1, sizeof(*a->turn_of));
	if (!a->parts || !a->on_path || !a->stack || !a->span_of || !a->turn_of) {
		rsp_attribution_free(a);
		return -ENOMEM;
	}
	*ret = a;
	return 0;
}

struct rsp_attribution *rsp_attribution_free(struct rsp_attribution *a)
{
	if (!a)
		return NULL;
	rsp_chains_done(&a->chains);
	free(a->parts);
	free(a->on_path);
	free(a->span_of);
	free(a->turn_of);
	free(a->stack);
	free(a);
	return NULL;
}

/* --- the mode of chains ----------------------------------------------------------------------- */

static bool idles(const struct rsp_attribution *a)
{
	return true;
}

static bool place(struct rsp_attribution *a, __u32 thread, size_t span, __u64 ns)
{
	return true;
}

static bool fits(struct rsp_attribution *a, const struct rsp_piece *piece, __u32 cause)
{
	return true;
}

static int add(struct rsp_attribution *a, const struct rsp_piece *piece, enum rsp_category cat,
	       __u32 node)
{
	return 0;
}

const struct rsp_attribution_mode rsp_attribute_chains = {true, idles, place, fits, add};

/* --- hops ----------------------------------------------------------------------------------- */

/*
 * Extends the reach to the record that names a thread. If there is no such record at ts_ns, extends
 * the reach to time 0: an earlier record with the name may be lost.
 */
static void reach_name(struct rsp_attribution *a, const struct rsp_ev_task *task, __u64 ts_ns)
{
	__u64 named_ns = task && task->hdr.ts_ns <= ts_ns ? task->hdr.ts_ns : 0;

	if (a->reach && named_ns < a->reach->named_ns)
		a->reach->named_ns = named_ns;
}

static void reach_state(struct rsp_attribution *a, __u64 from_ns, __u64 to_ns)
{
	if (!a->reach)
		return;
	if (from_ns < a->reach->from_ns)
		a->reach->from_ns = from_ns;
	if (to_ns > a->reach->to_ns)
		a->reach->to_ns = to_ns;
}

static __u32 add_hop(struct rsp_attribution *a, const struct rsp_piece *p, struct rsp_hop_key key,
		     struct rsp_label label)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);
	const struct rsp_ev_task *task = rsp_thread_task(a->model, t, p->from_ns);
	unsigned int flags = p->flags;

	reach_name(a, task, p->from_ns);
	if (task && (task->attrs & RSP_TASK_ATTR_KTHREAD))
		flags |= RSP_HOP_KTHREAD;
	key.parent = p->node;
	key.comm = rsp_names_thread(a->names, t, p->from_ns);
	key.container = rsp_names_container(a->names, task);
	key.object = label.object;
	key.behind = label.behind;
	key.syscall = label.syscall;
	key.frames = label.frames;
	key.why = (__u8)p->why;
	key.polls = (p->flags & RSP_HOP_POLLS) != 0;
	if (p->reclaim && !key.behind)
		key.behind = rsp_names_object(a->names, p->reclaim->object);
	return rsp_chains_add(&a->chains, &key,
			      &(struct rsp_chain_part){
				      .root = a->stack[0].thread,
				      .thread = p->thread,
				      .from_ns = p->from_ns,
				      .ns = p->to_ns - p->from_ns,
				      .sample = p->sample,
				      .flags = flags,
			      });
}

static bool is_full(const struct rsp_attribution *a)
{
	return a->chains.hop_cnt >= HOPS_MAX;
}

void rsp_attribute_leaf(struct rsp_attribution *a, const struct rsp_piece *p, enum rsp_category cat,
			struct rsp_label label)
{
	__u64 ns = p->to_ns - p->from_ns;
	struct rsp_piece shortened = *p;
	__u32 node;

	if (ns == 0)
		return;
	if (is_full(a)) {
		label = (struct rsp_label){0};
		shortened.flags |= RSP_HOP_SHORTENED;
		p = &shortened;
	}
	node = add_hop(a, p, (struct rsp_hop_key){.kind = RSP_HOP_LEAF, .category = (__u8)cat},
		       label);
	a->cat_ns[cat] += ns;
	a->parts[p->thread].cat_ns[cat] += ns;
	if (a->mode->add(a, p, cat, node) < 0)
		a->chains.error = -ENOMEM;
	if (a->clock && !a->chains.error &&
	    rsp_clock_add(a->clock, &(struct rsp_clock_piece){p->from_ns, p->to_ns, node, a->root}))
		a->chains.error = -ENOMEM;
}

void rsp_attribute_leaf_until(struct rsp_attribution *a, struct rsp_piece *p, __u64 until_ns,
			      enum rsp_category cat, struct rsp_label label)
{
	struct rsp_piece head = *p;

	if (until_ns > p->to_ns)
		until_ns = p->to_ns;
	if (until_ns <= p->from_ns)
		return;
	head.to_ns = until_ns;
	rsp_attribute_leaf(a, &head, cat, label);
	p->from_ns = until_ns;
}

struct rsp_label rsp_attribute_label(struct rsp_attribution *a, const struct rsp_ev_switch *out)
{
	return (struct rsp_label){
		.object = rsp_names_wait(a->names, out),
		.syscall = rsp_names_syscall(a->names, out),
		.frames = out ? rsp_names_stack(a->names, out->kstack, out->ustack) : 0,
	};
}

size_t rsp_attribution_span_at(struct rsp_attribution *a, __u32 thread, __u64 ts_ns)
{
	size_t *at = &a->span_of[thread];

	*at = rsp_span_near(rsp_attribution_thread(a, thread), ts_ns, *at);
	return *at;
}

bool rsp_attribution_is_among_own(const struct rsp_attribution *a, __u64 ts_ns)
{
	for (size_t i = 1; i < a->depth; i++) {
		const struct rsp_thread *t = rsp_attribution_thread(a, a->stack[i].thread);
		const struct rsp_ev_task *task = rsp_thread_task(a->model, t, ts_ns);

		if (!task || task->tgid != a->model->trace->snap->meta.target_pid)
			return false;
	}
	return true;
}

/* --- following ------------------------------------------------------------------------------ */

static bool waits_for_work(const struct rsp_attribution *a, const struct rsp_span *span)
{
	return rsp_span_waits_for_work(span) || rsp_place_of(a->places, span) == RSP_PLACE_WORK;
}

static size_t last_idle(struct rsp_attribution *a, __u32 thread, __u64 from_ns, __u64 to_ns)
{
	const struct rsp_thread *t = rsp_attribution_thread(a, thread);

	if (!t->spans.cnt || to_ns <= from_ns)
		return NO_SPAN;
	for (size_t i = rsp_attribution_span_at(a, thread, to_ns - 1) + 1; i-- > 0;) {
		__u64 end_ns = rsp_span_end(t, i);

		if (end_ns <= from_ns)
			break;
		if (end_ns < to_ns && waits_for_work(a, &t->spans.v[i]))
			return i;
	}
	return NO_SPAN;
}

/*
 * Finds the time at which the thread of the frame got the work that the frame before it waits for.
 * For an item of a workqueue, the time in the item's record is better than the worker's idle time:
 * an unrelated item may begin as soon as another item ends.
 */
static void find_beginning(struct rsp_attribution *a, struct rsp_attribution_frame *f)
{
	const struct rsp_thread *t = rsp_attribution_thread(a, f->thread);
	const struct rsp_work *work;

	f->idle = last_idle(a, f->thread, f->at_ns, f->until_ns);
	if (f->idle != NO_SPAN)
		f->off_path_until_ns = rsp_span_end(t, f->idle);
	f->work = rsp_work_at(t, f->until_ns);
	if (f->work == RSP_NO_WORK)
		return;
	work = &t->works.v[f->work];
	if (work->ev->hdr.ts_ns < f->off_path_until_ns) {
		f->work = RSP_NO_WORK; /* the worker ended the item before its idle time */
	} else if (work->queuer != RSP_NO_THREAD && work->ev->queued_ns > f->at_ns &&
		   work->ev->queued_ns <= work->ev->hdr.ts_ns) {
		f->off_path_until_ns = work->ev->queued_ns;
		f->idle = NO_SPAN;
	}
}

static void use(struct rsp_attribution *a, const struct rsp_attribution_frame *f)
{
	__u64 from_ns = f->off_path_until_ns ? f->off_path_until_ns - 1 : f->at_ns;

	rsp_used_spans(a->used, f->thread, from_ns, f->until_ns);
}

static void push(struct rsp_attribution *a, __u32 thread, __u32 node, __u64 from_ns, __u64 to_ns,
		 __u64 until_ns)
{
	const struct rsp_thread *t = rsp_attribution_thread(a, thread);
	struct rsp_attribution_frame *f = &a->stack[a->depth++];

	*f = (struct rsp_attribution_frame){
		.at_ns = from_ns,
		.to_ns = to_ns,
		.until_ns = until_ns > to_ns ? until_ns : to_ns,
		.thread = thread,
		.node = node,
		.work = RSP_NO_WORK,
		.span = t->spans.cnt ? rsp_attribution_span_at(a, thread, from_ns) : 0,
		.idle = NO_SPAN,
	};
	if (node != RSP_NO_NODE)
		find_beginning(a, f);
	use(a, f);
}

bool rsp_attribute_may_follow(const struct rsp_attribution *a, __u32 thread)
{
	return !a->on_path[thread] && a->depth < RSP_ATTRIBUTE_DEPTH_MAX && a->budget_cnt > 0;
}

static void other_path(struct rsp_attribution *a, const struct rsp_piece *p, __u32 thread,
		       struct rsp_label label)
{
	label.object = rsp_names_thread(a->names, rsp_attribution_thread(a, thread), p->from_ns);
	rsp_attribute_leaf(a, p, RSP_CAT_OTHER_PATH, label);
}

void rsp_attribute_follow(struct rsp_attribution *a, const struct rsp_piece *p, __u32 cause,
			  struct rsp_label label)
{
	__u32 node = p->node;

	if (!rsp_attribute_may_follow(a, cause)) {
		other_path(a, p, cause, label);
		return;
	}
	if (!a->mode->fits(a, p, cause)) {
		if (a->depth > 1 || a->mode->idles(a))
			other_path(a, p, cause, label);
		return;
	}
	if (node == RSP_NO_NODE || !is_full(a))
		node = add_hop(a, p, (struct rsp_hop_key){.kind = RSP_HOP_BLOCKED}, label);
	push(a, cause, node, p->from_ns, p->to_ns, p->until_ns);
}

/* --- time without a state ------------------------------------------------------------------- */

/*
 * If records contradict a span, the whole span is unknown, even if a gap covers only a part of it.
 */
static void unknown(struct rsp_attribution *a, const struct rsp_piece *p,
		    enum rsp_category otherwise)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);
	__u64 from_ns = p->span ? p->span->from_ns : p->from_ns;
	__u64 to_ns = p->span ? rsp_span_end(t, (size_t)(p->span - t->spans.v)) : p->to_ns;
	enum rsp_category cat = otherwise;

	if (rsp_gap_overlaps(&a->model->gaps, from_ns, to_ns))
		cat = RSP_CAT_LOST;
	else if (rsp_gap_overlaps(&a->model->pauses, from_ns, to_ns))
		cat = RSP_CAT_UNRECORDED;
	rsp_attribute_leaf(a, p, cat, (struct rsp_label){0});
}

/* The parent explains the time before the birth. */
static void before(struct rsp_attribution *a, struct rsp_piece *p)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);
	bool unborn = p->from_ns < t->birth_ns;

	if (unborn && p->to_ns > t->birth_ns)
		p->to_ns = t->birth_ns;
	if (unborn && t->parent != RSP_NO_THREAD && rsp_attribute_may_follow(a, t->parent)) {
		push(a, t->parent, p->node, p->from_ns, p->to_ns, 0);
		return;
	}
	reach_state(a, 0, p->to_ns);
	if (t->birth_ns > a->model->start_ns)
		unknown(a, p, RSP_CAT_UNACCOUNTED);
	else
		unknown(a, p, RSP_CAT_EDGE);
}

/* --- losses of all records ------------------------------------------------------------------- */

static __u32 run_cpu(const struct rsp_attribution *a, const struct rsp_piece *p)
{
	return p->span->out ? p->span->out->hdr.cpu : rsp_piece_thread(a, p)->cpu;
}

/*
 * Returns whether all records of a CPU were lost at the beginning of the piece. For a running
 * thread, only its own CPU counts; for any other thread, each CPU counts, because the thread could
 * have run there. Ends the piece where such a loss begins or ends.
 */
static bool is_blacked_out(const struct rsp_attribution *a, struct rsp_piece *p)
{
	const struct rsp_gaps *gaps = &a->model->blackouts;
	const struct rsp_gap *gap;
	size_t i;

	if (p->span->kind == RSP_SPAN_UNEXPLAINED)
		return false;
	if (p->span->kind == RSP_SPAN_RUN)
		gaps = &a->model->cpus.v[run_cpu(a, p)].blackouts;
	i = rsp_gap_after(gaps, p->from_ns);
	if (i == gaps->cnt || gaps->v[i].from_ns >= p->to_ns)
		return false;
	gap = &gaps->v[i];
	if (gap->from_ns > p->from_ns) {
		p->to_ns = gap->from_ns;
		return false;
	}
	if (p->to_ns > gap->to_ns)
		p->to_ns = gap->to_ns;
	return true;
}

/* --- locks that a later request held -------------------------------------------------------- */

/* If another thread ended span i, the last sleep of that thread decides. */
static bool waits_for_client(const struct rsp_attribution *a, const struct rsp_thread *t, size_t i)
{
	const struct rsp_span *span = &t->spans.v[i];
	const struct rsp_thread *waker;

	if (span->cause == RSP_CAUSE_TASK) {
		waker = rsp_attribution_thread(a, span->cause_id);
		if (!waker->spans.cnt || rsp_span_end(t, i) <= waker->spans.v[0].from_ns)
			return false;
		i = rsp_span_at(waker, rsp_span_end(t, i) - 1);
		while (i > 0 && waker->spans.v[i].kind != RSP_SPAN_BLOCKED)
			i--;
		span = &waker->spans.v[i];
	}
	return span->kind == RSP_SPAN_BLOCKED && span->cause == RSP_CAUSE_NET &&
	       a->model->ops.arrivals.v[span->cause_id].is_request;
}

/*
 * In a report about one request, the thread T of the request may wait for a thread U that was idle
 * until a later request came. T does not depend on the later request, so RSP infers that both wait
 * for a lock, and that U got the lock first. Continues the path at the thread for which U then
 * waited, the holder of the lock.
 */
static bool follow_holder(struct rsp_attribution *a, const struct rsp_attribution_frame *f,
			  size_t idle, struct rsp_piece *p)
{
	const struct rsp_thread *t = rsp_attribution_thread(a, f->thread);

	if (!a->model->request_tid || a->depth == 1 || !waits_for_client(a, t, idle))
		return false;
	for (size_t i = idle + 1; i < t->spans.cnt && t->spans.v[i].from_ns < f->until_ns; i++) {
		const struct rsp_span *span = &t->spans.v[i];

		if (span->kind != RSP_SPAN_BLOCKED || span->cause != RSP_CAUSE_TASK)
			continue;
		if (!rsp_attribute_may_follow(a, span->cause_id))
			return false;
		p->span = span;
		p->until_ns = rsp_span_end(t, i);
		p->flags |= RSP_HOP_INFERRED;
		rsp_attribute_follow(a, p, span->cause_id, rsp_attribute_label(a, span->out));
		return true;
	}
	return false;
}

/* --- stepping ------------------------------------------------------------------------------- */

static void explain_span(struct rsp_attribution *a, struct rsp_piece *p)
{
	if (rsp_attribute_slowed(a, p) || rsp_attribute_request(a, p) || rsp_attribute_idle(a, p) ||
	    rsp_attribute_polled(a, p))
		return;
	switch (p->span->kind) {
	case RSP_SPAN_RUN:
		rsp_attribute_run(a, p);
		return;
	case RSP_SPAN_BLOCKED:
		rsp_attribute_blocked(a, p);
		return;
	case RSP_SPAN_RUNNABLE:
		rsp_attribute_runnable(a, p);
		return;
	case RSP_SPAN_PREEMPTED:
		rsp_attribute_preempted(a, p);
		return;
	}
	unknown(a, p, RSP_CAT_UNACCOUNTED);
}

static bool is_cut(const struct rsp_model *m, const struct rsp_thread *t, size_t span,
		   const struct rsp_piece *p)
{
	if (p->span->kind == RSP_SPAN_RUN || p->span->kind == RSP_SPAN_UNEXPLAINED)
		return false;
	if (p->from_ns == m->since_ns && t->spans.v[span].from_ns < m->since_ns)
		return true;
	if (p->from_ns == m->start_ns && t->birth_ns < m->start_ns)
		return true;
	return p->to_ns == m->until_ns && rsp_span_end(t, span) > m->until_ns;
}

static void count_wait(struct rsp_attribution *a, const struct rsp_piece *p, size_t span,
		       __u64 from_ns)
{
	if (a->waited_ns && p->span->kind == RSP_SPAN_BLOCKED)
		a->waited_ns[rsp_attribution_thread(a, p->thread)->first_span + span] += p->to_ns -
											 from_ns;
}

/*
 * Attributes the time in which the frame's thread was idle or worked for others to the event that
 * gave the work to the thread. In this time the thread is not on the path, so the path may enter it
 * again.
 */
static void leave_path_while_idle(struct rsp_attribution *a, struct rsp_attribution_frame *f,
				  const struct rsp_thread *t, struct rsp_piece *p)
{
	const struct rsp_work *work = f->work == RSP_NO_WORK ? NULL : &t->works.v[f->work];
	__u64 from_ns = p->from_ns;

	a->on_path[f->thread] = false;
	if (p->to_ns > f->off_path_until_ns)
		p->to_ns = f->off_path_until_ns;
	p->until_ns = f->off_path_until_ns;
	f->off_path_until_ns = 0;
	if (f->idle != NO_SPAN && follow_holder(a, f, f->idle, p)) {
		count_wait(a, p, f->idle, from_ns);
		return;
	}
	if (f->idle != NO_SPAN) {
		p->span = &t->spans.v[f->idle];
		rsp_attribute_blocked(a, p);
		count_wait(a, p, f->idle, from_ns);
		return;
	}
	rsp_attribute_follow(
		a, p, work->queuer,
		(struct rsp_label){.object = rsp_names_function(a->names, work->ev->function)});
}

/*
 * Ends the piece where memory reclaim begins or ends. A wait for a CPU during reclaim is no wait
 * for memory.
 */
static void clip_to_reclaim(const struct rsp_thread *t, struct rsp_piece *p)
{
	size_t i = rsp_reclaim_after(t, p->from_ns);
	const struct rsp_ev_delay *ev;

	if (i == t->reclaims.cnt)
		return;
	ev = t->reclaims.v[i].ev;
	if (ev->from_ns > p->from_ns) {
		if (p->to_ns > ev->from_ns)
			p->to_ns = ev->from_ns;
		return;
	}
	if (p->to_ns > ev->hdr.ts_ns)
		p->to_ns = ev->hdr.ts_ns;
	if (p->span->kind != RSP_SPAN_RUN && p->span->kind != RSP_SPAN_BLOCKED)
		return;
	p->why = RSP_WHY_RECLAIM;
	p->reclaim = ev;
}

static void step_in_span(struct rsp_attribution *a, struct rsp_attribution_frame *f,
			 const struct rsp_thread *t, struct rsp_piece *p)
{
	__u64 from_ns = p->from_ns;
	bool blacked_out;

	while (rsp_span_end(t, f->span) <= f->at_ns)
		f->span++;
	if (p->to_ns > rsp_span_end(t, f->span))
		p->to_ns = rsp_span_end(t, f->span);
	p->span = &t->spans.v[f->span];
	/*
	 * The waker worked for the blocked thread until the end of the wait, which may be after the
	 * piece.
	 */
	if (p->span->kind == RSP_SPAN_BLOCKED)
		p->until_ns = rsp_span_end(t, f->span);
	clip_to_reclaim(t, p);
	reach_state(a, p->span->from_ns, rsp_span_end(t, f->span));
	blacked_out = is_blacked_out(a, p);
	if (is_cut(a->model, t, f->span, p))
		p->flags |= RSP_HOP_AT_LEAST;
	if (!a->mode->place(a, f->thread, f->span, p->to_ns - p->from_ns)) {
		if (a->depth > 1)
			other_path(a, p, f->thread, (struct rsp_label){0});
		return;
	}
	if (blacked_out) {
		rsp_attribute_leaf(a, p, RSP_CAT_LOST, (struct rsp_label){0});
		return;
	}
	if (p->span->kind != RSP_SPAN_BLOCKED || !follow_holder(a, f, f->span, p))
		explain_span(a, p);
	count_wait(a, p, f->span, from_ns);
}

static void step(struct rsp_attribution *a)
{
	struct rsp_attribution_frame *f = &a->stack[a->depth - 1];
	const struct rsp_thread *t = rsp_attribution_thread(a, f->thread);
	struct rsp_piece p = {
		.from_ns = f->at_ns,
		.to_ns = f->to_ns,
		.thread = f->thread,
		.node = f->node,
		.work = f->work,
	};
	__u64 first_ns = t->spans.cnt ? t->spans.v[0].from_ns : t->end_ns;
	size_t depth = a->depth;

	a->budget_cnt -= a->budget_cnt > 0;
	if (f->off_path_until_ns) {
		leave_path_while_idle(a, f, t, &p);
	} else if (f->at_ns >= t->end_ns) {
		unknown(a, &p, RSP_CAT_UNACCOUNTED);
	} else if (f->at_ns < first_ns) {
		if (p.to_ns > first_ns)
			p.to_ns = first_ns;
		before(a, &p);
	} else {
		step_in_span(a, f, t, &p);
	}
	a->stack[depth - 1].at_ns = p.to_ns;
}

int rsp_attribute(struct rsp_attribution *a, __u32 thread, __u64 from_ns, __u64 to_ns,
		  size_t root_cnt)
{
	__u64 rest_cnt = a->budget_cnt - a->budget_cnt / root_cnt;

	a->budget_cnt /= root_cnt;
	push(a, thread, RSP_NO_NODE, from_ns, to_ns, 0);
	while (a->depth && !a->chains.error && !a->names->error) {
		const struct rsp_attribution_frame *f = &a->stack[a->depth - 1];

		a->on_path[f->thread] = true;
		if (f->at_ns < f->to_ns) {
			step(a);
			continue;
		}
		a->on_path[f->thread] = false;
		a->depth--;
	}
	a->budget_cnt += rest_cnt;
	return a->chains.error ? a->chains.error : a->names->error;
}
