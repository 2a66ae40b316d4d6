/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See summary.h. */
#include "lib/summary/summary.h"

#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/summary/summary-parts.h"

__u64 rsp_summary_busy_ns(const struct rsp_summary_unit *unit)
{
	return unit->total_ns - unit->cat_ns[RSP_CAT_IDLE];
}

const char *rsp_summary_text(const struct rsp_summary *s, __u32 text)
{
	return rsp_intern_data(&s->texts, text);
}

static void unit_done(struct rsp_summary_unit *unit)
{
	free(unit->chains.v);
	rsp_idmap_done(&unit->chain_of);
	free(unit->cause);
	for (size_t i = 0; i < unit->requests.cnt; i++)
		free(unit->requests.v[i].slowest_text);
	free(unit->requests.v);
}

static void done(struct rsp_summary *s)
{
	for (size_t i = 0; i < s->units.cnt; i++)
		unit_done(&s->units.v[i]);
	free(s->units.v);
	rsp_idmap_done(&s->unit_of_text);
	rsp_idmap_done(&s->unit_of_cgroup);
	rsp_idmap_done(&s->unit_of_tgid);
	rsp_intern_done(&s->texts);
	rsp_explainer_free(s->explainer);
	rsp_model_free(s->model);
}

static int make(struct rsp_summary *s, char **ret, size_t *ret_len)
{
	uint32_t empty;
	int r = rsp_intern_put(&s->texts, "", 0, &empty);

	if (r == 0)
		r = rsp_model_new(s->trace, &s->model);
	/* All explanations need the requests. */
	if (r == 0)
		r = rsp_model_keep_requests(s->model);
	if (r == 0)
		r = rsp_explainer_new(s->model, &s->explainer);
	if (r == 0)
		r = rsp_summary_add_processes(s);
	if (r == 0)
		r = rsp_summary_add_requests(s);
	return r == 0 ? rsp_summary_write(s, ret, ret_len) : r;
}

int rsp_summary_make(struct rsp_snapshot *snap, const struct rsp_summary_options *opt, char **ret,
		     size_t *ret_len)
{
	_cleanup_(done) struct rsp_summary s = {.opt = opt, .snap = snap};
	struct rsp_trace *trace;
	int r = rsp_trace_new(snap, &trace);

	if (r < 0)
		return r;
	s.trace = trace;
	r = make(&s, ret, ret_len);
	rsp_trace_free(trace);
	return r;
}
