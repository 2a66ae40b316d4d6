/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds polls that ended later than the work they polled for, and merges equal polls into rows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/model/explain/explain-parts.h"

struct rows {
	struct rsp_late_poll *v;
	size_t cnt, cap;
};

static struct rsp_late_poll describe(struct rsp_explain *x, const struct rsp_poll *poll)
{
	const struct rsp_thread *t = &x->model->threads.v[poll->thread];
	const struct rsp_thread *worker = &x->model->threads.v[poll->worker];
	const struct rsp_ev_switch *out = poll->last->out;
	struct rsp_late_poll row = {
		.hop = {.kind = RSP_HOP_BLOCKED,
			.flags = RSP_HOP_INFERRED,
			.tgid = rsp_thread_tgid(x->model, poll->thread),
			.tid = t->tid,
			.task_cnt = 1,
			.behind = ""},
		.worker_tid = worker->tid,
		.cnt = 1,
		.ready_ns = poll->ready_ns,
		.noticed_ns = poll->ended_ns,
	};
	__u32 frames = out ? rsp_names_stack(x->names, out->kstack, out->ustack) : 0;

	row.hop.comm = rsp_names_text(x->names, rsp_names_thread(x->names, t, poll->from_ns));
	row.hop.container = "";
	row.hop.object = rsp_names_text(x->names, rsp_names_wait(x->names, out));
	row.hop.syscall = rsp_names_text(x->names, rsp_names_syscall(x->names, out));
	row.hop.frames = (struct rsp_frame *)rsp_names_frames(x->names, frames, &row.hop.frame_cnt);
	row.worker = rsp_names_text(x->names,
				    rsp_names_thread(x->names, worker, poll->ready_ns - 1));
	return row;
}

/* Equal names have equal addresses, so the function compares pointers. */
static bool is_same(const struct rsp_late_poll *a, const struct rsp_late_poll *b)
{
	return a->hop.comm == b->hop.comm && a->hop.syscall == b->hop.syscall &&
	       a->hop.object == b->hop.object && a->hop.frames == b->hop.frames;
}

static int add(struct rows *rows, const struct rsp_late_poll *row, __u64 ns)
{
	struct rsp_late_poll *known = NULL;

	for (size_t i = 0; i < rows->cnt && !known; i++)
		if (is_same(&rows->v[i], row))
			known = &rows->v[i];
	if (!known) {
		known = rsp_array_add(rows);
		if (!known)
			return -ENOMEM;
		*known = *row;
	} else {
		known->cnt++;
	}
	known->ns += ns;
	if (ns > known->longest_ns) {
		known->longest_ns = ns;
		known->ready_ns = row->ready_ns;
		known->noticed_ns = row->noticed_ns;
		known->worker = row->worker;
		known->worker_tid = row->worker_tid;
		known->hop.tgid = row->hop.tgid;
		known->hop.tid = row->hop.tid;
	}
	return 0;
}

static __u64 late_ns(const struct rsp_model *m, const struct rsp_poll *poll)
{
	__u64 from_ns = poll->ready_ns > m->since_ns ? poll->ready_ns : m->since_ns;
	__u64 to_ns = poll->ended_ns < m->until_ns ? poll->ended_ns : m->until_ns;

	return from_ns < to_ns ? to_ns - from_ns : 0;
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct rsp_late_poll *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return strcmp(a->worker, b->worker);
}

#define ROWS_MAX 256

int rsp_explain_late_polls(struct rsp_explain *x, const struct rsp_attribution *a,
			   struct rsp_explanation *e)
{
	struct rows rows = {0};
	int r = 0;

	for (size_t i = 0; i < x->polls->list.cnt && r == 0 && rows.cnt < ROWS_MAX; i++) {
		const struct rsp_poll *poll = &x->polls->list.v[i];
		const __u64 *waited = a->parts[poll->thread].cat_ns;
		struct rsp_late_poll row;

		if (poll->worker == RSP_NO_THREAD || late_ns(x->model, poll) == 0)
			continue;
		if (waited[RSP_CAT_TIMEOUT] == 0 && waited[RSP_CAT_SLEEP] == 0)
			continue; /* the process did not wait for the polling thread */
		rsp_used_poll(x->used, poll);
		row = describe(x, poll);
		r = add(&rows, &row, late_ns(x->model, poll));
	}
	if (r == 0)
		r = x->names->error;
	if (r < 0) {
		free(rows.v);
		return r;
	}
	if (rows.cnt)
		qsort(rows.v, rows.cnt, sizeof(*rows.v), compare_rows);
	e->late_polls = rows.v;
	e->late_poll_cnt = rows.cnt;
	return 0;
}
