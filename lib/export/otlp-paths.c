/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the process of interest, its control paths and their hops as spans of one trace. */
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/export/otlp.h"
#include "lib/report/report-frames.h"

static void put_root(struct rsp_otlp *o)
{
	const struct rsp_explanation *e = o->x->explanation;
	struct json_object *attributes = json_object_new_array(), *span;
	const char *comm = rsp_export_text(o->x, e->comm);

	span = rsp_otlp_span(o, &(struct rsp_otlp_span){
					.trace_id = o->trace_id,
					.name = comm,
					.id = RSP_OTLP_ROOT,
					.kind = RSP_OTLP_INTERNAL,
					.from_ns = o->x->model->since_ns,
					.to_ns = o->x->model->until_ns,
				});
	rsp_otlp_totals(o, attributes);
	rsp_otlp_text(o, attributes, "rsp.headline", o->x->headline);
	rsp_otlp_add(o, span, "attributes", attributes);
	rsp_otlp_put_span(o, comm, e->meta->target_pid, span);
}

static void put_path(struct rsp_otlp *o, size_t i)
{
	const struct rsp_control_path *path = &o->x->explanation->paths.v[i];
	struct json_object *attributes = json_object_new_array(), *span;
	char name[96];

	snprintf(name, sizeof(name), "control path of %s [%u/%u]", path->comm,
		 rsp_host_tid(path->tgid), rsp_host_tid(path->tid));
	span = rsp_otlp_span(o, &(struct rsp_otlp_span){
					.trace_id = o->trace_id,
					.name = name,
					.id = RSP_OTLP_PATHS + i,
					.parent = RSP_OTLP_ROOT,
					.kind = RSP_OTLP_INTERNAL,
					.from_ns = path->from_ns,
					.to_ns = path->to_ns,
				});
	rsp_otlp_number(o, attributes, "thread.id", path->tid);
	rsp_otlp_text(o, attributes, "thread.name", path->comm);
	rsp_otlp_number(o, attributes, "rsp.ns", path->ns);
	rsp_otlp_number(o, attributes, "rsp.awaited_ns", path->awaited_ns);
	rsp_otlp_add(o, span, "attributes", attributes);
	rsp_otlp_put_span(o, path->comm, path->tgid, span);
}

/* The span ids of the open hops, outermost first. cnt: number of ids that were used until now. */
struct hops {
	struct rsp_otlp *o;
	struct {
		__u64 *v;
		size_t cnt, cap;
	} open;
	__u64 cnt;
};

static int open_hop(void *userdata, const struct rsp_export_slice *slice)
{
	struct hops *h = userdata;
	__u64 *id = rsp_array_add(&h->open);

	(void)slice;
	if (!id)
		return -ENOMEM;
	*id = RSP_OTLP_HOPS + h->cnt++;
	return 0;
}

static void add_attributes(struct rsp_otlp *o, struct json_object *span, const struct rsp_hop *hop)
{
	struct json_object *attributes = json_object_new_array();
	const struct rsp_frame *at;

	rsp_otlp_number(o, attributes, "thread.id", hop->tid);
	rsp_otlp_text(o, attributes, "thread.name", hop->comm);
	rsp_otlp_text(o, attributes, "rsp.on", hop->object);
	rsp_otlp_text(o, attributes, "rsp.behind", hop->behind);
	rsp_otlp_text(o, attributes, "rsp.syscall", hop->syscall);
	rsp_otlp_text(o, attributes, "rsp.why", rsp_why_text(hop->why));
	if (hop->kind == RSP_HOP_LEAF)
		rsp_otlp_text(o, attributes, "rsp.category", rsp_category_key(hop->category));
	if (rsp_frames_select(hop, &at, 1))
		rsp_otlp_text(o, attributes, "code.function.name", rsp_frame_text(at));
	if (hop->flags & (RSP_HOP_INFERRED | RSP_HOP_ESTIMATED | RSP_HOP_POLLS))
		rsp_otlp_flag(o, attributes, "rsp.inferred");
	rsp_otlp_add(o, span, "attributes", attributes);
}

static int close_hop(void *userdata, const struct rsp_export_slice *slice)
{
	struct hops *h = userdata;
	struct rsp_export *x = h->o->x;
	__u64 id = h->open.v[--h->open.cnt];
	size_t awaited = rsp_export_awaited_path(x, slice->hop);
	struct json_object *span;

	span = rsp_otlp_span(
		h->o, &(struct rsp_otlp_span){
			      .trace_id = h->o->trace_id,
			      .name = rsp_names_text(x->names, rsp_export_hop_title(x, slice->hop)),
			      .id = id,
			      .parent = h->open.cnt ? h->open.v[h->open.cnt - 1]
						    : RSP_OTLP_PATHS + slice->path,
			      .kind = RSP_OTLP_INTERNAL,
			      .from_ns = slice->from_ns,
			      .to_ns = slice->to_ns,
		      });
	add_attributes(h->o, span, slice->hop);
	if (awaited != SIZE_MAX)
		rsp_otlp_link(h->o, span, RSP_OTLP_PATHS + awaited);
	rsp_otlp_put_span(h->o, slice->hop->comm, slice->hop->tgid, span);
	return h->o->error;
}

void rsp_otlp_put_paths(struct rsp_otlp *o)
{
	struct hops h = {.o = o};
	const struct rsp_export_visitor visitor = {open_hop, close_hop, &h};
	int r;

	if (!o->x->explanation)
		return;
	put_root(o);
	for (size_t i = 0; i < o->x->explanation->paths.cnt && !o->error; i++)
		put_path(o, i);
	r = rsp_export_walk_paths(o->x, &visitor);
	if (r < 0)
		o->error = r;
	free(h.open.v);
}
