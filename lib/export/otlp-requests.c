/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes each request to a server and each call of a client as a span. The span of a request is a
 * child of the call that caused it, if the file contains this call. Other spans begin a trace.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/export/otlp.h"
#include "lib/model/requests/requests.h"

static const char *state_of(const struct rsp_served *s)
{
	if (s->first_ns)
		return "answered";
	return s->flags & RSP_SERVED_CLOSED ? "closed without an answer" : "pending";
}

static __u64 end_of(const struct rsp_otlp *o, const struct rsp_served *s)
{
	if (s->first_ns)
		return s->first_ns;
	return s->until_ns ? s->until_ns : o->x->model->until_ns;
}

static void add_attributes(struct rsp_otlp *o, struct json_object *span, const struct rsp_served *s,
			   const struct rsp_request_row *row)
{
	struct json_object *attributes = json_object_new_array();

	if (s->tid)
		rsp_otlp_number(o, attributes, "thread.id", s->tid);
	if (row->port)
		rsp_otlp_number(o, attributes, "server.port", row->port);
	rsp_otlp_text(o, attributes, "network.transport", row->port ? "tcp" : "unix");
	rsp_otlp_text(o, attributes, "rsp.state", state_of(s));
	if (s->first_ns && s->last_ns >= s->arrival_ns)
		rsp_otlp_number(o, attributes, "rsp.until_last_byte_ns",
				s->last_ns - s->arrival_ns);
	if (!s->arrival_ns || s->flags & RSP_SERVED_EARLY)
		rsp_otlp_flag(o, attributes, "rsp.began_before");
	if (s->flags & RSP_SERVED_MORE)
		rsp_otlp_flag(o, attributes, "rsp.more_data_came");
	rsp_otlp_add(o, span, "attributes", attributes);
}

/* The thread answered the request or made the call. */
static void link_path(struct rsp_otlp *o, struct json_object *span, __u32 tid)
{
	const struct rsp_explanation *e = o->x->explanation;

	for (size_t i = 0; e && i < e->paths.cnt; i++) {
		if (e->paths.v[i].tid != tid)
			continue;
		rsp_otlp_link(o, span, RSP_OTLP_PATHS + i);
		return;
	}
}

/* The requests and calls in the snapshot. callers: for each request the call that caused it. */
struct found {
	struct rsp_requests requests;
	__u32 *callers;
};

static void found_done(struct found *f)
{
	rsp_requests_done(&f->requests);
	free(f->callers);
}

static __u32 pid_of(const struct found *f, const struct rsp_served *s)
{
	return f->requests.connections.v[s->connection].tgid;
}

static bool is_written(const struct rsp_otlp *o, const struct found *f,
		       const struct rsp_exchange *exchange, const struct rsp_served *s)
{
	if (s->row == RSP_NO_ROW ||
	    !rsp_requests_lists(o->x->model->trace, &exchange->rows.v[s->row]))
		return false;
	return !o->x->only_target || pid_of(f, s) == o->x->snap->meta.target_pid;
}

/* Returns the id of the call's span; 0: no parent. */
static __u64 parent_of(const struct rsp_otlp *o, const struct found *f, size_t request)
{
	const struct rsp_exchange *calls = &f->requests.calls;
	__u32 caller = f->callers[request];

	if (caller == RSP_NO_ROW || !is_written(o, f, calls, &calls->v[caller]))
		return 0;
	return RSP_OTLP_CALLS + caller;
}

static void put_one(struct rsp_otlp *o, const struct found *f, const struct rsp_exchange *exchange,
		    size_t i, enum rsp_otlp_kind kind)
{
	const struct rsp_served *s = &exchange->v[i];
	const struct rsp_request_row *row = &exchange->rows.v[s->row];
	bool is_request = kind == RSP_OTLP_SERVER;
	__u64 id = (is_request ? RSP_OTLP_REQUESTS : RSP_OTLP_CALLS) + i;
	__u64 parent = is_request ? parent_of(o, f, i) : 0;
	const char *comm = rsp_export_text(o->x, row->comm);
	__u32 pid = pid_of(f, s);
	char name[64], trace_id[40];
	struct json_object *span;

	snprintf(trace_id, sizeof(trace_id), "%.16s%016llx", o->trace_id, parent ? parent : id);
	snprintf(name, sizeof(name), "%s %s", is_request ? "request to" : "call of", comm);
	span = rsp_otlp_span(
		o, &(struct rsp_otlp_span){
			   .trace_id = trace_id,
			   .name = name,
			   .id = id,
			   .parent = parent,
			   .kind = kind,
			   .from_ns = s->arrival_ns ? s->arrival_ns : o->x->model->since_ns,
			   .to_ns = end_of(o, s),
		   });
	add_attributes(o, span, s, row);
	link_path(o, span, s->tid);
	rsp_otlp_put_span(o, comm, pid ? pid : row->tgid, span);
}

static void put_exchange(struct rsp_otlp *o, const struct found *f,
			 const struct rsp_exchange *exchange, enum rsp_otlp_kind kind)
{
	for (size_t i = 0; i < exchange->cnt && !o->error; i++)
		if (is_written(o, f, exchange, &exchange->v[i]))
			put_one(o, f, exchange, i, kind);
}

void rsp_otlp_put_requests(struct rsp_otlp *o)
{
	_cleanup_(found_done) struct found found = {0};
	int r = rsp_model_requests(o->x->model, &found.requests);

	if (r == 0)
		r = rsp_requests_callers(&found.requests, &found.callers);
	if (r < 0) {
		o->error = r;
		return;
	}
	put_exchange(o, &found, &found.requests.served, RSP_OTLP_SERVER);
	put_exchange(o, &found, &found.requests.calls, RSP_OTLP_CLIENT);
}
