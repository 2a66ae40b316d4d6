/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See paths.h. Paths are found in waves. The first waves contain the time of the threads in roots.
 * If a path waits for another path, the next wave contains the awaited work of that path.
 */
#include "lib/model/attribute/paths.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/model/attribute/attribute-parts.h"
#include "lib/model/waits/polls.h"
#include "lib/model/waits/used.h"

/*
 * A thread that wakes or creates another thread often continues for a moment before it sleeps. Up
 * to this time, two threads may run at once and still be one thread of work. The text of the paper
 * (docs/model.md, "Control paths") uses 100 us, its program 1 ms. With 1 ms, etcd loses nearly all
 * of its other paths (bench/paper).
 */
#define GRACE_NS 100000

/*
 * Maximum number of pieces or spans in a backward search for the beginning of a time in which two
 * threads run at once.
 */
#define LOOK_BACK 256

/*
 * The maximum number of waves. It also limits how many paths in a row wait for each other. Deeper
 * paths are not explained.
 */
#define WAVES_MAX 64

int rsp_paths_new(const struct rsp_model *m, struct rsp_paths **ret)
{
	struct rsp_paths *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	p->model = m;
	p->path_of = malloc((m->threads.cnt + 1) * sizeof(*p->path_of));
	p->owner = malloc((m->span_cnt + 1) * sizeof(*p->owner));
	if (!p->path_of || !p->owner) {
		rsp_paths_free(p);
		return -ENOMEM;
	}
	for (size_t i = 0; i < m->threads.cnt; i++)
		p->path_of[i] = RSP_NO_PATH;
	for (size_t i = 0; i < m->span_cnt; i++)
		p->owner[i] = RSP_NO_PATH;
	*ret = p;
	return 0;
}

struct rsp_paths *rsp_paths_free(struct rsp_paths *p)
{
	if (!p)
		return NULL;
	free(p->list.v);
	free(p->pieces.v);
	free(p->wanted.v);
	free(p->known.v);
	free(p->path_of);
	free(p->owner);
	free(p);
	return NULL;
}

/* --- stretches to explain ------------------------------------------------------------------- */

static __u32 path_of(struct rsp_paths *p, __u32 thread)
{
	struct rsp_path *path;

	if (p->path_of[thread] != RSP_NO_PATH)
		return p->path_of[thread];
	path = rsp_array_add(&p->list);
	if (!path) {
		p->error = -ENOMEM;
		return RSP_NO_PATH;
	}
	path->thread = thread;
	p->path_of[thread] = (__u32)(p->list.cnt - 1);
	return p->path_of[thread];
}

static void want(struct rsp_paths *p, __u32 path, __u64 from_ns, __u64 to_ns)
{
	struct rsp_stretch *stretch = rsp_array_add(&p->wanted);

	if (!stretch) {
		p->error = -ENOMEM;
		return;
	}
	*stretch = (struct rsp_stretch){path, from_ns, to_ns};
	p->list.v[path].wanted_ns = to_ns;
}

static __u64 begin_of_work(const struct rsp_paths *p, struct rsp_used *used, __u32 thread,
			   size_t span, __u64 not_before_ns)
{
	const struct rsp_thread *t = &p->model->threads.v[thread];

	while (span > 0 && t->spans.v[span].from_ns > not_before_ns &&
	       rsp_span_is_work(&t->spans.v[span - 1]))
		rsp_used_span(used, thread, span--);
	rsp_used_span(used, thread, span);
	return t->spans.v[span].from_ns > not_before_ns ? t->spans.v[span].from_ns : not_before_ns;
}

static void want_work(struct rsp_paths *p, struct rsp_used *used, __u32 thread, size_t span,
		      __u64 to_ns, __u64 ns)
{
	__u32 i = path_of(p, thread);
	__u64 from_ns = p->begin_ns;

	if (i == RSP_NO_PATH)
		return;
	p->list.v[i].awaited_ns += ns;
	if (from_ns < p->list.v[i].wanted_ns)
		from_ns = p->list.v[i].wanted_ns;
	from_ns = begin_of_work(p, used, thread, span, from_ns);
	if (from_ns < to_ns)
		want(p, i, from_ns, to_ns);
}

/* --- placement ------------------------------------------------------------------------------ */

static bool idles(const struct rsp_attribution *a)
{
	return a->paths->idles;
}

static bool place(struct rsp_attribution *a, __u32 thread, size_t span, __u64 ns)
{
	struct rsp_paths *p = a->paths;
	__u32 *owner = &p->owner[p->model->threads.v[thread].first_span + span];

	if (*owner == RSP_NO_PATH)
		*owner = p->current;
	if (*owner == p->current)
		return true;
	p->list.v[*owner].awaited_ns += ns;
	return false;
}

static __u64 begin_of_sleep(const struct rsp_attribution *a, const struct rsp_piece *piece)
{
	const struct rsp_poll *poll = NULL;

	if (piece->span)
		poll = rsp_polls_find(a->polls, rsp_piece_thread(a, piece), piece->span);
	rsp_used_poll(a->used, poll);
	return poll && poll->from_ns < piece->from_ns ? poll->from_ns : piece->from_ns;
}

static bool is_running(const struct rsp_path_piece *piece)
{
	return piece->cat == RSP_CAT_RUNNING_SAMPLED || piece->cat == RSP_CAT_RUNNING_UNSAMPLED;
}

/*
 * Returns the earliest time from which, until ts_ns, other threads ran on the current path for at
 * most GRACE_NS. 0: the path has no earlier time.
 */
static __u64 grace_begin(const struct rsp_paths *p, __u32 thread, __u64 ts_ns)
{
	__u64 ran_ns = 0, from_ns = ts_ns;
	size_t i = p->pieces.cnt;

	for (size_t n = 0; n < LOOK_BACK && i > 0; n++) {
		const struct rsp_path_piece *piece = &p->pieces.v[--i];

		if (piece->path != p->current)
			return 0;
		if (piece->from_ns >= ts_ns)
			continue;
		from_ns = piece->from_ns;
		if (!is_running(piece) || piece->thread == thread)
			continue;
		ran_ns += piece->to_ns - piece->from_ns;
		if (ran_ns > GRACE_NS)
			return from_ns + (ran_ns - GRACE_NS);
	}
	return i > 0 ? from_ns : 0;
}

/*
 * Returns whether the thread woke up for the work in span i at limit_ns or later. Returns false if
 * the search reaches LOOK_BACK.
 */
static bool began_after(const struct rsp_model *m, struct rsp_used *used, __u32 thread, size_t i,
			__u64 limit_ns)
{
	const struct rsp_thread *t = &m->threads.v[thread];

	for (size_t n = 0; n < LOOK_BACK; n++) {
		rsp_used_span(used, thread, i);
		if (t->spans.v[i].from_ns < limit_ns)
			return false;
		if (i == 0 || !rsp_span_is_awake(&t->spans.v[i - 1]))
			return true;
		i--;
	}
	return false;
}

/*
 * Returns whether the thread cause is on the current path; if not, its work is wanted in the next
 * wave. A kernel thread always fits: attribute.c has already cut off its work for others.
 */
static bool fits(struct rsp_attribution *a, const struct rsp_piece *piece, __u32 cause)
{
	struct rsp_paths *p = a->paths;
	const struct rsp_thread *t = &p->model->threads.v[cause];
	__u64 sleep_ns = begin_of_sleep(a, piece);
	size_t at;

	if (!t->spans.cnt || sleep_ns < t->spans.v[0].from_ns ||
	    rsp_thread_is_kthread(p->model, t, piece->from_ns))
		return true;
	at = rsp_attribution_span_at(a, cause, sleep_ns);
	rsp_used_span(a->used, cause, at);
	if (!rsp_span_is_awake(&t->spans.v[at]) || p->owner[t->first_span + at] == p->current)
		return true;
	if (began_after(p->model, a->used, cause, at, grace_begin(p, cause, sleep_ns)))
		return true;
	want_work(p, a->used, cause, at, piece->to_ns, piece->to_ns - piece->from_ns);
	return false;
}

static int add(struct rsp_attribution *a, const struct rsp_piece *piece, enum rsp_category cat,
	       __u32 node)
{
	struct rsp_paths *p = a->paths;
	struct rsp_path *path = &p->list.v[p->current];
	struct rsp_path_piece *last = p->pieces.cnt ? &p->pieces.v[p->pieces.cnt - 1] : NULL;
	__u64 from_ns = piece->from_ns, to_ns = piece->to_ns;

	if (path->ns == 0 || from_ns < path->from_ns)
		path->from_ns = from_ns;
	if (to_ns > path->to_ns)
		path->to_ns = to_ns;
	path->ns += to_ns - from_ns;
	path->cat_ns[cat] += to_ns - from_ns;
	if (last && last->node == node && last->path == p->current &&
	    last->thread == piece->thread && last->to_ns == from_ns) {
		last->to_ns = to_ns;
		return 0;
	}
	last = rsp_array_add(&p->pieces);
	if (!last)
		return -ENOMEM;
	*last = (struct rsp_path_piece){from_ns, to_ns, p->current, node, piece->thread, cat};
	return 0;
}

static const struct rsp_attribution_mode paths_mode = {false, idles, place, fits, add};

/* --- waves ---------------------------------------------------------------------------------- */

static int compare_stretches(const void *pa, const void *pb)
{
	const struct rsp_stretch *a = pa, *b = pb;

	if (a->path != b->path)
		return a->path < b->path ? -1 : 1;
	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return a->to_ns < b->to_ns ? -1 : a->to_ns > b->to_ns;
}

static void sort_and_join(struct rsp_stretches *s)
{
	size_t kept = 0;

	if (s->cnt == 0)
		return;
	qsort(s->v, s->cnt, sizeof(*s->v), compare_stretches);
	for (size_t i = 1; i < s->cnt; i++) {
		struct rsp_stretch *last = &s->v[kept];

		if (s->v[i].path != last->path || s->v[i].from_ns > last->to_ns)
			s->v[++kept] = s->v[i];
		else if (s->v[i].to_ns > last->to_ns)
			last->to_ns = s->v[i].to_ns;
	}
	s->cnt = kept + 1;
}

static int add_stretch(struct rsp_stretches *s, __u32 path, __u64 from_ns, __u64 to_ns)
{
	struct rsp_stretch *stretch;

	if (from_ns >= to_ns)
		return 0;
	stretch = rsp_array_add(s);
	if (!stretch)
		return -ENOMEM;
	*stretch = (struct rsp_stretch){path, from_ns, to_ns};
	return 0;
}

/* The caller has prepared both with sort_and_join(). */
static int subtract(const struct rsp_stretches *a, const struct rsp_stretches *b,
		    struct rsp_stretches *ret)
{
	size_t j = 0;

	for (size_t i = 0; i < a->cnt; i++) {
		struct rsp_stretch rest = a->v[i];

		while (j < b->cnt && (b->v[j].path < rest.path ||
				      (b->v[j].path == rest.path && b->v[j].to_ns <= rest.from_ns)))
			j++;
		for (size_t k = j;
		     k < b->cnt && b->v[k].path == rest.path && b->v[k].from_ns < rest.to_ns; k++) {
			if (add_stretch(ret, rest.path, rest.from_ns, b->v[k].from_ns) < 0)
				return -ENOMEM;
			rest.from_ns = b->v[k].to_ns;
		}
		if (add_stretch(ret, rest.path, rest.from_ns, rest.to_ns) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int note_known(struct rsp_paths *p, const struct rsp_stretches *todo)
{
	for (size_t i = 0; i < todo->cnt; i++)
		if (add_stretch(&p->known, todo->v[i].path, todo->v[i].from_ns, todo->v[i].to_ns) <
		    0)
			return -ENOMEM;
	sort_and_join(&p->known);
	return 0;
}

static int next_wave(struct rsp_paths *p, struct rsp_stretches *ret)
{
	ret->cnt = 0;
	sort_and_join(&p->wanted);
	if (subtract(&p->wanted, &p->known, ret) < 0)
		return -ENOMEM;
	p->wanted.cnt = 0;
	for (size_t i = 0; i < p->list.cnt; i++)
		p->list.v[i].wanted_ns = 0;
	return note_known(p, ret);
}

static int trace_wave(struct rsp_paths *p, struct rsp_attribution *a,
		      const struct rsp_stretches *wave)
{
	int r = 0;

	for (size_t i = 0; i < wave->cnt && r == 0; i++) {
		const struct rsp_stretch *s = &wave->v[i];

		p->current = s->path;
		p->list.v[s->path].stretch_cnt++;
		r = rsp_attribute(a, p->list.v[s->path].thread, s->from_ns, s->to_ns,
				  wave->cnt - i);
		if (r == 0)
			r = p->error;
	}
	return r;
}

static int want_root(struct rsp_paths *p, const struct rsp_path_root *root)
{
	__u32 path = path_of(p, root->thread);

	if (path == RSP_NO_PATH)
		return -ENOMEM;
	p->list.v[path].is_root = true;
	want(p, path, root->from_ns, root->to_ns);
	return p->error;
}

/*
 * Traces the path of the main thread before all other paths, so that threads for which the main
 * thread waits get onto its path.
 */
static int trace_main(struct rsp_paths *p, struct rsp_attribution *a, struct rsp_stretches *wave)
{
	int r = next_wave(p, wave);

	p->idles = true;
	if (r == 0)
		r = trace_wave(p, a, wave);
	p->idles = false;
	return r;
}

int rsp_paths_trace(struct rsp_paths *p, struct rsp_attribution *a,
		    const struct rsp_path_root *roots, size_t cnt, bool has_main)
{
	struct rsp_stretches wave = {0};
	int r = 0;

	a->mode = &paths_mode;
	a->paths = p;
	p->begin_ns = UINT64_MAX;
	for (size_t i = 0; i < cnt; i++)
		if (roots[i].from_ns < p->begin_ns)
			p->begin_ns = roots[i].from_ns;
	for (size_t i = 0; i < cnt && r == 0; i++) {
		r = want_root(p, &roots[i]);
		if (r == 0 && i == 0 && has_main)
			r = trace_main(p, a, &wave);
	}
	for (size_t n = 0; n < WAVES_MAX && p->wanted.cnt && r == 0; n++) {
		r = next_wave(p, &wave);
		if (r == 0)
			r = trace_wave(p, a, &wave);
	}
	free(wave.v);
	return r;
}
