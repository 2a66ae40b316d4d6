/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attributes runs to places in the program, by the samples of the run or by samples of other runs.
 */
#include "lib/model/attribute/attribute-parts.h"
#include "lib/model/attribute/estimate.h"

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

/* Returns whether the sample and the piece are both in memory reclaim, or both outside. */
static bool is_alike(const struct rsp_thread *t, const struct rsp_piece *p, __u32 sample)
{
	__u64 ts_ns = t->samples.v[sample]->hdr.ts_ns;
	size_t i = rsp_reclaim_after(t, ts_ns);
	bool in_reclaim = i < t->reclaims.cnt && t->reclaims.v[i].ev->from_ns <= ts_ns;

	return in_reclaim == (p->reclaim != NULL);
}

/*
 * Sets [*ret_lo, *ret_hi) to the samples of the run that lie in the piece. If there are none, sets
 * the range to the next or the last sample of the run, and returns is_alike() of this sample.
 */
static bool samples_of(const struct rsp_attribution *a, const struct rsp_piece *p, __u32 *ret_lo,
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
		return is_alike(t, p, *ret_lo);
	}
	return true;
}

static __u32 name_work(struct rsp_attribution *a, const struct rsp_piece *p)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);
	__u32 work = p->work;

	if (work == RSP_NO_WORK)
		work = rsp_work_at(t, p->span->from_ns);
	return work == RSP_NO_WORK ? 0
				   : rsp_names_function(a->names, t->works.v[work].ev->function);
}

/* --- runs with samples ------------------------------------------------------------------------ */

static void attribute_to_sample(struct rsp_attribution *a, struct rsp_piece *p, __u64 until_ns,
				enum rsp_category cat, __u32 thread, __u32 sample,
				struct rsp_label label)
{
	const struct rsp_thread *t = &a->model->threads.v[thread];
	const struct rsp_ev_sample *s = t->samples.v[sample];

	label.frames = rsp_names_stack(a->names, s->kstack, s->ustack);
	p->sample = (__u32)(t->first_sample + sample + 1);
	rsp_attribute_leaf_until(a, p, until_ns, cat, label);
	p->sample = 0;
	a->budget_cnt -= a->budget_cnt > 0;
}

static void attribute_to_no_stack(struct rsp_attribution *a, struct rsp_piece *p, __u64 until_ns,
				  struct rsp_label label)
{
	label.frames = 0;
	rsp_attribute_leaf_until(a, p, until_ns, RSP_CAT_RUNNING_UNSAMPLED, label);
}

static void reach_of(const struct rsp_attribution *a, const struct rsp_thread *t, __u32 sample,
		     __u64 *ret_from_ns, __u64 *ret_to_ns)
{
	const struct rsp_ev_sample *s = t->samples.v[sample];
	__u64 reach_ns = rsp_estimate_reach_ns(a->model, s), ts_ns = s->hdr.ts_ns;

	*ret_from_ns = ts_ns > reach_ns ? ts_ns - reach_ns : 0;
	*ret_to_ns = ts_ns + reach_ns;
}

static bool is_dense(const struct rsp_attribution *a, const struct rsp_piece *p, __u32 lo, __u32 hi)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);
	__u64 seen_ns = p->from_ns, from_ns, to_ns;

	for (__u32 i = lo; i < hi; i++) {
		reach_of(a, t, i, &from_ns, &to_ns);
		if (from_ns > seen_ns)
			return false;
		seen_ns = to_ns;
	}
	return seen_ns >= p->to_ns;
}

/* Each sample covers only the time within its reach. */
static void attribute_to_sparse_samples(struct rsp_attribution *a, struct rsp_piece *p, __u32 lo,
					__u32 hi, struct rsp_label label)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);
	__u64 from_ns, to_ns, next_ns;

	for (__u32 i = lo; i < hi; i++) {
		reach_of(a, t, i, &from_ns, &to_ns);
		attribute_to_no_stack(a, p, from_ns, label);
		if (i + 1 < hi) {
			next_ns = t->samples.v[i + 1]->hdr.ts_ns;
			next_ns -= (next_ns - t->samples.v[i]->hdr.ts_ns) / 2;
			to_ns = to_ns < next_ns ? to_ns : next_ns;
		}
		attribute_to_sample(a, p, to_ns, RSP_CAT_RUNNING_SAMPLED, p->thread, i, label);
	}
	attribute_to_no_stack(a, p, p->to_ns, label);
}

static __u64 period_of(const struct rsp_attribution *a, const struct rsp_piece *p, __u32 sample)
{
	return rsp_estimate_period_ns(a->model, rsp_piece_thread(a, p)->samples.v[sample]);
}

/* A sample stands for one period of its CPU's sampling clock. Longer periods get larger shares. */
static void run_sampled(struct rsp_attribution *a, const struct rsp_piece *p,
			struct rsp_label label)
{
	struct rsp_piece rest = *p;
	__u64 all_ns = 0, share_ns;
	__u32 lo, hi;

	if (!samples_of(a, p, &lo, &hi)) {
		attribute_to_no_stack(a, &rest, p->to_ns, label);
		return;
	}
	if (!is_dense(a, p, lo, hi)) {
		attribute_to_sparse_samples(a, &rest, lo, hi, label);
		return;
	}
	for (__u32 i = lo; i < hi; i++)
		all_ns += period_of(a, p, i);
	for (__u32 i = lo; i < hi; i++) {
		share_ns = rsp_estimate_share_ns(p->to_ns - p->from_ns, period_of(a, p, i), all_ns);
		attribute_to_sample(a, &rest, i + 1 < hi ? rest.from_ns + share_ns : p->to_ns,
				    RSP_CAT_RUNNING_SAMPLED, p->thread, i, label);
	}
}

/* --- runs without samples --------------------------------------------------------------------- */

/*
 * Returns the stack at the end of a run. If there is a user stack, the kernel frames are left out:
 * they only show how the thread left the CPU.
 */
static __u32 place_of(struct rsp_attribution *a, const struct rsp_ev_switch *out)
{
	if (!out)
		return 0;
	return rsp_names_stack(a->names, out->ustack ? 0 : out->kstack, out->ustack);
}

static void attribute_to_place(struct rsp_attribution *a, struct rsp_piece *p,
			       struct rsp_label label)
{
	label.frames = place_of(a, p->span->out);
	if (label.frames)
		p->flags |= RSP_HOP_INFERRED;
	rsp_attribute_leaf(a, p, RSP_CAT_RUNNING_UNSAMPLED, label);
	p->from_ns = p->to_ns;
}

static void attribute_to_estimate(struct rsp_attribution *a, struct rsp_piece *p,
				  const struct rsp_estimated_part *part, struct rsp_label label)
{
	unsigned int flags = p->flags;

	p->flags |= RSP_HOP_INFERRED | RSP_HOP_ESTIMATED;
	attribute_to_sample(a, p, part->until_ns, RSP_CAT_RUNNING_UNSAMPLED, part->thread,
			    part->sample, label);
	p->flags = flags;
}

static void run_unsampled(struct rsp_attribution *a, const struct rsp_piece *p,
			  struct rsp_label label)
{
	size_t span = (size_t)(p->span - rsp_piece_thread(a, p)->spans.v);
	struct rsp_piece rest = *p;
	struct rsp_estimated_part part;

	while (rest.from_ns < p->to_ns) {
		rsp_estimate_at(a->estimate, p->thread, span, rest.from_ns, &part);
		if (part.by == RSP_ESTIMATED_SAMPLE &&
		    is_alike(&a->model->threads.v[part.thread], p, part.sample))
			attribute_to_estimate(a, &rest, &part, label);
		else if (part.by == RSP_ESTIMATED_PLACE)
			attribute_to_place(a, &rest, label);
		else
			attribute_to_no_stack(a, &rest, part.until_ns, label);
	}
}

void rsp_attribute_run(struct rsp_attribution *a, const struct rsp_piece *p)
{
	struct rsp_label label = {.object = name_work(a, p)};

	if (p->span->samples.cnt)
		run_sampled(a, p, label);
	else
		run_unsampled(a, p, label);
}
