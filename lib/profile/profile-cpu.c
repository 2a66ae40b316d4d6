/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds the time for which threads ran on CPUs to a profile, by stack. */
#include <errno.h>

#include "lib/model/attribute/estimate.h"
#include "lib/profile/profile-parts.h"

/* Returns how much of the i-th of cnt equal parts of a run lies within the span of the profile. */
static __u64 part_within(const struct rsp_profile_builder *b, __u64 from_ns, __u64 ns, __u64 i,
			 __u64 cnt)
{
	return rsp_profile_within(b, from_ns + rsp_estimate_share_ns(ns, i, cnt),
				  from_ns + rsp_estimate_share_ns(ns, i + 1, cnt));
}

static __u32 sample_node(struct rsp_profile_builder *b, const struct rsp_ev_sample *sample,
			 __u32 base)
{
	__u32 node = rsp_profile_stack(b, base, sample->kstack, sample->ustack);

	return node == base ? rsp_profile_no_stack(b, base) : node;
}

static __u32 part_node(struct rsp_profile_builder *b, const struct rsp_estimated_part *part,
		       const struct rsp_ev_switch *out, __u32 base)
{
	if (part->by == RSP_ESTIMATED_SAMPLE)
		return sample_node(b, b->model->threads.v[part->thread].samples.v[part->sample],
				   base);
	if (part->by == RSP_ESTIMATED_PLACE && out && !b->opt->only_samples) {
		__u32 node = rsp_profile_stack(b, base, out->kstack, out->ustack);

		if (node != base)
			return node;
	}
	return rsp_profile_child(b, base, "[not sampled]", "", RSP_PROFILE_NOTE);
}

/* Samples of other runs show approximately what the thread did. Reports use the same estimate. */
static void add_without_samples(struct rsp_profile_builder *b, const struct rsp_thread *t, size_t i,
				__u32 base)
{
	const struct rsp_span *s = &t->spans.v[i];
	__u64 at_ns = s->from_ns > b->since_ns ? s->from_ns : b->since_ns;
	__u64 to_ns = rsp_span_end(t, i) < b->until_ns ? rsp_span_end(t, i) : b->until_ns;

	while (at_ns < to_ns && !b->error) {
		struct rsp_estimated_part part;
		__u64 ns;

		rsp_estimate_at(b->estimate, (__u32)(t - b->model->threads.v), i, at_ns, &part);
		if (part.until_ns > to_ns || part.until_ns <= at_ns)
			part.until_ns = to_ns;
		ns = part.until_ns - at_ns;
		rsp_profile_add(b, part_node(b, &part, s->out, base), ns, 0);
		b->profile.inferred += part.by == RSP_ESTIMATED_UNKNOWN ? 0 : ns;
		at_ns = part.until_ns;
	}
}

static void add_run(struct rsp_profile_builder *b, const struct rsp_thread *t, size_t i, __u32 base)
{
	const struct rsp_span *s = &t->spans.v[i];
	__u64 from_ns = s->from_ns > b->base_ns ? s->from_ns : b->base_ns;
	__u64 to_ns = rsp_span_end(t, i) < b->end_ns ? rsp_span_end(t, i) : b->end_ns;

	if (to_ns <= from_ns)
		return;
	if (s->samples.cnt == 0) {
		add_without_samples(b, t, i, base);
		return;
	}
	for (__u32 k = 0; k < s->samples.cnt; k++) {
		const struct rsp_ev_sample *sample = t->samples.v[s->samples.first + k];
		__u64 ns = part_within(b, from_ns, to_ns - from_ns, k, s->samples.cnt);

		if (ns)
			rsp_profile_add(b, sample_node(b, sample, base), ns, 1);
	}
}

void rsp_profile_oncpu(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base)
{
	if (!b->estimate && rsp_estimate_new(b->model, b->names, &b->estimate) < 0)
		b->error = -ENOMEM;
	for (size_t i = 0; i < t->spans.cnt && !b->error; i++)
		if (t->spans.v[i].kind == RSP_SPAN_RUN)
			add_run(b, t, i, base);
}
