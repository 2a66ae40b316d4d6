/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See serve-processes.h. */
#include "cli/serve-processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/document.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/base/text.h"
#include "lib/model/model.h"

struct process {
	__u32 tgid;
	char comm[RSP_TASK_COMM_LEN];
	__u64 run_ns;
	__u32 thread_cnt;
};

struct processes {
	struct process *v;
	size_t cnt, cap;
	struct rsp_idmap of;
};

static void processes_done(struct processes *p)
{
	free(p->v);
	rsp_idmap_done(&p->of);
}

void rsp_serve_put_head(const char *title, FILE *out)
{
	fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", out);
	rsp_text_put_markup(out, title);
	fputs("</title><style>\n"
	      "body { font: 14px sans-serif; margin: 2em; color-scheme: light dark }\n"
	      "td, th { text-align: left; padding: .15em 1em .15em 0 }\n"
	      "td.n { text-align: right; font-variant-numeric: tabular-nums }\n"
	      "</style></head>\n<body><h1>",
	      out);
	rsp_text_put_markup(out, title);
	fputs("</h1>\n", out);
}

/* --- the list --------------------------------------------------------------------------------- */

static struct process *process_of(struct processes *p, const struct rsp_ev_task *task)
{
	struct process *row;
	uint64_t i;

	if (rsp_idmap_get(&p->of, task->tgid, &i))
		return &p->v[i];
	row = rsp_array_add(p);
	if (!row || rsp_idmap_put(&p->of, task->tgid, p->cnt - 1) < 0)
		return NULL;
	row->tgid = task->tgid;
	memcpy(row->comm, task->comm, sizeof(row->comm));
	return row;
}

static __u64 run_ns(const struct rsp_model *m, const struct rsp_thread *t)
{
	__u64 sum = 0;

	for (size_t i = 0; i < t->spans.cnt; i++) {
		__u64 from = t->spans.v[i].from_ns, to = rsp_span_end(t, i);

		if (t->spans.v[i].kind != RSP_SPAN_RUN)
			continue;
		from = from < m->since_ns ? m->since_ns : from;
		to = to > m->until_ns ? m->until_ns : to;
		sum += to > from ? to - from : 0;
	}
	return sum;
}

static int list(const struct rsp_model *m, struct processes *ret)
{
	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_thread *t = &m->threads.v[i];
		const struct rsp_ev_task *task = t->tid ? rsp_thread_task(m, t, m->until_ns) : NULL;
		struct process *p = task ? process_of(ret, task) : NULL;

		if (!task)
			continue;
		if (!p)
			return -ENOMEM;
		if (task->tid == task->tgid)
			memcpy(p->comm, task->comm, sizeof(p->comm));
		p->run_ns += run_ns(m, t);
		p->thread_cnt++;
	}
	return 0;
}

static int compare(const void *pa, const void *pb)
{
	const struct process *a = pa, *b = pb;

	if (a->run_ns != b->run_ns)
		return a->run_ns > b->run_ns ? -1 : 1;
	return a->tgid < b->tgid ? -1 : a->tgid > b->tgid;
}

static void put_row(const struct process *p, FILE *out)
{
	char comm[RSP_TASK_COMM_LEN], time[RSP_FORMAT_MAX];

	memcpy(comm, p->comm, sizeof(comm));
	comm[sizeof(comm) - 1] = '\0';
	rsp_text_clean(comm);
	fprintf(out, "<tr><td class=\"n\">%u<td><a href=\"%u\">", p->tgid, p->tgid);
	rsp_text_put_markup(out, comm);
	fprintf(out, "</a><td class=\"n\">%u<td class=\"n\">%s\n", p->thread_cnt,
		rsp_format_ns(p->run_ns, time, sizeof(time)));
}

static int write_list(const struct rsp_opened *opened, const struct rsp_options *opt, FILE *out,
		      bool *lossy)
{
	_cleanup_(processes_done) struct processes p = {0};
	struct rsp_model *m;
	char title[80];
	int r = rsp_model_new(opened->trace, &m);

	(void)opt;
	(void)lossy;
	if (r < 0)
		return r;
	r = list(m, &p);
	rsp_model_free(m);
	if (r < 0)
		return r;
	if (p.cnt)
		qsort(p.v, p.cnt, sizeof(*p.v), compare);
	snprintf(title, sizeof(title), "Snapshot %.12s", opened->snap->meta.id);
	rsp_serve_put_head(title, out);
	fprintf(out, "<p><a href=\"../\">all snapshots</a> · <a href=\"page\">the process of "
		     "interest</a></p>\n<table><tr><th>PID<th>process<th>threads<th>CPU time\n");
	for (size_t i = 0; i < p.cnt; i++)
		put_row(&p.v[i], out);
	fputs("</table></body></html>\n", out);
	return 0;
}

int rsp_serve_processes(int fd, const char *name, const struct rsp_options *opt)
{
	static const struct rsp_document doc = {write_list, "list", "read"};

	return rsp_document_make(&doc, fd, name, opt, NULL);
}
