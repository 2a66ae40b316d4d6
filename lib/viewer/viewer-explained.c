/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the explanation of a process: pieces of its control paths, chains of hops, and JSON for
 * the rest.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/base/json.h"
#include "lib/report/report.h"
#include "lib/viewer/viewer-parts.h"

struct item {
	const struct rsp_viewer *v;
	const void *of;
};

/* --- chains ----------------------------------------------------------------------------------- */

/* See docs/viewer-format.md. */
enum hop_flags {
	HOP_INFERRED = 1 << 0,
	HOP_AT_LEAST = 1 << 1,
	HOP_KTHREAD = 1 << 2,
	HOP_THROTTLED = 1 << 3,
	HOP_SHORTENED = 1 << 4,
};

static __u32 flags_of(const struct rsp_hop *hop)
{
	return (hop->flags & RSP_HOP_INFERRED ? HOP_INFERRED : 0) |
	       (hop->flags & RSP_HOP_AT_LEAST ? HOP_AT_LEAST : 0) |
	       (hop->flags & RSP_HOP_KTHREAD ? HOP_KTHREAD : 0) |
	       (hop->flags & RSP_HOP_THROTTLED ? HOP_THROTTLED : 0) |
	       (hop->flags & RSP_HOP_SHORTENED ? HOP_SHORTENED : 0);
}

static __u32 put_chain(struct rsp_viewer *v, const struct rsp_chain *chain)
{
	__u32 node = 0;

	for (size_t i = 0; i < chain->hop_cnt; i++) {
		const struct rsp_hop *hop = &chain->hops[i];

		node = rsp_viewer_hop(
			v, &(struct rsp_viewer_hop){
				   .parent = node,
				   .name = rsp_viewer_string(v, hop->comm),
				   .stack = rsp_viewer_frames(v, hop->frames, hop->frame_cnt),
				   .what = hop->kind == RSP_HOP_LEAF ? hop->category + 1U : 0,
				   .syscall = rsp_viewer_string(v, hop->syscall),
				   .object = rsp_viewer_string(v, hop->object),
				   .behind = rsp_viewer_string(
					   v, *hop->behind ? hop->behind : rsp_why_text(hop->why)),
				   .flags = flags_of(hop),
			   });
	}
	return node;
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* nodes: for each chain, the node that an earlier call found, or 0. */
static __u32 node_of(struct rsp_viewer *v, const struct rsp_path_profile *p, __u32 *nodes,
		     __u32 chain)
{
	if (!nodes[chain])
		nodes[chain] = put_chain(v, &p->chains[chain]);
	return nodes[chain];
}

/* Sets ret_cnts[i] to the number of pieces of path i. */
static int put_pieces(struct rsp_viewer *v, const struct rsp_path_profile *p, __u64 *ret_cnts)
{
	_cleanup_free_ __u32 *nodes = calloc(p->chain_cnt + 1, sizeof(*nodes));
	__s64 last = 0;

	if (!nodes)
		return -ENOMEM;
	for (size_t i = 0; i < p->stack_cnt; i++) {
		const struct rsp_pseudo_stack *s = &p->stacks[i];
		__s64 from = rsp_viewer_time(v, s->from_ns), to = rsp_viewer_time(v, s->to_ns);

		if (i == 0 || s->path != p->stacks[i - 1].path)
			last = 0;
		rsp_columns_put(&v->columns, RSP_COL_PIECE_GAP, from - last);
		rsp_columns_put(&v->columns, RSP_COL_PIECE_NS, to - from);
		rsp_columns_put(&v->columns, RSP_COL_PIECE_HOP, node_of(v, p, nodes, s->chain));
		last = to;
		ret_cnts[s->path]++;
	}
	v->piece_cnt += p->stack_cnt;
	return 0;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static struct json_object *categories(const __u64 *cat_ns)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();

	for (size_t cat = 0; array && cat < RSP_CAT_MAX; cat++)
		if (rsp_json_append(array, json_object_new_uint64(cat_ns[cat])) < 0)
			return NULL;
	return rsp_take_ptr(array);
}

static int fill_evidence(struct json_object *o, const void *from)
{
	const struct item *item = from;
	const struct rsp_evidence *e = item->of;
	__u32 thread = rsp_viewer_thread_at(item->v, e->hop->tid, e->at_ns);
	int r = rsp_json_add_number(o, "at", (__u64)rsp_viewer_time(item->v, e->at_ns));

	r |= rsp_json_add_number(o, "ns", e->ns);
	r |= rsp_json_add_number(o, "tid", e->hop->tid);
	r |= rsp_json_add(o, "thread",
			  json_object_new_int64(thread == UINT32_MAX ? -1 : (__s64)thread));
	r |= rsp_json_add_string(o, "text", e->text);
	return r;
}

static int fill_finding(struct json_object *o, const void *from)
{
	const struct item *item = from;
	const struct rsp_finding *f = item->of;
	struct json_object *evidence = json_object_new_array();
	int r = rsp_json_add_string(o, "kind", f->kind);

	r |= rsp_json_add_number(o, "ns", f->ns);
	r |= rsp_json_add_bool(o, "inferred", f->inferred);
	r |= rsp_json_add_string(o, "text", f->text);
	for (size_t i = 0; evidence && i < f->evidence_cnt; i++) {
		struct item one = {item->v, &f->evidence[i]};

		r |= rsp_json_append(evidence, rsp_json_object_of(fill_evidence, &one));
	}
	r |= rsp_json_add(o, "evidence", evidence);
	return r;
}

static struct json_object *findings_of(const struct rsp_viewer *v,
				       const struct rsp_findings *findings)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < findings->cnt; i++) {
		struct item one = {v, &findings->v[i]};

		if (rsp_json_append(array, rsp_json_object_of(fill_finding, &one)) < 0)
			return NULL;
	}
	return rsp_take_ptr(array);
}

/* Only the explanation of the process of interest is complete. */
static int fill_report(struct json_object *o, const struct rsp_viewer *v,
		       const struct rsp_explanation *e)
{
	_cleanup_(rsp_findings_done) struct rsp_findings findings = {0};
	_cleanup_free_ char *headline = NULL;
	int r = rsp_findings_make(e, &findings);

	if (r == 0)
		r = rsp_headline_make(e, &findings, &headline);
	if (r < 0)
		return r;
	r |= rsp_json_add_string(o, "headline", headline);
	r |= rsp_json_add(o, "findings", findings_of(v, &findings));
	r |= rsp_json_add_number(o, "total_ns", e->total_ns);
	r |= rsp_json_add(o, "categories", categories(e->cat_ns));
	return r;
}

static int fill_path(struct json_object *o, const struct rsp_viewer *v,
		     const struct rsp_control_path *path, __u64 piece_cnt)
{
	int r = rsp_json_add_number(o, "thread", v->thread_of[path->thread]);

	r |= rsp_json_add_bool(o, "root", path->is_root);
	r |= rsp_json_add_number(o, "ns", path->ns);
	r |= rsp_json_add_number(o, "from", (__u64)rsp_viewer_time(v, path->from_ns));
	r |= rsp_json_add_number(o, "to", (__u64)rsp_viewer_time(v, path->to_ns));
	r |= rsp_json_add_number(o, "stretches", path->stretch_cnt);
	r |= rsp_json_add_number(o, "awaited", path->awaited_ns);
	r |= rsp_json_add_number(o, "pieces", piece_cnt);
	return r;
}

static struct json_object *list_paths(struct rsp_viewer *v, const struct rsp_path_profile *p)
{
	_cleanup_free_ __u64 *cnts = calloc(p->cnt + 1, sizeof(*cnts));
	_cleanup_json_ struct json_object *array = json_object_new_array();

	if (!cnts || !array || put_pieces(v, p, cnts) < 0)
		return NULL;
	for (size_t i = 0; i < p->cnt; i++) {
		struct json_object *o = json_object_new_object();

		if (rsp_json_append(array, o) < 0 || fill_path(o, v, &p->v[i], cnts[i]) < 0)
			return NULL;
	}
	return rsp_take_ptr(array);
}

static int fill_handoff(struct json_object *o, const void *from)
{
	const struct rsp_handoff *handoff = from;
	int r = rsp_json_add_string(o, "comm", handoff->comm);

	r |= rsp_json_add_number(o, "tid", handoff->tid);
	r |= rsp_json_add_number(o, "count", handoff->count);
	r |= rsp_json_add_number(o, "ns", handoff->ns);
	return r;
}

static int fill_paths(struct json_object *o, struct rsp_viewer *v, const struct rsp_path_profile *p)
{
	int r = rsp_json_add_number(o, "total_ns", p->total_ns);

	r |= rsp_json_add_number(o, "threads", p->thread_cnt);
	r |= rsp_json_add(o, "categories", categories(p->cat_ns));
	r |= rsp_json_add(o, "list", list_paths(v, p));
	r |= rsp_json_add(o, "handed_off",
			  RSP_JSON_ARRAY_OF(fill_handoff, p->handoffs, p->handoff_cnt));
	return r;
}

struct json_object *rsp_viewer_put_explained(struct rsp_viewer *v, const struct rsp_explanation *e)
{
	_cleanup_json_ struct json_object *o = json_object_new_object();
	struct json_object *paths = json_object_new_object();

	if (!o || rsp_json_add(o, "paths", paths) < 0 || fill_paths(paths, v, &e->paths) < 0 ||
	    rsp_json_add_number(o, "process", v->process_of[e->main_thread]) < 0 ||
	    rsp_json_add_number(o, "tid", e->meta->target_tid) < 0)
		return NULL;
	/* An explanation without wall_ns contains only paths. */
	if (e->wall_ns && fill_report(o, v, e) < 0)
		return NULL;
	return rsp_take_ptr(o);
}
