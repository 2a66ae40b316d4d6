/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See viewer.h. */
#include "lib/viewer/viewer.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/base/json.h"
#include "lib/report/report.h"
#include "lib/viewer/viewer-parts.h"

#define VERSION 1

/*
 * Limits for processes other than the process of interest: the number of such processes with
 * control paths in the file, and the number of pieces of their paths. If many processes wait for
 * one another, each of them has paths through all of them. After TOO_LARGE_MAX processes with too
 * many pieces, the writer tries no more, because each attempt takes long.
 */
#define OTHERS_MAX	   64
#define PIECES_MIN	   50000
#define PIECES_PER_RUN_PCT 25
#define TOO_LARGE_MAX	   16

static void viewer_done(struct rsp_viewer *v)
{
	rsp_viewer_names_done(v);
	rsp_columns_done(&v->columns);
	rsp_estimate_free(v->estimate);
	rsp_names_free(v->names);
	free(v->stands);
	free(v->thread_of);
	free(v->process_of);
	free(v->processes);
}

/*
 * JavaScript represents numbers of nanoseconds exactly only up to 2^53. Only a damaged file
 * contains such a long span.
 */
#define SHOWN_NS_MAX (1ULL << 52)

/* The maximum number of CPUs that records can contain. */
#define CPUS_MAX ((size_t)UINT16_MAX + 1)

/* Records may contain more CPUs than META. */
static size_t count_cpus(const struct rsp_model *m)
{
	size_t cnt = m->trace->snap->meta.cpu_cnt;

	if (cnt < m->cpus.cnt)
		cnt = m->cpus.cnt;
	return cnt < CPUS_MAX ? cnt : CPUS_MAX;
}

/* The shown span includes the whole recording and the requested span. */
static void set_bounds(struct rsp_viewer *v)
{
	const struct rsp_model *m = v->model;

	v->base_ns = m->start_ns && m->start_ns < m->since_ns ? m->start_ns : m->since_ns;
	v->end_ns = m->trace->last_ns > m->until_ns ? m->trace->last_ns : m->until_ns;
	if (v->end_ns < v->base_ns)
		v->end_ns = v->base_ns;
	if (v->end_ns - v->base_ns > SHOWN_NS_MAX)
		v->end_ns = v->base_ns + SHOWN_NS_MAX;
	v->cpu_cnt = count_cpus(m);
}

/* --- explained processes ---------------------------------------------------------------------- */

struct candidate {
	const struct rsp_viewer_process *process;
	__u32 number;
};

/*
 * Servers come first, then processes by CPU time. Kernel threads come last, because they work on
 * behalf of other processes.
 */
static int compare_candidates(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	if (a->process->is_kthread != b->process->is_kthread)
		return a->process->is_kthread ? 1 : -1;
	if (a->process->server_rank != b->process->server_rank)
		return a->process->server_rank > b->process->server_rank ? -1 : 1;
	if (a->process->run_ns != b->process->run_ns)
		return a->process->run_ns > b->process->run_ns ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

static int explain_one(struct rsp_viewer *v, size_t piece_max, struct json_object *list,
		       size_t *too_large_cnt)
{
	struct rsp_explanation *e = NULL;
	int r = rsp_explain_model_paths(v->model, &e);

	if (r == -ESRCH)
		return 0;
	if (r == 0 && v->piece_cnt + e->paths.stack_cnt > piece_max)
		++*too_large_cnt;
	else if (r == 0)
		r = rsp_json_append(list, rsp_viewer_put_explained(v, e));
	rsp_explanation_free(e);
	return r;
}

/* An explanation is about the last process with its pid. */
static bool is_last_life(const struct rsp_viewer *v, __u32 process)
{
	return process + 1 == v->process_cnt ||
	       v->processes[process].pid != v->processes[process + 1].pid;
}

static int explain_others(struct rsp_viewer *v, struct rsp_meta *meta, struct json_object *list)
{
	size_t piece_max = v->run_cnt * PIECES_PER_RUN_PCT / 100 + PIECES_MIN + v->piece_cnt;
	_cleanup_free_ struct candidate *candidates = calloc(v->process_cnt + 1,
							     sizeof(*candidates));
	__u32 target_pid = meta->target_pid;
	size_t cnt = 0, too_large_cnt = 0;
	int r = 0;

	if (!candidates)
		return -ENOMEM;
	for (size_t i = 0; i < v->process_cnt; i++)
		if (v->processes[i].run_ns && v->processes[i].pid != target_pid &&
		    is_last_life(v, (__u32)i))
			candidates[cnt++] = (struct candidate){&v->processes[i], (__u32)i};
	qsort(candidates, cnt, sizeof(*candidates), compare_candidates);
	for (size_t i = 0; i < cnt && i < OTHERS_MAX && too_large_cnt < TOO_LARGE_MAX && r == 0;
	     i++) {
		rsp_meta_choose_process(meta, candidates[i].process->pid);
		r = explain_one(v, piece_max, list, &too_large_cnt);
	}
	return r;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int put_all(struct rsp_viewer *v, struct rsp_meta *meta, const struct rsp_explanation *e,
		   struct json_object *head, struct json_object *explained)
{
	struct rsp_meta asked = *meta;
	int r = 0;

	rsp_viewer_put_threads(v);
	if (v->error == 0)
		rsp_viewer_put_strips(v);
	if (v->error == 0)
		r = rsp_json_add(head, "marks", rsp_viewer_put_marks(v));
	if (v->error == 0 && r == 0)
		r = rsp_json_add(head, "counters", rsp_viewer_put_counters(v));
	if (v->error == 0 && r == 0 && v->requests->is_there)
		r = rsp_json_add(head, "requests", rsp_viewer_put_requests(v));
	if (v->error == 0 && r == 0 && e)
		r = rsp_json_append(explained, rsp_viewer_put_explained(v, e));
	if (v->error == 0 && r == 0)
		r = explain_others(v, meta, explained);
	*meta = asked;
	rsp_viewer_put_names(v);
	if (v->error || v->names->error || v->columns.error)
		return -ENOMEM;
	return r;
}

static int write_file(struct rsp_viewer *v, struct rsp_meta *meta, const struct rsp_explanation *e,
		      FILE *out)
{
	_cleanup_json_ struct json_object *head = json_object_new_object();
	struct json_object *explained = json_object_new_array();
	const char *text;
	size_t len;
	int r = head ? rsp_json_add(head, "explained", explained) : -ENOMEM;

	if (r == 0)
		r = put_all(v, meta, e, head, explained);
	if (r < 0)
		return r;
	if (rsp_json_add_number(head, "version", VERSION) < 0 ||
	    rsp_json_add(head, "columns", rsp_columns_to_json(&v->columns)) < 0 ||
	    rsp_json_add(head, "meta", rsp_viewer_meta(v, e)) < 0)
		return -ENOMEM;
	text = json_object_to_json_string_length(
		head, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
	return text ? rsp_viewer_html(v, text, len, out) : -ENOMEM;
}

static int make_estimates(struct rsp_viewer *v)
{
	int r = rsp_estimate_new(v->model, v->names, &v->estimate);

	if (r < 0)
		return r;
	v->stands = rsp_estimate_sample_ns(v->estimate);
	return v->stands ? 0 : -ENOMEM;
}

static int write_model(const struct rsp_model *m, const struct rsp_viewer_requests *requests,
		       struct rsp_meta *meta, bool must_occur, FILE *out, bool *ret_lossy)
{
	_cleanup_(viewer_done) struct rsp_viewer v = {.model = m, .requests = requests};
	struct rsp_explanation *e = NULL;
	int r = rsp_explain_model(m, &e);

	if (r < 0 && (r != -ESRCH || must_occur))
		return r;
	set_bounds(&v);
	v.target_thread = e ? e->main_thread : RSP_NO_THREAD;
	r = rsp_names_new(m->trace, &v.names);
	if (r == 0)
		r = rsp_viewer_names_init(&v);
	if (r == 0)
		r = make_estimates(&v);
	if (r == 0)
		r = write_file(&v, meta, e, out);
	if (r == 0)
		*ret_lossy = e ? rsp_report_lossy(e)
			       : rsp_trace_lost(m->trace, m->since_ns, m->until_ns) > 0;
	rsp_explanation_free(e);
	return r;
}

int rsp_viewer_write(struct rsp_snapshot *snap, const struct rsp_trace *trace, bool must_occur,
		     FILE *out, bool *ret_lossy)
{
	_cleanup_(rsp_viewer_requests_done) struct rsp_viewer_requests requests;
	struct rsp_model *m;
	int r = rsp_viewer_requests_make(trace, &requests); /* has its own model */

	if (r == 0)
		r = rsp_model_new(trace, &m);
	if (r < 0)
		return r;
	r = rsp_model_keep_requests(m);
	if (r == 0)
		r = write_model(m, &requests, &snap->meta, must_occur, out, ret_lossy);
	rsp_model_free(m);
	return r;
}
