/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs -> where in the program they were: samples, or what is known of runs too short for one. */
#include <errno.h>
#include <stdlib.h>

#include "attribute-parts.h"
#include "lib/base/array.h"

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
static void samples_of(const struct rsp_attribution *a, const struct rsp_piece *p, __u32 *ret_lo,
		       __u32 *ret_hi)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);
	__u32 first = p->span->samples.first, end = first + p->span->samples.cnt;
	bool to_end = p->to_ns == rsp_span_end(t, (size_t)(p->span - t->spans.v));

	*ret_lo = sample_bound(t, first, end, p->from_ns);
	*ret_hi = to_end ? end : sample_bound(t, *ret_lo, end, p->to_ns);
	if (*ret_lo == *ret_hi) {
		*ret_lo = *ret_lo < end ? *ret_lo : end - 1;
		*ret_hi = *ret_lo + 1;
	}
}

/* What a worker of the kernel was at. */
static __u32 name_work(struct rsp_attribution *a, const struct rsp_piece *p)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);
	__u32 work = p->work;

	if (work == RSP_NO_WORK)
		work = rsp_work_at(t, p->span->from_ns);
	return work == RSP_NO_WORK ? 0
				   : rsp_names_function(a->names, t->works.v[work].ev->function);
}

static void run_sampled(struct rsp_attribution *a, const struct rsp_piece *p,
			struct rsp_label label)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);
	struct rsp_piece share = *p;
	__u64 share_ns;
	__u32 lo, hi;

	samples_of(a, p, &lo, &hi);
	share_ns = (p->to_ns - p->from_ns) / (hi - lo);
	for (__u32 i = lo; i < hi; i++, share.from_ns = share.to_ns) {
		const struct rsp_ev_sample *s = t->samples.v[i];

		share.to_ns = i + 1 < hi ? share.from_ns + share_ns : p->to_ns;
		label.frames = rsp_names_stack(a->names, s->kstack, s->ustack);
		rsp_attribute_leaf(a, &share, RSP_CAT_RUNNING_SAMPLED, label);
		a->budget_cnt -= a->budget_cnt > 0;
	}
}

/*
 * Samples of all threads by where in its program the sampled run left the CPU. A run too short to
 * be sampled that left at the same place did the same, as a rule: it borrows one of them, in turn.
 */
struct rsp_borrow {
	struct lender {
		const struct rsp_ev_sample *sample;
		__u32 next; /* of the same place, in a circle */
	} * v;
	size_t cnt, cap;
	struct {
		__u32 *v; /* of each place the lender whose turn it is */
		size_t cnt, cap;
	} turns;
	struct rsp_idmap place_of; /* user stack -> index into turns */
};

void rsp_borrow_free(struct rsp_borrow *b)
{
	if (!b)
		return;
	free(b->v);
	free(b->turns.v);
	rsp_idmap_done(&b->place_of);
	free(b);
}

static int add_place(struct rsp_borrow *b, __u64 ustack, __u32 lender)
{
	__u32 *turn = rsp_array_add(&b->turns);

	if (!turn)
		return -ENOMEM;
	*turn = lender;
	return rsp_idmap_put(&b->place_of, ustack, b->turns.cnt - 1);
}

static int add_lender(struct rsp_borrow *b, __u64 ustack, const struct rsp_ev_sample *sample)
{
	struct lender *lender = rsp_array_add(b);
	__u32 self = (__u32)(b->cnt - 1), *turn;
	uint64_t place;

	if (!lender)
		return -ENOMEM;
	*lender = (struct lender){sample, self};
	if (!rsp_idmap_get(&b->place_of, ustack, &place))
		return add_place(b, ustack, self);
	turn = &b->turns.v[place];
	lender->next = b->v[*turn].next;
	b->v[*turn].next = self;
	*turn = self;
	return 0;
}

static int add_lenders(struct rsp_borrow *b, const struct rsp_thread *t)
{
	for (size_t i = 0; i < t->spans.cnt; i++) {
		const struct rsp_span *span = &t->spans.v[i];

		if (span->kind != RSP_SPAN_RUN || !span->out || !span->out->ustack)
			continue;
		for (__u32 j = 0; j < span->samples.cnt; j++)
			if (add_lender(b, span->out->ustack,
				       t->samples.v[span->samples.first + j]) < 0)
				return -ENOMEM;
	}
	return 0;
}

static struct rsp_borrow *make_borrow(const struct rsp_model *m)
{
	struct rsp_borrow *b = calloc(1, sizeof(*b));

	for (size_t i = 0; b && i < m->threads.cnt; i++) {
		if (add_lenders(b, &m->threads.v[i]) == 0)
			continue;
		rsp_borrow_free(b);
		b = NULL;
	}
	return b;
}

/* NULL: nobody was sampled in a run that left there. */
static const struct rsp_ev_sample *borrow(struct rsp_attribution *a, __u64 ustack)
{
	const struct rsp_ev_sample *sample;
	uint64_t place;
	__u32 *turn;

	if (!a->borrow)
		a->borrow = make_borrow(a->model);
	if (!a->borrow) {
		a->chains.error = -ENOMEM;
		return NULL;
	}
	if (!rsp_idmap_get(&a->borrow->place_of, ustack, &place))
		return NULL;
	turn = &a->borrow->turns.v[place];
	sample = a->borrow->v[*turn].sample;
	*turn = a->borrow->v[*turn].next;
	return sample;
}

/*
 * Without samples to borrow, where in its program it left the CPU is the best guess of where it
 * was. Which kernel functions put it off the CPU says nothing of that.
 */
static __u32 guess_frames(struct rsp_attribution *a, const struct rsp_ev_switch *out)
{
	const struct rsp_ev_sample *sample;

	if (!out)
		return 0;
	if (!out->ustack)
		return rsp_names_stack(a->names, out->kstack, 0);
	sample = borrow(a, out->ustack);
	if (sample)
		return rsp_names_stack(a->names, sample->kstack, sample->ustack);
	return rsp_names_stack(a->names, 0, out->ustack);
}

void rsp_attribute_run(struct rsp_attribution *a, struct rsp_piece *p)
{
	struct rsp_label label = {.object = name_work(a, p)};

	if (p->span->samples.cnt) {
		run_sampled(a, p, label);
		return;
	}
	label.frames = guess_frames(a, p->span->out);
	if (label.frames)
		p->flags |= RSP_HOP_INFERRED;
	rsp_attribute_leaf(a, p, RSP_CAT_RUNNING_UNSAMPLED, label);
}
