/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See service.h. */
#include "lib/model/waits/service.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/sort.h"
#include "lib/model/ends.h"

bool rsp_service_is_served(const struct rsp_ev_socket *sock)
{
	if (sock->protocol == IPPROTO_TCP && !sock->remote_port)
		return true;
	return sock->hdr.flags & RSP_SOCKET_ACCEPTED;
}

/* --- connections of the process --------------------------------------------------------------- */

struct search {
	const struct rsp_model *m;
	const struct rsp_requests *found;
	__u32 tgid;
	struct rsp_idmap woken_by; /* sockets (sk) that woke threads of the process */
	struct rsp_idmap ports;	   /* ports of the listening sockets among woken_by */
	/* [row of served]: whether the process answered on a connection of the row */
	bool *own_row;
	struct rsp_service *service;
};

static void search_done(struct search *s)
{
	rsp_idmap_done(&s->woken_by);
	rsp_idmap_done(&s->ports);
	free(s->own_row);
}

static int look_at_wait(struct search *s, const struct rsp_span *span)
{
	const struct rsp_ev_socket *sock = NULL;

	if (span->kind != RSP_SPAN_BLOCKED)
		return 0;
	if (span->out && span->out->object)
		sock = rsp_trace_socket(s->m->trace, span->out->object);
	s->service->serves |= sock && rsp_service_is_served(sock);
	if (span->cause != RSP_CAUSE_NET)
		return 0;
	sock = s->m->ops.arrivals.v[span->cause_id].sock;
	if (!sock)
		return 0;
	if (sock->protocol == IPPROTO_TCP && !sock->remote_port &&
	    rsp_idmap_put(&s->ports, sock->local_port, 1) < 0)
		return -ENOMEM;
	return rsp_idmap_put(&s->woken_by, sock->sk, 1);
}

static int look_at_waits(struct search *s, const struct rsp_roots *roots)
{
	for (size_t i = 0; i < roots->cnt; i++) {
		const struct rsp_thread *t = &s->m->threads.v[roots->v[i].thread];

		for (size_t k = 0; k < t->spans.cnt; k++)
			if (look_at_wait(s, &t->spans.v[k]) < 0)
				return -ENOMEM;
	}
	return 0;
}

static bool is_of(const struct search *s, const struct rsp_served *served, bool is_call)
{
	const struct rsp_connection *c = &s->found->connections.v[served->connection];

	if (c->tgid)
		return c->tgid == s->tgid;
	if (is_call)
		return false;
	/* no answer was sent on the connection, so its row, socket and port decide */
	if (served->row != RSP_NO_ROW && s->own_row[served->row])
		return true;
	return c->sock && (rsp_idmap_get(&s->woken_by, c->sock->sk, &(uint64_t){0}) ||
			   rsp_idmap_get(&s->ports, c->sock->local_port, &(uint64_t){0}));
}

static void find_rows(struct search *s)
{
	for (size_t i = 0; i < s->found->connections.cnt; i++) {
		const struct rsp_connection *c = &s->found->connections.v[i];

		if (c->tgid == s->tgid && c->end == RSP_END_ACCEPTED && c->row != RSP_NO_ROW)
			s->own_row[c->row] = true;
	}
}

/* --- pending requests and calls --------------------------------------------------------------- */

static int add(struct rsp_busy_spans *p, __u64 from_ns, __u64 to_ns,
	       const struct rsp_ev_socket *call)
{
	struct rsp_busy_span *pending = from_ns < to_ns ? rsp_array_add(p) : NULL;

	if (!pending)
		return from_ns < to_ns ? -ENOMEM : 0;
	*pending = (struct rsp_busy_span){from_ns, to_ns, {call}, 0};
	return 0;
}

static int add_exchange(struct search *s, const struct rsp_served *served, bool is_call)
{
	const struct rsp_ev_socket *sock = s->found->connections.v[served->connection].sock;
	__u64 from_ns = served->arrival_ns ? served->arrival_ns : s->m->since_ns;
	__u64 to_ns = served->flags & RSP_SERVED_IN_FLIGHT ? UINT64_MAX : served->until_ns;
	struct rsp_busy_spans *each = is_call ? &s->service->calls : &s->service->answered;
	int r = add(&s->service->any, from_ns, to_ns, NULL);

	if (r == 0 && (is_call || served->first_ns))
		r = add(each, from_ns, to_ns, is_call ? sock : NULL);
	return r;
}

static int compare_pendings(const void *pa, const void *pb)
{
	const struct rsp_busy_span *a = pa, *b = pb;

	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return a->to_ns < b->to_ns ? -1 : a->to_ns > b->to_ns;
}

static int sort_pendings(struct rsp_busy_spans *p)
{
	return rsp_sort(p->v, p->cnt, sizeof(*p->v), compare_pendings);
}

static void merge(struct rsp_busy_spans *p)
{
	size_t cnt = 0;

	for (size_t i = 0; i < p->cnt; i++) {
		struct rsp_busy_span *last = cnt ? &p->v[cnt - 1] : NULL;

		if (!last || p->v[i].from_ns > last->to_ns)
			p->v[cnt++] = p->v[i];
		else if (last->to_ns < p->v[i].to_ns)
			last->to_ns = p->v[i].to_ns;
	}
	p->cnt = cnt;
}

static void link_longer(struct rsp_busy_spans *p)
{
	for (size_t i = 0; i < p->cnt; i++) {
		size_t n = i;

		while (n > 0 && p->v[n - 1].to_ns <= p->v[i].to_ns)
			n = p->v[n - 1].longer;
		p->v[i].longer = n;
	}
}

/*
 * Maximum number of steps of a search for a pending interval. The search only misses intervals that
 * are nested more deeply than STEPS_MAX.
 */
#define STEPS_MAX 64

static size_t begun_by(const struct rsp_busy_spans *p, __u64 ts_ns)
{
	size_t lo = 0, hi = p->cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->v[mid].from_ns <= ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct rsp_busy_span *rsp_busy_at(const struct rsp_busy_spans *p, __u64 ts_ns,
					__u64 *ret_until_ns)
{
	size_t cnt = begun_by(p, ts_ns);

	*ret_until_ns = cnt < p->cnt ? p->v[cnt].from_ns : UINT64_MAX;
	for (size_t n = cnt, step = 0; n > 0 && step < STEPS_MAX; n = p->v[n - 1].longer, step++) {
		if (p->v[n - 1].to_ns <= ts_ns)
			continue;
		*ret_until_ns = p->v[n - 1].to_ns;
		return &p->v[n - 1];
	}
	return NULL;
}

/* cnt: the number of intervals that begin at ts_ns or before. */
static __u64 busy_before(const struct rsp_busy_spans *p, size_t cnt, __u64 ts_ns)
{
	const struct rsp_busy_span *last = cnt ? &p->v[cnt - 1] : NULL;

	if (!last)
		return 0;
	return last->before_ns + (last->to_ns < ts_ns ? last->to_ns : ts_ns) - last->from_ns;
}

__u64 rsp_busy_within(const struct rsp_busy_spans *p, __u64 from_ns, __u64 to_ns, size_t *ret_cnt)
{
	size_t first = begun_by(p, from_ns), last = begun_by(p, to_ns);

	*ret_cnt = last - first + 1;
	return busy_before(p, last, to_ns) - busy_before(p, first, from_ns);
}

/* --- figures ---------------------------------------------------------------------------------- */

static int compare_ns(const void *pa, const void *pb)
{
	const __u64 *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

/* Returns the value of rank ceil(ppm * cnt / 1000000), like rsp_requests_quantile_ns(). */
static __u64 quantile(const __u64 *v, size_t cnt, __u32 ppm)
{
	size_t rank = (cnt * (size_t)ppm + 999999) / 1000000;

	return cnt ? v[rank ? rank - 1 : 0] : 0;
}

static void count_pending(const struct search *s, const struct rsp_served *served)
{
	struct rsp_requests_sum *sum = &s->service->sum;
	__u64 from_ns = served->arrival_ns ? served->arrival_ns : s->m->since_ns;
	__u64 ns = s->m->until_ns > from_ns ? s->m->until_ns - from_ns : 0;

	sum->pending_cnt++;
	if (sum->pending_ns < ns)
		sum->pending_ns = ns;
}

static int sum_up(struct search *s)
{
	const struct rsp_exchange *x = &s->found->served;
	_cleanup_free_ __u64 *took_ns = calloc(x->cnt + 1, sizeof(*took_ns));
	struct rsp_requests_sum *sum = &s->service->sum;

	if (!took_ns)
		return -ENOMEM;
	for (size_t i = 0; i < x->cnt; i++) {
		if (!is_of(s, &x->v[i], false))
			continue;
		if (x->v[i].flags & RSP_SERVED_IN_FLIGHT && !(x->v[i].flags & RSP_SERVED_MORE))
			count_pending(s, &x->v[i]);
		if (x->v[i].first_ns && !(x->v[i].flags & RSP_SERVED_EARLY))
			took_ns[sum->cnt++] = rsp_served_ns(&x->v[i]);
	}
	qsort(took_ns, sum->cnt, sizeof(*took_ns), compare_ns);
	sum->p50_ns = quantile(took_ns, sum->cnt, 500000);
	sum->p99_ns = quantile(took_ns, sum->cnt, 990000);
	sum->max_ns = quantile(took_ns, sum->cnt, 1000000);
	return 0;
}

static void measure_busy(struct search *s)
{
	struct rsp_busy_spans *any = &s->service->any;
	__u64 ns = 0;

	merge(any);
	for (size_t i = 0; i < any->cnt; i++) {
		any->v[i].before_ns = ns;
		ns += any->v[i].to_ns - any->v[i].from_ns;
	}
	s->service->sum.busy_ns = rsp_busy_within(any, s->m->since_ns, s->m->until_ns,
						  &(size_t){0});
}

/* --- all together ----------------------------------------------------------------------------- */

static int add_all(struct search *s, const struct rsp_exchange *x, bool is_call)
{
	for (size_t i = 0; i < x->cnt; i++) {
		if (!is_of(s, &x->v[i], is_call))
			continue;
		s->service->serves |= !is_call;
		if (add_exchange(s, &x->v[i], is_call) < 0)
			return -ENOMEM;
	}
	return 0;
}

static bool sends(const struct rsp_model *m, const struct rsp_roots *roots)
{
	for (size_t i = 0; i < roots->cnt; i++)
		if (rsp_idmap_get(&m->ends->senders, m->threads.v[roots->v[i].thread].tid,
				  &(uint64_t){0}))
			return true;
	return false;
}

static bool uses_network(const struct search *s, const struct rsp_roots *roots)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap tids = {0};
	const struct rsp_trace *trace = s->m->trace;

	if (s->woken_by.cnt)
		return true;
	if (s->m->ends)
		return sends(s->m, roots);
	for (size_t i = 0; i < roots->cnt; i++)
		if (rsp_idmap_put(&tids, s->m->threads.v[roots->v[i].thread].tid, 1) < 0)
			return true;
	for (size_t i = 0; i < trace->event_cnt; i++) {
		const struct rsp_ev_net *ev = (const void *)trace->events[i];

		if (ev->hdr.kind == RSP_EV_NET &&
		    ev->hdr.flags & (RSP_NET_SEND | RSP_NET_CONNECT) &&
		    rsp_idmap_get(&tids, ev->tid, &(uint64_t){0}))
			return true;
	}
	return false;
}

static int find(struct search *s)
{
	int r = 0;

	s->own_row = calloc(s->found->served.rows.cnt + 1, sizeof(*s->own_row));
	if (!s->own_row)
		return -ENOMEM;
	find_rows(s);
	r = add_all(s, &s->found->served, false);
	if (r == 0)
		r = add_all(s, &s->found->calls, true);
	if (r == 0)
		r = sort_pendings(&s->service->any);
	if (r == 0)
		r = sort_pendings(&s->service->calls);
	if (r == 0)
		r = sort_pendings(&s->service->answered);
	if (r == 0)
		r = sum_up(s);
	if (r == 0)
		measure_busy(s);
	link_longer(&s->service->any);
	link_longer(&s->service->calls);
	link_longer(&s->service->answered);
	return r;
}

int rsp_service_find(const struct rsp_model *m, const struct rsp_roots *roots,
		     struct rsp_service *ret)
{
	_cleanup_(rsp_requests_done) struct rsp_requests found = {0};
	_cleanup_(rsp_service_done) struct rsp_service service = {0};
	_cleanup_(search_done) struct search s = {
		.m = m,
		.found = m->requests ? m->requests : &found,
		.tgid = rsp_thread_tgid(m, roots->main_thread),
		.service = &service,
	};
	bool has_some = false;
	int r = 0;

	if (!m->request_tid)
		r = look_at_waits(&s, roots);
	if (r == 0 && !m->request_tid)
		has_some = uses_network(&s, roots);
	if (r == 0 && has_some && !m->requests)
		r = rsp_model_requests(m, &found);
	if (r == 0 && has_some)
		r = find(&s);
	if (r < 0)
		return r;
	*ret = service;
	service = (struct rsp_service){0};
	return 0;
}

void rsp_service_done(struct rsp_service *s)
{
	free(s->any.v);
	free(s->calls.v);
	free(s->answered.v);
	*s = (struct rsp_service){0};
}
