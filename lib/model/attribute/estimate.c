/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See estimate.h. A group is a thread, or a process, under one name. Imagine all runs of a group
 * without samples joined into one line, in the order of threads and of time. The samples form a
 * second line, in which the length of a sample is the time that it shall stand for. The second line
 * is scaled to the length of the first. A place in a run belongs to the sample at the same
 * position. So the result for a run does not depend on the lookups of other runs.
 */
#include "lib/model/attribute/estimate.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/model/roots.h"

#define SECOND_NS 1000000000ULL

/* The sampling period, if the recording has no sampling rate. */
#define PERIOD_DEFAULT_NS 4000000ULL

/* A sample may be late: interrupts may be off, or the hypervisor may have the CPU. */
#define LATE_PERIODS 2
#define LATE_MIN_NS  4000000ULL
#define REACH_MIN_NS 10000000ULL

#define NO_GROUP 0 /* groups are numbered from 1 */

struct group {
	__u64 own_ns;
	__u64 period_ns;
	/* total length of the runs without samples for which the group's samples stand */
	__u64 unsampled_ns;
	__u64 known_ns; /* the part of unsampled_ns for which the samples are sufficient */
	__u64 weight;	/* total weight of its donors */
	size_t first;	/* index of its first donor */
	__u32 sample_cnt, donor_cnt;
};

/* A sample that stands for runs without samples (a donor, as in donor imputation). */
struct donor {
	__u64 until;  /* sum of the weights of the donors up to and including this one */
	__u64 own_ns; /* the sample's share of the run in which it was taken */
	__u64 period_ns;
	__u32 thread, sample;
};

struct rsp_estimate {
	const struct rsp_model *model;
	struct rsp_names *names;
	__u64 period_ns; /* of the recording */
	struct {
		struct group *v;
		size_t cnt, cap;
	} groups;
	struct rsp_idmap of_thread, of_process;
	struct donor *donors;
	/* [number of a span]: the group whose samples stand for the span, or NO_GROUP */
	__u32 *group_of;
	/*
	 * [number of a span]: position of the run in the line of its group's runs without samples
	 */
	__u64 *at_ns;
};

/* A thread under one name, with its own group and the group of its process. */
struct cursor {
	__u32 thread, comm;
	__u32 of_thread, of_process;
};

__u64 rsp_estimate_period_ns(const struct rsp_model *m, const struct rsp_ev_sample *sample)
{
	__u32 hz = m->trace->snap->meta.sample_hz;

	if (sample && sample->period_us)
		return sample->period_us * 1000ULL;
	return hz && hz <= SECOND_NS ? SECOND_NS / hz : PERIOD_DEFAULT_NS;
}

__u64 rsp_estimate_share_ns(__u64 ns, __u64 part, __u64 all)
{
	return (__u64)((unsigned __int128)ns * part / all);
}

__u64 rsp_estimate_reach_ns(const struct rsp_model *m, const struct rsp_ev_sample *sample)
{
	__u64 ns = LATE_PERIODS * rsp_estimate_period_ns(m, sample);

	return ns > REACH_MIN_NS ? ns : REACH_MIN_NS;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Only the part within the requested span counts: other times may have another mix of functions. */
static __u64 length_of(const struct rsp_estimate *e, const struct rsp_thread *t, size_t span,
		       __u64 *ret_from_ns)
{
	__u64 from_ns = t->spans.v[span].from_ns, to_ns = rsp_span_end(t, span);

	if (from_ns < e->model->since_ns)
		from_ns = e->model->since_ns;
	if (to_ns > e->model->until_ns)
		to_ns = e->model->until_ns;
	*ret_from_ns = from_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

static void samples_of(const struct rsp_model *m, const struct rsp_thread *t,
		       const struct rsp_span *run, __u32 *ret_first, __u32 *ret_end)
{
	__u32 first = run->samples.first, end = first + run->samples.cnt;

	while (first < end && t->samples.v[first]->hdr.ts_ns < m->since_ns)
		first++;
	while (first < end && t->samples.v[end - 1]->hdr.ts_ns > m->until_ns)
		end--;
	*ret_first = first;
	*ret_end = end;
}

/*
 * Returns whether the run is so long that it should have a sample. If so, its sample is missing,
 * and the samples of other runs must not stand for it.
 */
static bool is_long(const struct group *g, __u64 ns)
{
	return ns > LATE_MIN_NS && ns > LATE_PERIODS * (g->period_ns / g->sample_cnt);
}

static __u32 new_group(struct rsp_estimate *e)
{
	if (e->groups.cnt == UINT32_MAX || !rsp_array_add(&e->groups))
		return NO_GROUP;
	return (__u32)(e->groups.cnt - 1);
}

static int group_of(struct rsp_estimate *e, struct rsp_idmap *map, __u64 key, __u32 *ret)
{
	uint64_t known;

	if (rsp_idmap_get(map, key, &known)) {
		*ret = (__u32)known;
		return 0;
	}
	*ret = new_group(e);
	return *ret == NO_GROUP ? -ENOMEM : rsp_idmap_put(map, key, *ret);
}

static __u32 process_of(const struct rsp_model *m, __u32 thread)
{
	const struct rsp_ev_task *task = rsp_thread_identity(m, &m->threads.v[thread]);

	return task ? task->tgid : m->threads.v[thread].tid;
}

/*
 * The work of a workqueue's worker depends on the item. A redacted recording contains only some of
 * the runs of kernel threads, and these runs are not representative.
 */
static bool is_apart(const struct rsp_model *m, const struct rsp_thread *t)
{
	return t->works.cnt || (m->trace->snap->meta.redacted &&
				rsp_thread_is_kthread(m, t, t->spans.v[0].from_ns));
}

static int move(struct rsp_estimate *e, struct cursor *c, __u32 thread, __u64 ts_ns)
{
	__u32 comm = rsp_names_thread(e->names, &e->model->threads.v[thread], ts_ns);
	int r;

	if (c->of_thread != NO_GROUP && c->thread == thread && c->comm == comm)
		return 0;
	*c = (struct cursor){.thread = thread, .comm = comm};
	r = group_of(e, &e->of_thread, (__u64)thread << 32 | comm, &c->of_thread);
	if (r == 0)
		r = group_of(e, &e->of_process, (__u64)process_of(e->model, thread) << 32 | comm,
			     &c->of_process);
	return r;
}

/*
 * Called for each run within the requested span, except runs of threads that are apart
 * (is_apart()).
 */
typedef int (*run_fn)(struct rsp_estimate *e, const struct cursor *c, size_t span, __u64 ns);

static int for_runs_of(struct rsp_estimate *e, __u32 thread, struct cursor *c, run_fn fn)
{
	const struct rsp_thread *t = &e->model->threads.v[thread];
	int r = 0;

	for (size_t s = rsp_span_at(t, e->model->since_ns); s < t->spans.cnt && r == 0; s++) {
		__u64 from_ns, ns;

		if (t->spans.v[s].kind != RSP_SPAN_RUN)
			continue;
		ns = length_of(e, t, s, &from_ns);
		if (from_ns >= e->model->until_ns)
			break;
		if (!ns)
			continue;
		r = move(e, c, thread, from_ns);
		if (r == 0)
			r = fn(e, c, s, ns);
	}
	return r;
}

static int for_each_run(struct rsp_estimate *e, run_fn fn)
{
	const struct rsp_model *m = e->model;
	struct cursor c = {0};
	int r = 0;

	for (__u32 i = 0; i < m->threads.cnt && r == 0; i++)
		if (m->threads.v[i].spans.cnt && !is_apart(m, &m->threads.v[i]))
			r = for_runs_of(e, i, &c, fn);
	return r;
}

/* --- groups ----------------------------------------------------------------------------------- */

static void add_run(struct group *g, const struct rsp_model *m, const struct rsp_thread *t,
		    const struct rsp_span *span, __u64 ns)
{
	__u32 first, end;

	samples_of(m, t, span, &first, &end);
	g->own_ns += span->samples.cnt ? ns : 0;
	g->sample_cnt += end - first;
	for (__u32 i = first; i < end; i++)
		g->period_ns += rsp_estimate_period_ns(m, t->samples.v[i]);
}

static int count_run(struct rsp_estimate *e, const struct cursor *c, size_t span, __u64 ns)
{
	const struct rsp_thread *t = &e->model->threads.v[c->thread];

	add_run(&e->groups.v[c->of_thread], e->model, t, &t->spans.v[span], ns);
	add_run(&e->groups.v[c->of_process], e->model, t, &t->spans.v[span], ns);
	return 0;
}

/*
 * Threads of the same name may do different work, so a thread that has samples uses only its own
 * samples.
 */
static int choose_group(struct rsp_estimate *e, const struct cursor *c, size_t span, __u64 ns)
{
	const struct rsp_thread *t = &e->model->threads.v[c->thread];
	__u32 group = e->groups.v[c->of_thread].sample_cnt ? c->of_thread : c->of_process;
	struct group *g = &e->groups.v[group];

	if (t->spans.v[span].samples.cnt || !g->sample_cnt || is_long(g, ns))
		return 0;
	e->group_of[t->first_span + span] = group;
	e->at_ns[t->first_span + span] = g->unsampled_ns;
	g->unsampled_ns += ns;
	return 0;
}

static __u64 root_of(__u64 n)
{
	__u64 root = 0;

	while ((root + 1) * (root + 1) <= n)
		root++;
	return root;
}

/*
 * Sampling is random: n samples may come from up to n + 2 sqrt(n) + 2 periods, but hardly from
 * more. If the runs of the group are longer, samples are missing.
 */
static void limit_known(struct group *g)
{
	__u64 n = g->sample_cnt, chance = 2 * root_of(n) + 2;
	__u64 likely_ns = g->period_ns + g->period_ns / n * chance;

	g->known_ns = likely_ns > g->own_ns ? likely_ns - g->own_ns : 0;
	if (g->known_ns < g->period_ns / n * chance)
		g->known_ns = g->period_ns / n * chance;
	if (g->known_ns > g->unsampled_ns)
		g->known_ns = g->unsampled_ns;
}

static int make_donors(struct rsp_estimate *e)
{
	size_t cnt = 0;

	for (size_t i = 1; i < e->groups.cnt; i++) {
		struct group *g = &e->groups.v[i];

		if (!g->unsampled_ns)
			continue;
		limit_known(g);
		g->first = cnt;
		cnt += g->sample_cnt;
	}
	e->donors = calloc(cnt + 1, sizeof(*e->donors));
	return e->donors ? 0 : -ENOMEM;
}

static void add_donors(struct rsp_estimate *e, struct group *g, const struct cursor *c,
		       const struct rsp_span *run, __u64 ns)
{
	const struct rsp_thread *t = &e->model->threads.v[c->thread];
	__u64 all_ns = 0;
	__u32 first, end;

	if (!g->unsampled_ns)
		return;
	samples_of(e->model, t, run, &first, &end);
	for (__u32 i = first; i < end; i++)
		all_ns += rsp_estimate_period_ns(e->model, t->samples.v[i]);
	for (__u32 i = first; i < end; i++) {
		__u64 period_ns = rsp_estimate_period_ns(e->model, t->samples.v[i]);

		e->donors[g->first + g->donor_cnt++] = (struct donor){
			.own_ns = rsp_estimate_share_ns(ns, period_ns, all_ns),
			.period_ns = period_ns,
			.thread = c->thread,
			.sample = i,
		};
	}
}

static int add_donors_of_run(struct rsp_estimate *e, const struct cursor *c, size_t span, __u64 ns)
{
	const struct rsp_span *run = &e->model->threads.v[c->thread].spans.v[span];

	if (!run->samples.cnt)
		return 0;
	add_donors(e, &e->groups.v[c->of_thread], c, run, ns);
	add_donors(e, &e->groups.v[c->of_process], c, run, ns);
	return 0;
}

/*
 * All samples together stand for all runs of the group, in proportion to their sampling periods.
 * The share of a sample covers first the run in which the sample was taken; the rest is its weight.
 * If no share has a rest, all weights are equal.
 */
static void set_weights(struct rsp_estimate *e, struct group *g)
{
	struct donor *v = &e->donors[g->first];
	__u64 sum = 0, all_ns = g->own_ns + g->known_ns;

	for (size_t i = 0; i < g->donor_cnt; i++) {
		__u64 due_ns = rsp_estimate_share_ns(v[i].period_ns, all_ns, g->period_ns);

		sum += due_ns > v[i].own_ns ? due_ns - v[i].own_ns : 0;
		v[i].until = sum;
	}
	for (size_t i = 0; i < g->donor_cnt && !sum; i++)
		v[i].until = i + 1;
	g->weight = g->donor_cnt ? v[g->donor_cnt - 1].until : 0;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int fill(struct rsp_estimate *e)
{
	int r = for_each_run(e, count_run);

	if (r == 0)
		r = for_each_run(e, choose_group);
	if (r == 0)
		r = make_donors(e);
	if (r == 0)
		r = for_each_run(e, add_donors_of_run);
	for (size_t i = 1; i < e->groups.cnt && r == 0; i++)
		if (e->groups.v[i].unsampled_ns)
			set_weights(e, &e->groups.v[i]);
	return r < 0 ? r : e->names->error;
}

static bool has_samples(const struct rsp_model *m)
{
	for (size_t i = 0; i < m->threads.cnt; i++)
		if (m->threads.v[i].samples.cnt)
			return true;
	return false;
}

int rsp_estimate_new(const struct rsp_model *model, struct rsp_names *names,
		     struct rsp_estimate **ret)
{
	struct rsp_estimate *e = calloc(1, sizeof(*e));
	int r = 0;

	if (!e)
		return -ENOMEM;
	e->model = model;
	e->names = names;
	e->period_ns = rsp_estimate_period_ns(model, NULL);
	if (has_samples(model)) {
		e->group_of = calloc(model->span_cnt + 1, sizeof(*e->group_of));
		e->at_ns = calloc(model->span_cnt + 1, sizeof(*e->at_ns));
		r = e->group_of && e->at_ns && rsp_array_add(&e->groups) ? fill(e) : -ENOMEM;
	}
	if (r < 0) {
		rsp_estimate_free(e);
		return r;
	}
	*ret = e;
	return 0;
}

struct rsp_estimate *rsp_estimate_free(struct rsp_estimate *e)
{
	if (!e)
		return NULL;
	free(e->groups.v);
	free(e->donors);
	free(e->group_of);
	free(e->at_ns);
	rsp_idmap_done(&e->of_thread);
	rsp_idmap_done(&e->of_process);
	free(e);
	return NULL;
}

/* --- answers ---------------------------------------------------------------------------------- */

/*
 * Returns the beginning of donor i's part of the group's unsampled time. If i is donor_cnt, returns
 * the end of the last part.
 */
static __u64 begin_of(const struct rsp_estimate *e, const struct group *g, size_t i)
{
	return i ? rsp_estimate_share_ns(g->unsampled_ns, e->donors[g->first + i - 1].until,
					 g->weight)
		 : 0;
}

static size_t donor_at(const struct rsp_estimate *e, const struct group *g, __u64 at_ns)
{
	size_t lo = 0, hi = g->donor_cnt;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (begin_of(e, g, mid) <= at_ns)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static __u64 known_part(const struct group *g, __u64 part_ns)
{
	return rsp_estimate_share_ns(part_ns, g->known_ns, g->unsampled_ns);
}

/* The donor's sample stands for the known beginning of its part; the remaining part is unknown. */
static void find_part(const struct rsp_estimate *e, const struct group *g, __u64 at_ns,
		      __u64 *ret_end_ns, struct rsp_estimated_part *ret)
{
	size_t i = donor_at(e, g, at_ns);
	const struct donor *donor = &e->donors[g->first + i];
	__u64 begin_ns = begin_of(e, g, i), end_ns = begin_of(e, g, i + 1);
	__u64 known_ns = begin_ns + known_part(g, end_ns - begin_ns);

	if (at_ns < known_ns) {
		*ret = (struct rsp_estimated_part){.by = RSP_ESTIMATED_SAMPLE,
						   .thread = donor->thread,
						   .sample = donor->sample};
		*ret_end_ns = known_ns;
		return;
	}
	ret->by = RSP_ESTIMATED_UNKNOWN;
	*ret_end_ns = end_ns;
}

void rsp_estimate_at(const struct rsp_estimate *e, __u32 thread, size_t span, __u64 at_ns,
		     struct rsp_estimated_part *ret)
{
	const struct rsp_thread *t = &e->model->threads.v[thread];
	__u32 group = e->group_of ? e->group_of[t->first_span + span] : NO_GROUP;
	__u64 from_ns, ns = length_of(e, t, span, &from_ns), end_ns, start_ns;

	*ret = (struct rsp_estimated_part){.until_ns = UINT64_MAX};
	if (group == NO_GROUP) {
		ret->by = ns <= e->period_ns ? RSP_ESTIMATED_PLACE : RSP_ESTIMATED_UNKNOWN;
		return;
	}
	start_ns = e->at_ns[t->first_span + span];
	if (at_ns < from_ns)
		at_ns = from_ns;
	if (at_ns - from_ns >= ns)
		at_ns = from_ns + (ns ? ns - 1 : 0);
	find_part(e, &e->groups.v[group], start_ns + (at_ns - from_ns), &end_ns, ret);
	ret->until_ns = end_ns < start_ns + ns ? from_ns + (end_ns - start_ns) : UINT64_MAX;
}

__u64 *rsp_estimate_sample_ns(const struct rsp_estimate *e)
{
	__u64 *stands = calloc(e->model->sample_cnt + 1, sizeof(*stands));

	for (size_t i = 1; stands && i < e->groups.cnt; i++) {
		const struct group *g = &e->groups.v[i];

		for (size_t k = 0; g->unsampled_ns && k < g->donor_cnt; k++) {
			const struct donor *donor = &e->donors[g->first + k];
			const struct rsp_thread *t = &e->model->threads.v[donor->thread];

			stands[t->first_sample + donor->sample] += known_part(
				g, begin_of(e, g, k + 1) - begin_of(e, g, k));
		}
	}
	return stands;
}
