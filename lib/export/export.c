/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See export.h. */
#include "lib/export/export-parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/text.h"
#include "lib/model/roots.h"
#include "lib/report/report.h"
#include "lib/report/requests-beside.h"

static const struct {
	const char *name;
	int (*write)(struct rsp_export *x, FILE *out);
} formats[] = {
	[RSP_EXPORT_PPROF] = {"pprof", rsp_export_pprof},
	[RSP_EXPORT_PERFETTO] = {"perfetto", rsp_export_perfetto},
	[RSP_EXPORT_CHROME] = {"chrome", rsp_export_chrome},
	[RSP_EXPORT_FIREFOX] = {"firefox", rsp_export_firefox},
	[RSP_EXPORT_OTLP] = {"otlp", rsp_export_otlp},
	[RSP_EXPORT_JSON] = {"json", rsp_export_report},
};

#define FORMAT_CNT (sizeof(formats) / sizeof(formats[0]))

int rsp_export_parse(const char *name, enum rsp_export_format *ret)
{
	for (size_t i = 1; i < FORMAT_CNT; i++) {
		if (strcmp(formats[i].name, name) != 0)
			continue;
		*ret = (enum rsp_export_format)i;
		return 0;
	}
	return -EINVAL;
}

/* --- texts and times -------------------------------------------------------------------------- */

const char *rsp_export_text(struct rsp_export *x, const char *s)
{
	_cleanup_free_ char *copy = strdup(s);

	if (!copy) {
		x->names->error = -ENOMEM;
		return "";
	}
	rsp_text_clean(copy);
	return rsp_names_text(x->names, rsp_names_add(x->names, copy));
}

__u64 rsp_export_realtime(const struct rsp_export *x, __u64 ts_ns)
{
	return ts_ns + (__u64)x->snap->meta.realtime_offset_ns;
}

/* --- threads ---------------------------------------------------------------------------------- */

bool rsp_export_has_thread(const struct rsp_export *x, size_t thread)
{
	return x->model->threads.v[thread].tid != 0 &&
	       (!x->only_target || x->threads[thread].is_target);
}

static void mark_target(struct rsp_export *x)
{
	_cleanup_(rsp_roots_done) struct rsp_roots roots = {0};

	if (rsp_roots_find(x->model, &roots) < 0)
		return;
	for (size_t i = 0; i < roots.cnt; i++)
		x->threads[roots.v[i].thread].is_target = true;
}

/*
 * A process has the name of its main thread. If two main threads had the same tid, the later one
 * counts.
 */
static int name_threads(struct rsp_export *x)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap main_of = {0};
	const struct rsp_model *m = x->model;
	uint64_t main;

	x->threads = calloc(m->threads.cnt + 1, sizeof(*x->threads));
	if (!x->threads)
		return -ENOMEM;
	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_ev_task *task = rsp_thread_identity(m, &m->threads.v[i]);
		struct rsp_export_thread *t = &x->threads[i];

		t->tgid = task ? task->tgid : m->threads.v[i].tid;
		t->comm = task ? rsp_export_text(x, task->comm) : "";
		t->is_kthread = task && task->attrs & RSP_TASK_ATTR_KTHREAD;
		if (t->tgid == m->threads.v[i].tid && rsp_idmap_put(&main_of, t->tgid, i) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < m->threads.cnt; i++) {
		struct rsp_export_thread *t = &x->threads[i];

		t->process = t->comm;
		if (rsp_idmap_get(&main_of, t->tgid, &main))
			t->process = x->threads[main].comm;
	}
	mark_target(x);
	return 0;
}

/* ---------------------------------------------------------------------------------------------- */

static int explain(struct rsp_export *x)
{
	_cleanup_(rsp_findings_done) struct rsp_findings findings = {0};
	int r = rsp_explain_model(x->model, &x->explanation);

	if (r == -ESRCH && !x->only_target)
		return (x->headline = strdup("")) ? 0 : -ENOMEM;
	if (r == 0)
		r = rsp_findings_make(x->explanation, &findings);
	return r < 0 ? r : rsp_headline_make(x->explanation, &findings, &x->headline);
}

int rsp_export_new(struct rsp_snapshot *snap, const struct rsp_trace *trace, bool only_target,
		   struct rsp_export **ret)
{
	struct rsp_export *x = calloc(1, sizeof(*x));
	int r;

	if (!x)
		return -ENOMEM;
	x->snap = snap;
	x->trace = trace;
	x->only_target = only_target;
	r = rsp_model_new(trace, &x->model);
	if (r == 0)
		r = rsp_names_new(trace, &x->names);
	if (r == 0)
		r = explain(x);
	if (r == 0)
		r = name_threads(x);
	if (r == 0)
		r = rsp_export_take_notes(x);
	if (r < 0)
		rsp_export_free(x);
	else
		*ret = x;
	return r;
}

struct rsp_export *rsp_export_free(struct rsp_export *x)
{
	if (!x)
		return NULL;
	free(x->threads);
	rsp_export_lines_done(&x->lines);
	free(x->headline);
	rsp_explanation_free(x->explanation);
	rsp_names_free(x->names);
	rsp_model_free(x->model);
	free(x);
	return NULL;
}

size_t rsp_export_notes(const struct rsp_export *x, const char *const **ret)
{
	*ret = x->notes;
	return x->note_cnt;
}

int rsp_export_write(struct rsp_export *x, enum rsp_export_format format, FILE *out)
{
	int r;

	if (format <= RSP_EXPORT_NONE || format >= (int)FORMAT_CNT)
		return -EINVAL;
	r = formats[format].write(x, out);
	if (r == 0 && x->names->error)
		r = x->names->error;
	if (r == 0 && ferror(out))
		r = -EIO;
	return r;
}

int rsp_export_report(struct rsp_export *x, FILE *out)
{
	_cleanup_(rsp_beside_done) struct rsp_beside beside = {0};
	int r;

	if (!x->explanation)
		return -ESRCH;
	r = rsp_beside_make(x->trace, &beside);
	return r < 0 ? r : rsp_report_json(x->explanation, &beside, false, out);
}
