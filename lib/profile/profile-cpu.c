/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs and samples -> the time on CPUs by stack. */
#include "lib/model/estimate.h"
#include "profile-parts.h"

/* The part within the span of the i-th of cnt equal parts of a run; the parts add up to the run. */
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

static void add_run(struct rsp_profile_builder *b, const struct rsp_thread *t, size_t i, __u32 base)
{
	const struct rsp_span *s = &t->spans.v[i];
	__u64 from_ns = s->from_ns > b->base_ns ? s->from_ns : b->base_ns;
	__u64 to_ns = rsp_span_end(t, i) < b->end_ns ? rsp_span_end(t, i) : b->end_ns;

	if (to_ns <= from_ns)
		return;
	if (s->samples.cnt == 0) {
		__u64 ns = rsp_profile_within(b, from_ns, to_ns);

		if (ns)
			rsp_profile_add(
				b,
				rsp_profile_child(b, base, "[not sampled]", "", RSP_PROFILE_NOTE),
				ns, 0);
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
	for (size_t i = 0; i < t->spans.cnt && !b->error; i++)
		if (t->spans.v[i].kind == RSP_SPAN_RUN)
			add_run(b, t, i, base);
}
