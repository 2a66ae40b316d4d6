/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds and explains pending requests: requests that still have no answer, and have waited for
 * longer than any answered request of the same server took.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings.h"
#include "lib/report/requests-view.h"

/* Minimum wait of a request that is reported as pending. */
#define PENDING_NS_MIN 100000000

/*
 * Returns false if the client has sent more data meanwhile, because its protocol may not answer
 * each message. Returns false for a unix socket if the kernel does not show when such sockets are
 * closed.
 */
static bool is_waiting(const struct rsp_requests_view *v, const struct rsp_served *s)
{
	const struct rsp_request_row *row = &v->found.served.rows.v[s->row];
	__u64 max_ns = rsp_requests_quantile_ns(&v->found.served, row, 1000000);

	if (row->path && !v->found.has_closes)
		return false;
	return s->flags & RSP_SERVED_IN_FLIGHT &&
	       !(s->flags & (RSP_SERVED_MORE | RSP_SERVED_EARLY)) && v->shows_server[s->row] &&
	       row->cnt && v->found.until_ns - s->arrival_ns >= PENDING_NS_MIN &&
	       v->found.until_ns - s->arrival_ns > max_ns;
}

void rsp_pending_find(struct rsp_requests_view *v)
{
	const struct rsp_exchange *served = &v->found.served;
	struct rsp_pending *p = &v->pending;

	for (size_t i = 0; i < served->cnt; i++) {
		const struct rsp_served *s = &served->v[i];

		if (is_waiting(v, s) && (!p->oldest || s->arrival_ns < p->oldest->arrival_ns))
			p->oldest = s;
	}
	for (size_t i = 0; p->oldest && i < served->cnt; i++)
		p->cnt += served->v[i].row == p->oldest->row && is_waiting(v, &served->v[i]);
}

/*
 * Returns the thread that served the connection earlier. If this thread is unknown, returns the
 * thread that answered all requests of the row, or 0 if there are several such threads.
 */
static __u32 thread_of(const struct rsp_requests_view *v, const struct rsp_served *s)
{
	const struct rsp_exchange *served = &v->found.served;
	const struct rsp_request_row *row = &served->rows.v[s->row];
	__u32 tid = v->found.connections.v[s->connection].tid;

	if (tid)
		return tid;
	tid = served->v[row->order[0]].tid;
	for (size_t i = 1; i < row->cnt; i++)
		if (served->v[row->order[i]].tid != tid)
			return 0;
	return tid;
}

/*
 * Returns false if the thread or its life since then is unknown, or if it has sent data since the
 * request arrived: its later work may be for another request.
 */
static bool part_of(const struct rsp_requests_view *v, const struct rsp_model *m,
		    const struct rsp_loops *loops, struct rsp_served_part *ret)
{
	const struct rsp_served *s = v->pending.oldest;
	__u32 tid = thread_of(v, s);
	size_t send = rsp_loops_send_after(loops, tid, s->arrival_ns);
	const struct rsp_thread *t;
	uint64_t thread;

	if (!tid || !rsp_idmap_get(&m->thread_of, tid, &thread) ||
	    (send < loops->sends.cnt && loops->sends.v[send].tid == tid))
		return false;
	t = &m->threads.v[thread];
	if (!t->spans.cnt || s->arrival_ns < t->spans.v[0].from_ns || t->end_ns < v->found.until_ns)
		return false;
	*ret = (struct rsp_served_part){
		.thread = (__u32)thread,
		.request = (__u32)(s - v->found.served.v),
		.from_ns = s->arrival_ns,
		.to_ns = v->found.until_ns,
	};
	return true;
}

int rsp_pending_explain(struct rsp_requests_view *v, const struct rsp_model *m,
			const struct rsp_loops *loops)
{
	_cleanup_(rsp_findings_done) struct rsp_findings findings = {0};
	struct rsp_served_parts scope;
	struct rsp_served_part part;
	struct rsp_explanation *e;
	int r;

	if (!v->pending.oldest || !part_of(v, m, loops, &part))
		return 0;
	rsp_served_parts_init(&scope, m, loops, &part, 1);
	r = rsp_explain_parts(&scope, &e);
	if (r == 0) {
		r = rsp_findings_make(e, &findings);
		if (r == 0 && findings.cnt) {
			v->pending.sentence = strdup(findings.v[0].text);
			r = v->pending.sentence ? 0 : -ENOMEM;
		}
		rsp_explanation_free(e);
	}
	rsp_served_parts_done(&scope);
	return r;
}
