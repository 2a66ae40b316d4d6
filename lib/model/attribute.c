/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See attribute.h. It ends on any input: a thread that is on the path already is not entered again,
 * but for one that stepped aside, for a time that ends earlier; the path is bounded; on each level
 * of it time only moves on.
 */
#include "attribute.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Pieces of time for each event. A wait resolves into about one piece per span of its waker, and a
 * span takes more than one event; so each level of a path that covers the whole machine costs less
 * than one. What exceeds the budget (hundreds of threads that wait for the same busy one) becomes
 * other_path. A piece takes up to a microsecond, so a million events take four seconds at worst.
 */
#define PIECES_PER_EVENT 4
#define PIECES_MIN	 (1 << 20)

/*
 * Who had the CPU that a thread waited for is told turn by turn; each turn is part of as many waits
 * as threads queue for that CPU. So many turns for each event; beyond, the turn at which a wait
 * began stands for the rest.
 */
#define TURNS_PER_EVENT 4
#define TURNS_MIN	(1 << 20)

/*
 * Hops of all chains together, 88 bytes each when listed. Tens of thousands are usual. Above,
 * chains lose detail (hops between the first and the last, stacks), never time.
 */
#define HOPS_MAX (4 << 20)

struct rsp_attribution_frame {
	__u64 at_ns, to_ns; /* still to be explained */
	__u32 thread;
	__u32 node; /* the hop that waits for this thread, or RSP_NO_NODE */
	size_t span;
	size_t idle; /* span of a kernel thread: until its end it did nothing for whoever waits */
};

#define NO_SPAN SIZE_MAX

/* A part of one span (or of the time before the first, after the last: span is NULL). */
struct piece {
	__u64 from_ns, to_ns;
	__u32 thread;
	__u32 node;
	const struct rsp_span *span;
	unsigned int flags; /* enum rsp_hop_flags */
};

/* What a hop says beyond who it is; numbers of struct rsp_names. */
struct label {
	__u32 object, syscall, frames;
};

int rsp_attribution_new(const struct rsp_model *model, struct rsp_attribution **ret)
{
	struct rsp_attribution *a = calloc(1, sizeof(*a));
	size_t thread_cnt = model->threads.cnt;

	if (!a)
		return -ENOMEM;
	a->model = model;
	a->budget_cnt = model->trace->event_cnt * PIECES_PER_EVENT + PIECES_MIN;
	a->turn_cnt = model->trace->event_cnt * TURNS_PER_EVENT + TURNS_MIN;
	a->parts = calloc(thread_cnt + 1, sizeof(*a->parts));
	a->on_path = calloc(thread_cnt + 1, sizeof(*a->on_path));
	a->stack = calloc(RSP_ATTRIBUTE_DEPTH_MAX, sizeof(*a->stack));
	if (!a->parts || !a->on_path || !a->stack || rsp_names_new(model->trace, &a->names) < 0) {
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
	rsp_names_free(a->names);
	rsp_chains_done(&a->chains);
	free(a->parts);
	free(a->on_path);
	free(a->stack);
	free(a);
	return NULL;
}

/* --- hops ----------------------------------------------------------------------------------- */

static const struct rsp_thread *thread_of(const struct rsp_attribution *a, __u32 thread)
{
	return &a->model->threads.v[thread];
}

static __u32 add_hop(struct rsp_attribution *a, const struct piece *p, struct rsp_hop_key key)
{
	__u32 tid = thread_of(a, p->thread)->tid;
	const struct rsp_ev_task *task = rsp_trace_task(a->model->trace, tid, p->from_ns);
	unsigned int flags = p->flags;

	if (task && (task->attrs & RSP_TASK_ATTR_KTHREAD))
		flags |= RSP_HOP_KTHREAD;
	key.parent = p->node;
	key.comm = rsp_names_thread(a->names, tid, p->from_ns);
	return rsp_chains_add(&a->chains, &key,
			      &(struct rsp_chain_part){
				      .root = a->stack[0].thread,
				      .thread = p->thread,
				      .from_ns = p->from_ns,
				      .ns = p->to_ns - p->from_ns,
				      .flags = flags,
			      });
}

static bool is_full(const struct rsp_attribution *a)
{
	return a->chains.hop_cnt >= HOPS_MAX;
}

static void leaf(struct rsp_attribution *a, const struct piece *p, enum rsp_category cat,
		 struct label label)
{
	__u64 ns = p->to_ns - p->from_ns;
	struct piece shortened = *p;

	if (ns == 0)
		return;
	if (is_full(a)) {
		label = (struct label){0};
		shortened.flags |= RSP_HOP_SHORTENED;
		p = &shortened;
	}
	add_hop(a, p,
		(struct rsp_hop_key){
			.kind = RSP_HOP_LEAF,
			.category = cat,
			.object = label.object,
			.syscall = label.syscall,
			.frames = label.frames,
		});
	a->cat_ns[cat] += ns;
	a->parts[p->thread].cat_ns[cat] += ns;
}

/* Where the thread was when it left the CPU. */
static struct label label_of_wait(struct rsp_attribution *a, const struct rsp_ev_switch *out)
{
	return (struct label){
		.object = rsp_names_wait(a->names, out),
		.syscall = rsp_names_syscall(a->names, out),
		.frames = out ? rsp_names_stack(a->names, out->kstack, out->ustack) : 0,
	};
}

/* --- following ------------------------------------------------------------------------------ */

/* include/linux/sched.h. What a kernel thread does for others it does not interrupt. */
#define TASK_INTERRUPTIBLE 0x0001
#define TASK_NOLOAD	   0x0400

static bool waits_for_work(const struct rsp_span *span)
{
	return span->kind == RSP_SPAN_BLOCKED && span->out &&
	       span->out->hdr.flags & RSP_SW_KTHREAD &&
	       span->out->prev_state & (TASK_INTERRUPTIBLE | TASK_NOLOAD);
}

/*
 * A kernel thread works for one after the other. What it did before it last waited for work was for
 * someone else: that it was waited for at all is due to whoever gave it the work then.
 */
static size_t last_idle(const struct rsp_thread *t, __u64 from_ns, __u64 to_ns)
{
	if (!t->spans.cnt || to_ns <= from_ns)
		return NO_SPAN;
	for (size_t i = rsp_span_at(t, to_ns - 1) + 1; i-- > 0;) {
		__u64 end_ns = rsp_span_end(t, i);

		if (end_ns <= from_ns)
			break;
		if (end_ns < to_ns && waits_for_work(&t->spans.v[i]))
			return i;
	}
	return NO_SPAN;
}

static void push(struct rsp_attribution *a, __u32 thread, __u32 node, __u64 from_ns, __u64 to_ns)
{
	const struct rsp_thread *t = thread_of(a, thread);

	a->stack[a->depth++] = (struct rsp_attribution_frame){
		.at_ns = from_ns,
		.to_ns = to_ns,
		.thread = thread,
		.node = node,
		.span = t->spans.cnt ? rsp_span_at(t, from_ns) : 0,
		.idle = node == RSP_NO_NODE ? NO_SPAN : last_idle(t, from_ns, to_ns),
	};
}

static bool may_follow(const struct rsp_attribution *a, __u32 thread)
{
	return !a->on_path[thread] && a->depth < RSP_ATTRIBUTE_DEPTH_MAX && a->budget_cnt > 0;
}

/* The piece is time in which its thread waited for another. */
static void follow(struct rsp_attribution *a, const struct piece *p, __u32 cause,
		   struct label label)
{
	__u32 node = p->node;

	if (!may_follow(a, cause)) {
		label.object = rsp_names_thread(a->names, thread_of(a, cause)->tid, p->from_ns);
		leaf(a, p, RSP_CAT_OTHER_PATH, label);
		return;
	}
	if (node == RSP_NO_NODE || !is_full(a))
		node = add_hop(a, p,
			       (struct rsp_hop_key){
				       .kind = RSP_HOP_BLOCKED,
				       .object = label.object,
				       .syscall = label.syscall,
				       .frames = label.frames,
			       });
	push(a, cause, node, p->from_ns, p->to_ns);
}

/* --- time without a state ------------------------------------------------------------------- */

static bool overlaps_gap(const struct rsp_attribution *a, const struct piece *p)
{
	size_t i = rsp_gap_after(a->model, p->from_ns);

	return i < a->model->gaps.cnt && a->model->gaps.v[i].from_ns <= p->to_ns;
}

static void unknown(struct rsp_attribution *a, const struct piece *p, enum rsp_category otherwise)
{
	leaf(a, p, overlaps_gap(a, p) ? RSP_CAT_LOST : otherwise, (struct label){0});
}

/* Before its first record. What was not born yet is explained by who gave birth to it. */
static void before(struct rsp_attribution *a, struct piece *p)
{
	const struct rsp_thread *t = thread_of(a, p->thread);
	bool unborn = p->from_ns < t->birth_ns;

	if (unborn && p->to_ns > t->birth_ns)
		p->to_ns = t->birth_ns;
	if (unborn && t->parent != RSP_NO_THREAD && may_follow(a, t->parent))
		push(a, t->parent, p->node, p->from_ns, p->to_ns);
	else if (t->birth_ns > a->model->start_ns)
		unknown(a, p, RSP_CAT_UNACCOUNTED);
	else
		unknown(a, p, RSP_CAT_EDGE);
}

/* --- running -------------------------------------------------------------------------------- */

/* First of [lo, hi) that is not before ts_ns. */
static __u32 sample_bound(const struct rsp_thread *t, __u32 lo, __u32 hi, __u64 ts_ns)
{
	while (lo < hi) {
		__u32 mid = lo + (hi - lo) / 2;

		if (t->samples.v[mid]->hdr.ts_ns < ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The run's samples that lie in the piece, or else the one nearest to it. */
static void samples_of(const struct rsp_attribution *a, const struct piece *p, __u32 *ret_lo,
		       __u32 *ret_hi)
{
	const struct rsp_thread *t = thread_of(a, p->thread);
	__u32 first = p->span->samples.first, end = first + p->span->samples.cnt;
	bool to_end = p->to_ns == rsp_span_end(t, (size_t)(p->span - t->spans.v));

	*ret_lo = sample_bound(t, first, end, p->from_ns);
	*ret_hi = to_end ? end : sample_bound(t, *ret_lo, end, p->to_ns);
	if (*ret_lo == *ret_hi) {
		*ret_lo = *ret_lo < end ? *ret_lo : end - 1;
		*ret_hi = *ret_lo + 1;
	}
}

static void run_sampled(struct rsp_attribution *a, const struct piece *p)
{
	const struct rsp_thread *t = thread_of(a, p->thread);
	struct piece share = *p;
	__u64 share_ns;
	__u32 lo, hi;

	samples_of(a, p, &lo, &hi);
	share_ns = (p->to_ns - p->from_ns) / (hi - lo);
	for (__u32 i = lo; i < hi; i++, share.from_ns = share.to_ns) {
		const struct rsp_ev_sample *s = t->samples.v[i];

		share.to_ns = i + 1 < hi ? share.from_ns + share_ns : p->to_ns;
		leaf(a, &share, RSP_CAT_RUNNING_SAMPLED,
		     (struct label){.frames = rsp_names_stack(a->names, s->kstack, s->ustack)});
		a->budget_cnt -= a->budget_cnt > 0;
	}
}

/*
 * Too short for a sample, as a rule: where in its program it left the CPU is the best guess of
 * where it was. Which kernel functions put it off the CPU says nothing of that.
 */
static void run(struct rsp_attribution *a, struct piece *p)
{
	const struct rsp_ev_switch *out = p->span->out;
	struct label label = {0};

	if (p->span->samples.cnt) {
		run_sampled(a, p);
		return;
	}
	if (out)
		label.frames = rsp_names_stack(a->names, out->ustack ? 0 : out->kstack,
					       out->ustack);
	if (label.frames)
		p->flags |= RSP_HOP_INFERRED;
	leaf(a, p, RSP_CAT_RUNNING_UNSAMPLED, label);
}

/* --- waiting -------------------------------------------------------------------------------- */

static void leaf_until(struct rsp_attribution *a, struct piece *p, __u64 until_ns,
		       enum rsp_category cat, struct label label)
{
	struct piece head = *p;

	if (until_ns > p->to_ns)
		until_ns = p->to_ns;
	if (until_ns <= p->from_ns)
		return;
	head.to_ns = until_ns;
	leaf(a, &head, cat, label);
	p->from_ns = until_ns;
}

/* So many requests of one wait are compared: more than one thread usually has at a device. */
#define IN_FLIGHT_MAX 64

struct in_flight {
	const struct rsp_request *v[IN_FLIGHT_MAX];
	size_t cnt;
};

/*
 * What the disk did at a time, and until when for certain. Before a request existed and after it
 * was done the wait was the kernel's own. A request of which only the end was seen (a cache flush
 * is carried out by another, the file system's) began with the wait.
 */
static enum rsp_category disk_state(const struct in_flight *fl, __u64 at_ns, __u64 *ret_until_ns)
{
	enum rsp_category cat = RSP_CAT_KERNEL;

	*ret_until_ns = UINT64_MAX;
	for (size_t i = 0; i < fl->cnt; i++) {
		const struct rsp_request *req = fl->v[i];
		__u64 issue_ns = req->issue_ns ? req->issue_ns : req->insert_ns;
		__u64 insert_ns = req->insert_ns ? req->insert_ns : issue_ns;
		__u64 done_ns = req->done_ns ? req->done_ns : UINT64_MAX;
		__u64 next_ns = at_ns < insert_ns  ? insert_ns
				: at_ns < issue_ns ? issue_ns
				: at_ns < done_ns  ? done_ns
						   : UINT64_MAX;

		if (at_ns >= issue_ns && at_ns < done_ns)
			cat = RSP_CAT_DISK_ACTIVE;
		else if (at_ns >= insert_ns && at_ns < issue_ns && cat == RSP_CAT_KERNEL)
			cat = RSP_CAT_DISK_QUEUED;
		if (*ret_until_ns > next_ns)
			*ret_until_ns = next_ns;
	}
	return cat;
}

/* The file; direct I/O has none of its own, but the system call does. Metadata is the disk's. */
static __u32 name_disk_wait(struct rsp_attribution *a, const struct rsp_request *req,
			    const struct rsp_ev_switch *out)
{
	const struct rsp_ev_object *obj = NULL;
	__u32 file = rsp_names_object(a->names, req->object);

	if (file)
		return file;
	if (out && !req->is_metadata)
		obj = rsp_trace_object(a->model->trace, out->object);
	if (obj && (obj->type == RSP_OBJ_FILE || obj->type == RSP_OBJ_DEVICE))
		return rsp_names_object(a->names, out->object);
	return rsp_names_device(a->names, req->dev);
}

/* Active while the disk works at any of the wait's requests, queued while all of them are. */
static void wait_for_disk(struct rsp_attribution *a, struct piece *p)
{
	const struct rsp_ops *ops = &a->model->ops;
	struct label label = label_of_wait(a, p->span->out);
	struct in_flight fl;

	fl.cnt = rsp_ops_in_flight(ops, &ops->disk_waits.v[p->span->cause_id], fl.v, IN_FLIGHT_MAX);
	label.object = name_disk_wait(a, fl.v[0], p->span->out);
	while (p->from_ns < p->to_ns) {
		__u64 until_ns, next_ns;
		enum rsp_category cat = disk_state(&fl, p->from_ns, &until_ns);

		while (until_ns < p->to_ns && disk_state(&fl, until_ns, &next_ns) == cat)
			until_ns = next_ns;
		leaf_until(a, p, until_ns, cat, label);
	}
}

/* A local sender is waited for until it sends; then the packet is on its way. Returns its end. */
static void wait_for_net(struct rsp_attribution *a, struct piece *p)
{
	const struct rsp_arrival *arrival = &a->model->ops.arrivals.v[p->span->cause_id];
	struct label label = label_of_wait(a, p->span->out);

	/* One of many that it polls, perhaps: this is the one that mattered. */
	if (arrival->sock)
		label.object = rsp_names_object(a->names, arrival->sock->id);
	if (arrival->sender != RSP_NO_THREAD && p->from_ns < arrival->send_ns) {
		if (p->to_ns > arrival->send_ns)
			p->to_ns = arrival->send_ns;
		follow(a, p, arrival->sender, label);
		return;
	}
	leaf(a, p, RSP_CAT_NETWORK, label);
}

static void wait_on(struct rsp_attribution *a, struct piece *p)
{
	const struct rsp_span *span = p->span;
	struct label label = label_of_wait(a, span->out);

	switch (span->cause) {
	case RSP_CAUSE_NONE:
		leaf(a, p,
		     span->out && (span->out->hdr.flags & RSP_SW_SLEEP) ? RSP_CAT_SLEEP
									: RSP_CAT_EDGE,
		     label);
		return;
	case RSP_CAUSE_SLEEP:
		leaf(a, p, RSP_CAT_SLEEP, label);
		return;
	case RSP_CAUSE_TIMEOUT:
		leaf(a, p, RSP_CAT_TIMEOUT, label);
		return;
	case RSP_CAUSE_HARDWARE:
		label.object = rsp_names_object(a->names, span->waking->cause);
		leaf(a, p, RSP_CAT_HARDWARE, label);
		return;
	}
	label.object = rsp_names_interrupt(a->names, span->waking);
	leaf(a, p, RSP_CAT_KERNEL, label);
}

static void blocked(struct rsp_attribution *a, struct piece *p)
{
	switch (p->span->cause) {
	case RSP_CAUSE_TASK:
		follow(a, p, p->span->cause_id, label_of_wait(a, p->span->out));
		return;
	case RSP_CAUSE_DISK:
		wait_for_disk(a, p);
		return;
	case RSP_CAUSE_NET:
		wait_for_net(a, p);
		return;
	}
	wait_on(a, p);
}

/* Who a turn belongs to: the object of the waits for it; an idle CPU has none. */
static __u32 name_turn(struct rsp_attribution *a, const struct rsp_turn *turn, __u64 ts_ns)
{
	if (turn->thread == RSP_NO_THREAD)
		return 0;
	return rsp_names_thread(a->names, thread_of(a, turn->thread)->tid, ts_ns);
}

/*
 * Until when one program has the CPU, in one turn or several in a row, but not beyond to_ns. Moves
 * on to the turn after.
 */
static __u64 end_of_turns(struct rsp_attribution *a, const struct rsp_cpu *where, size_t *i,
			  __u64 to_ns, __u32 name)
{
	const struct rsp_turn *turn;

	while (++*i < where->turns.cnt && a->turn_cnt) {
		turn = &where->turns.v[*i];
		if (turn->from_ns >= to_ns)
			break;
		a->turn_cnt--;
		if (name_turn(a, turn, turn->from_ns) != name)
			return turn->from_ns;
	}
	return to_ns;
}

/* One that waits for an idle CPU waits there no more: it has moved to the one it got. */
static bool has_moved(const struct rsp_turn *turn, const struct rsp_ev_switch *in, __u16 cpu)
{
	return turn->thread == RSP_NO_THREAD && in && in->hdr.cpu != cpu;
}

/* Wants to run and cannot: divided by who had that CPU meanwhile. */
static void wait_for_cpu(struct rsp_attribution *a, struct piece *p, __u16 cpu,
			 enum rsp_category cat)
{
	const struct rsp_cpu *where = &a->model->cpus.v[cpu];
	const struct rsp_ev_switch *in = p->span->in;
	struct label label = label_of_wait(a, p->span->out);
	size_t i = rsp_turn_at(where, p->from_ns);

	while (i < where->turns.cnt && p->from_ns < p->to_ns) {
		const struct rsp_turn *turn = &where->turns.v[i];

		if (has_moved(turn, in, cpu)) {
			cpu = in->hdr.cpu;
			where = &a->model->cpus.v[cpu];
			i = rsp_turn_at(where, p->from_ns);
			continue;
		}
		label.object = name_turn(a, turn, p->from_ns);
		leaf_until(a, p, end_of_turns(a, where, &i, p->to_ns, label.object), cat, label);
	}
	label.object = 0;
	leaf(a, p, cat, label);
}

/* Which CPU it was to get is known from the one it got. */
static void runnable(struct rsp_attribution *a, struct piece *p)
{
	const struct rsp_ev_switch *in = p->span->in;
	struct label label;

	if (in) {
		wait_for_cpu(a, p, in->hdr.cpu, RSP_CAT_RUNQUEUE);
		return;
	}
	label = label_of_wait(a, p->span->out);
	label.object = 0;
	leaf(a, p, RSP_CAT_RUNQUEUE, label);
}

/* --- stepping ------------------------------------------------------------------------------- */

static void explain_span(struct rsp_attribution *a, struct piece *p)
{
	switch (p->span->kind) {
	case RSP_SPAN_RUN:
		run(a, p);
		return;
	case RSP_SPAN_BLOCKED:
		blocked(a, p);
		return;
	case RSP_SPAN_RUNNABLE:
		runnable(a, p);
		return;
	case RSP_SPAN_PREEMPTED:
		wait_for_cpu(a, p, p->span->out->hdr.cpu, RSP_CAT_PREEMPTED);
		return;
	}
	unknown(a, p, RSP_CAT_UNACCOUNTED);
}

/* Whether an edge of the window cuts a wait at an end of the piece: it lasted longer than seen. */
static bool is_cut(const struct rsp_model *m, const struct rsp_thread *t, size_t span,
		   const struct piece *p)
{
	if (p->span->kind == RSP_SPAN_RUN || p->span->kind == RSP_SPAN_UNEXPLAINED)
		return false;
	if (p->from_ns == m->since_ns && t->spans.v[span].from_ns < m->since_ns)
		return true;
	if (p->from_ns == m->start_ns && t->birth_ns < m->start_ns)
		return true;
	return p->to_ns == m->until_ns && rsp_span_end(t, span) > m->until_ns;
}

/*
 * The time in which the frame's thread was idle or worked for others, as a wait for its work.
 * Meanwhile it is not on the path: the same worker may have had a hand in that, too.
 */
static void step_aside(struct rsp_attribution *a, struct rsp_attribution_frame *f,
		       const struct rsp_thread *t, struct piece *p)
{
	f->span = f->idle;
	f->idle = NO_SPAN;
	p->to_ns = rsp_span_end(t, f->span);
	p->span = &t->spans.v[f->span];
	a->on_path[f->thread] = false;
	blocked(a, p);
}

/* Explains the next piece of the innermost frame: at most up to the end of a span. */
static void step(struct rsp_attribution *a)
{
	struct rsp_attribution_frame *f = &a->stack[a->depth - 1];
	const struct rsp_thread *t = thread_of(a, f->thread);
	struct piece p = {
		.from_ns = f->at_ns, .to_ns = f->to_ns, .thread = f->thread, .node = f->node};
	__u64 first_ns = t->spans.cnt ? t->spans.v[0].from_ns : t->end_ns;
	size_t depth = a->depth;

	a->budget_cnt -= a->budget_cnt > 0;
	if (f->idle != NO_SPAN) {
		step_aside(a, f, t, &p);
	} else if (f->at_ns >= t->end_ns) {
		unknown(a, &p, RSP_CAT_UNACCOUNTED);
	} else if (f->at_ns < first_ns) {
		if (p.to_ns > first_ns)
			p.to_ns = first_ns;
		before(a, &p);
	} else {
		while (rsp_span_end(t, f->span) <= f->at_ns)
			f->span++;
		if (p.to_ns > rsp_span_end(t, f->span))
			p.to_ns = rsp_span_end(t, f->span);
		p.span = &t->spans.v[f->span];
		if (is_cut(a->model, t, f->span, &p))
			p.flags |= RSP_HOP_AT_LEAST;
		explain_span(a, &p);
	}
	a->stack[depth - 1].at_ns = p.to_ns;
}

int rsp_attribute(struct rsp_attribution *a, __u32 thread, __u64 from_ns, __u64 to_ns,
		  size_t root_cnt)
{
	__u64 rest_cnt = a->budget_cnt - a->budget_cnt / root_cnt;

	a->budget_cnt /= root_cnt;
	push(a, thread, RSP_NO_NODE, from_ns, to_ns);
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
