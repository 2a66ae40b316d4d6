/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns waits for futexes into a row for each address of a process. */
#include <errno.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/model/survey/survey-parts.h"

struct key {
	__u64 address;
	__u64 tgid;
};

/* The keys of both maps are row << 32 | thread. */
struct locks {
	const struct rsp_survey_scope *scope;
	struct rsp_survey *survey;
	struct rsp_intern keys;
	struct rsp_idmap waiters;
	struct rsp_idmap wakers; /* value: time for which other threads waited for this thread */
	struct {
		/* [row]: time for which other threads waited for the thread in holder */
		__u64 *v;
		size_t cnt, cap;
	} held_ns;
};

static int row_of(struct locks *l, const struct rsp_survey_wait *w, __u32 *ret)
{
	const struct rsp_survey_scope *s = l->scope;
	const struct rsp_thread *t = &s->model->threads.v[w->thread];
	const struct rsp_ev_task *task = rsp_thread_task(s->model, t, w->from_ns);
	__u32 tgid = task ? task->tgid : t->tid;
	struct key key = {.address = w->span->out->object, .tgid = tgid};
	struct rsp_lock_row *row;

	if (rsp_intern_put(&l->keys, &key, sizeof(key), ret) < 0)
		return -ENOMEM;
	if (*ret < l->survey->locks.cnt)
		return 0;
	row = rsp_array_add(&l->survey->locks);
	if (!row || !rsp_array_add(&l->held_ns))
		return -ENOMEM;
	row->address = key.address;
	row->tgid = tgid;
	row->comm = rsp_survey_text(s, rsp_names_tid(s->names, tgid, w->from_ns));
	row->holder = "";
	return 0;
}

static int add_waiter(struct locks *l, __u32 i, __u32 thread)
{
	struct rsp_lock_row *row = &l->survey->locks.v[i];
	__u64 key = (__u64)i << 32 | thread;
	uint64_t known;

	if (rsp_idmap_get(&l->waiters, key, &known))
		return 0;
	row->waiter_cnt++;
	row->both_cnt += rsp_idmap_get(&l->wakers, key, &known);
	return rsp_idmap_put(&l->waiters, key, 1);
}

static int add_waker(struct locks *l, __u32 i, __u32 thread, const struct rsp_survey_wait *w)
{
	const struct rsp_survey_scope *s = l->scope;
	struct rsp_lock_row *row = &l->survey->locks.v[i];
	__u64 key = (__u64)i << 32 | thread;
	uint64_t ns = 0, waits;

	if (!rsp_idmap_get(&l->wakers, key, &ns)) {
		row->waker_cnt++;
		row->both_cnt += rsp_idmap_get(&l->waiters, key, &waits);
	}
	ns += w->ns;
	if (ns > l->held_ns.v[i]) {
		const struct rsp_thread *holder = &s->model->threads.v[thread];

		l->held_ns.v[i] = ns;
		row->holder_tid = holder->tid;
		row->holder = rsp_survey_text(
			s, rsp_names_thread(s->names, holder, w->span->waking->hdr.ts_ns));
	}
	return rsp_idmap_put(&l->wakers, key, ns);
}

static int on_wait(void *table, const struct rsp_survey_wait *w)
{
	struct locks *l = table;
	struct rsp_lock_row *row;
	__u32 i;

	if (!(w->span->flags & RSP_SW_FUTEX))
		return 0;
	if (row_of(l, w, &i) < 0 || add_waiter(l, i, w->thread) < 0)
		return -ENOMEM;
	row = &l->survey->locks.v[i];
	row->is_target |= l->scope->target[w->thread];
	row->wait_cnt++;
	row->waited_ns += w->ns;
	row->target_ns += w->target_ns;
	if (row->longest_ns < w->ns) {
		row->longest_ns = w->ns;
		row->longest_at_ns = w->from_ns;
	}
	return w->span->cause == RSP_CAUSE_TASK ? add_waker(l, i, w->span->cause_id, w) : 0;
}

static int compare(const void *pa, const void *pb)
{
	const struct rsp_lock_row *a = pa, *b = pb;
	int r = rsp_survey_more(a->target_ns, b->target_ns);

	if (!r)
		r = b->is_target - a->is_target;
	if (!r)
		r = rsp_survey_more(a->waited_ns, b->waited_ns);
	if (!r)
		r = strcmp(a->comm, b->comm);
	if (!r)
		r = rsp_survey_more(b->tgid, a->tgid);
	return r ? r : rsp_survey_more(b->address, a->address);
}

static void *begin(const struct rsp_survey_scope *s, struct rsp_survey *ret)
{
	struct locks *l = calloc(1, sizeof(*l));

	if (l)
		*l = (struct locks){.scope = s, .survey = ret};
	return l;
}

static int end(void *table)
{
	struct locks *l = table;
	struct rsp_survey *survey = l->survey;

	rsp_intern_done(&l->keys);
	rsp_idmap_done(&l->waiters);
	rsp_idmap_done(&l->wakers);
	free(l->held_ns.v);
	free(l);
	if (survey->locks.cnt)
		qsort(survey->locks.v, survey->locks.cnt, sizeof(*survey->locks.v), compare);
	return 0;
}

const struct rsp_survey_table rsp_survey_locks = {
	.begin = begin,
	.on_wait = on_wait,
	.end = end,
};
