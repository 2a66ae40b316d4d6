/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the slowest requests, and explains the waits of each request in a sentence. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/report/findings.h"
#include "lib/report/requests-view.h"

/* taken: for each server, the number of its requests that are already taken. */
static int take_slowest(struct rsp_requests_view *v, size_t *taken)
{
	const struct rsp_exchange *x = &v->found.served;
	struct rsp_slow_request *slot;

	while (v->slowest.cnt < v->opt->slowest) {
		const struct rsp_served *most = NULL;
		size_t of = 0;

		for (size_t i = 0; i < x->rows.cnt; i++) {
			const struct rsp_request_row *row = &x->rows.v[i];
			const struct rsp_served *s;

			if (!v->shows_server[i] || taken[i] == row->cnt)
				continue;
			s = &x->v[row->order[row->cnt - 1 - taken[i]]];
			if (!most || rsp_served_ns(s) > rsp_served_ns(most)) {
				most = s;
				of = i;
			}
		}
		if (!most)
			break;
		taken[of]++;
		slot = rsp_array_add(&v->slowest);
		if (!slot)
			return -ENOMEM;
		slot->served = most;
	}
	return 0;
}

static void name_thread(const struct rsp_requests_view *v, struct rsp_slow_request *slow)
{
	const struct rsp_ev_task *task = rsp_trace_task(v->trace, slow->served->tid,
							slow->served->first_ns);

	if (task)
		rsp_meta_comm(&v->trace->snap->meta, task, slow->comm);
	else
		snprintf(slow->comm, sizeof(slow->comm), "?");
	slow->tgid = task ? task->tgid : slow->served->tid;
}

/*
 * The sentence mentions a wait for the event loop if this wait takes more than a tenth of the
 * request's duration.
 */
#define BEHIND_DIVISOR 10

static int write_sentence(struct rsp_slow_request *slow, const struct rsp_explanation *e)
{
	_cleanup_(rsp_findings_done) struct rsp_findings findings = {0};
	char ns[RSP_FORMAT_MAX];
	size_t len;
	FILE *f;
	int r = rsp_findings_make(e, &findings);

	if (r < 0)
		return r;
	f = open_memstream(&slow->sentence, &len);
	if (!f)
		return -ENOMEM;
	if (slow->behind_ns > rsp_served_ns(slow->served) / BEHIND_DIVISOR)
		fprintf(f,
			"Waited %s for the event loop, which answered %llu other request%s first. ",
			rsp_format_ns(slow->behind_ns, ns, sizeof(ns)), slow->behind_cnt,
			slow->behind_cnt == 1 ? "" : "s");
	fputs(findings.cnt ? findings.v[0].text : "", f);
	return fclose(f) == 0 ? 0 : -ENOMEM;
}

int rsp_slowest_explain(const struct rsp_requests_view *v, const struct rsp_model *model,
			const struct rsp_loops *loops, struct rsp_slow_request *slow)
{
	const struct rsp_exchange *served = &v->found.served;
	_cleanup_(rsp_served_split_done) struct rsp_served_split split = {0};
	struct rsp_served_part whole;
	struct rsp_served_parts scope;
	struct rsp_explanation *e;
	int r;

	name_thread(v, slow);
	if (!rsp_served_part_of(model, served, (__u32)(slow->served - served->v), &whole))
		return 0;
	r = rsp_served_split(model, loops, &whole, &split);
	if (r < 0)
		return r;
	slow->behind_ns = split.behind_ns;
	slow->behind_cnt = split.behind_cnt;
	rsp_served_parts_init(&scope, model, loops, &whole, 1);
	r = rsp_explain_parts(&scope, &e);
	if (r == 0) {
		r = write_sentence(slow, e);
		rsp_explanation_free(e);
	}
	rsp_served_parts_done(&scope);
	return r;
}

int rsp_slowest_find(struct rsp_requests_view *v)
{
	_cleanup_free_ size_t *taken = calloc(v->found.served.rows.cnt + 1, sizeof(*taken));

	return taken ? take_slowest(v, taken) : -ENOMEM;
}
