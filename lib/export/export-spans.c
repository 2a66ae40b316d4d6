/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the states of a thread over time, within the exported span. */
#include <stdio.h>
#include <string.h>

#include "lib/export/export-parts.h"

/* The samples of a thread are sorted by time, so the samples of the exported part are adjacent. */
static void clip_samples(const struct rsp_thread *t, struct rsp_export_span *s)
{
	__u32 first = s->span->samples.first, end = first + s->span->samples.cnt;

	while (first < end && t->samples.v[first]->hdr.ts_ns < s->from_ns)
		first++;
	/*
	 * The last sample of a run may be later than the end of the run. So drop late samples only
	 * if the exported span ends before the run.
	 */
	while (end > first && s->to_ns < rsp_span_end(t, s->index) &&
	       t->samples.v[end - 1]->hdr.ts_ns >= s->to_ns)
		end--;
	s->sample_first = first;
	s->sample_cnt = end - first;
}

/*
 * Sets *ret to the time before the first record of a thread, and returns whether there is such a
 * time. A thread without records has it only if it belongs to the process of interest.
 */
static bool unrecorded_span(const struct rsp_export *x, const struct rsp_thread *t,
			    struct rsp_export_span *ret)
{
	const struct rsp_model *m = x->model;
	__u64 from_ns = t->known_ns > m->since_ns ? t->known_ns : m->since_ns;
	bool is_target = x->threads[t - m->threads.v].is_target;
	__u64 to_ns = t->spans.cnt ? t->spans.v[0].from_ns : is_target ? t->end_ns : 0;

	if (to_ns > m->until_ns)
		to_ns = m->until_ns;
	if (to_ns <= from_ns)
		return false;
	*ret = (struct rsp_export_span){.from_ns = from_ns, .to_ns = to_ns};
	return true;
}

static bool clip_span(const struct rsp_export *x, const struct rsp_thread *t, size_t i,
		      struct rsp_export_span *ret)
{
	__u64 from_ns = t->spans.v[i].from_ns, to_ns = rsp_span_end(t, i);

	from_ns = from_ns < x->model->since_ns ? x->model->since_ns : from_ns;
	to_ns = to_ns > x->model->until_ns ? x->model->until_ns : to_ns;
	if (to_ns <= from_ns)
		return false;
	*ret = (struct rsp_export_span){&t->spans.v[i], i, from_ns, to_ns, 0, 0};
	if (ret->span->kind == RSP_SPAN_RUN)
		clip_samples(t, ret);
	return true;
}

/* *i: 1 + the index of the next span; 0: the time before the first span comes next. */
bool rsp_export_next_span(const struct rsp_export *x, const struct rsp_thread *t, size_t *i,
			  struct rsp_export_span *ret)
{
	if (*i == 0) {
		if (t->spans.cnt && t->spans.v[0].from_ns < x->model->since_ns)
			*i = rsp_span_at(t, x->model->since_ns);
		++*i;
		if (unrecorded_span(x, t, ret))
			return true;
	}
	while (*i <= t->spans.cnt)
		if (clip_span(x, t, (*i)++ - 1, ret))
			return true;
		else if (*i <= t->spans.cnt && t->spans.v[*i - 1].from_ns >= x->model->until_ns)
			break;
	return false;
}

const char *rsp_export_state(const struct rsp_export_span *s)
{
	static const char *const names[] = {
		[RSP_SPAN_RUN] = "running",	    [RSP_SPAN_BLOCKED] = "blocked",
		[RSP_SPAN_RUNNABLE] = "runnable",   [RSP_SPAN_PREEMPTED] = "preempted",
		[RSP_SPAN_UNEXPLAINED] = "unknown",
	};

	return s->span ? names[s->span->kind] : "unknown";
}

static __u32 name_request(struct rsp_export *x, const struct rsp_span *span)
{
	const struct rsp_ops *ops = &x->model->ops;
	const struct rsp_request *req = &ops->requests.v[ops->disk_waits.v[span->cause_id].request];
	__u64 file = rsp_ops_file(x->trace, req, span->out);

	return file ? rsp_names_object(x->names, file) : rsp_names_device(x->names, req->dev);
}

__u32 rsp_export_wait(struct rsp_export *x, const struct rsp_span *span)
{
	__u32 name = 0;

	if (span->cause == RSP_CAUSE_DISK)
		name = name_request(x, span);
	return name ? name : rsp_names_wait(x->names, span->out);
}

static __u32 title_blocked(struct rsp_export *x, const struct rsp_span *span)
{
	const char *call = rsp_names_text(x->names, rsp_names_syscall(x->names, span->out));
	const char *object = rsp_names_text(x->names, rsp_export_wait(x, span));
	char text[512];

	snprintf(text, sizeof(text), "blocked%s%s%s%s", *call ? " in " : "", call,
		 *object ? " on " : "", object);
	return rsp_names_add(x->names, text);
}

__u32 rsp_export_title(struct rsp_export *x, const struct rsp_export_span *s)
{
	if (s->span && s->span->kind == RSP_SPAN_BLOCKED)
		return title_blocked(x, s->span);
	return rsp_names_add(x->names, rsp_export_state(s));
}

int rsp_export_cpu(const struct rsp_thread *t, size_t span)
{
	/*
	 * If an exec ended the run, the run has no switch at its end, and continues in the next
	 * span.
	 */
	while (span + 1 < t->spans.cnt && !t->spans.v[span].out &&
	       t->spans.v[span + 1].kind == RSP_SPAN_RUN)
		span++;
	if (t->spans.v[span].out)
		return t->spans.v[span].out->hdr.cpu;
	return span + 1 == t->spans.cnt ? (int)t->cpu : -1;
}
