/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes each request to a server and each call of a client as a trace of one span. */
#include <stdio.h>

#include "lib/base/cleanup.h"
#include "lib/model/requests.h"
#include "otlp.h"

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

/* Links the span to the control path of the thread that answered or called, if it has one. */
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

static void put_one(struct rsp_otlp *o, const struct rsp_requests *found,
		    const struct rsp_exchange *exchange, size_t i, enum rsp_otlp_kind kind)
{
	const struct rsp_served *s = &exchange->v[i];
	const struct rsp_request_row *row = &exchange->rows.v[s->row];
	const char *comm = rsp_export_text(o->x, row->comm);
	__u32 pid = found->connections.v[s->connection].tgid;
	char name[64], trace_id[40];
	struct json_object *span;

	snprintf(trace_id, sizeof(trace_id), "%.16s%016llx", o->trace_id,
		 (kind == RSP_OTLP_SERVER ? RSP_OTLP_REQUESTS : RSP_OTLP_CALLS) + i);
	snprintf(name, sizeof(name), "%s %s", kind == RSP_OTLP_SERVER ? "request to" : "call of",
		 comm);
	span = rsp_otlp_span(
		o, &(struct rsp_otlp_span){
			   .trace_id = trace_id,
			   .name = name,
			   .id = (kind == RSP_OTLP_SERVER ? RSP_OTLP_REQUESTS : RSP_OTLP_CALLS) + i,
			   .kind = kind,
			   .from_ns = s->arrival_ns ? s->arrival_ns : o->x->model->since_ns,
			   .to_ns = end_of(o, s),
		   });
	add_attributes(o, span, s, row);
	link_path(o, span, s->tid);
	rsp_otlp_put_span(o, comm, pid ? pid : row->tgid, span);
}

static void put_exchange(struct rsp_otlp *o, const struct rsp_requests *found,
			 const struct rsp_exchange *exchange, enum rsp_otlp_kind kind)
{
	for (size_t i = 0; i < exchange->cnt && !o->error; i++) {
		const struct rsp_served *s = &exchange->v[i];
		__u32 pid = found->connections.v[s->connection].tgid;

		if (s->row == RSP_NO_ROW ||
		    !rsp_requests_lists(o->x->model->trace, &exchange->rows.v[s->row]))
			continue;
		if (o->x->only_target && pid != o->x->snap->meta.target_pid)
			continue;
		put_one(o, found, exchange, i, kind);
	}
}

void rsp_otlp_put_requests(struct rsp_otlp *o)
{
	_cleanup_(rsp_requests_done) struct rsp_requests found = {0};
	int r = rsp_model_requests(o->x->model, &found);

	if (r < 0) {
		o->error = r;
		return;
	}
	put_exchange(o, &found, &found.served, RSP_OTLP_SERVER);
	put_exchange(o, &found, &found.calls, RSP_OTLP_CLIENT);
}
