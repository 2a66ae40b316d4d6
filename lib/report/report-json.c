/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes an explanation as one JSON object, which docs/json-report.md specifies. Names are cleaned,
 * so the output is always valid JSON.
 */
#include "lib/report/report.h"

#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/json.h"
#include "lib/report/report-container.h"
#include "lib/report/report-hosts.h"
#include "lib/report/report-marks-json.h"
#include "lib/report/requests-beside.h"

/*
 * Version of the format. A change that removes a field or changes its meaning increases the
 * version. New fields do not.
 */
#define REPORT_VERSION 1

static int fill_categories(struct json_object *o, const void *from)
{
	const __u64 *cat_ns = from;
	int r = 0;

	for (enum rsp_category cat = 0; cat < RSP_CAT_MAX && r == 0; cat++)
		r = rsp_json_add_number(o, rsp_category_key(cat), cat_ns[cat]);
	return r;
}

static int fill_target(struct json_object *o, const void *from)
{
	const struct rsp_explanation *e = from;
	int r = rsp_json_add_number(o, "pid", e->meta->target_pid);

	r |= rsp_json_add_string(o, "comm", e->comm);
	r |= rsp_json_add_container(o, e->container);
	r |= rsp_json_add_string(o, "command", e->meta->command);
	if (e->meta->target_tid)
		r |= rsp_json_add_number(o, "tid", e->meta->target_tid);
	r |= rsp_json_add_number(o, "start_ns", e->meta->target_start_ns);
	r |= rsp_json_add_number(o, "threads", e->root_cnt);
	r |= rsp_json_add_number(o, "idle_threads", e->idle_root_cnt);
	if (e->meta->exit_status >= 0)
		r |= rsp_json_add_number(o, "wait_status", (__u64)e->meta->exit_status);
	return r;
}

static int fill_snapshot(struct json_object *o, const void *from)
{
	const struct rsp_meta *meta = from;
	int r = rsp_json_add_string(o, "id", meta->id);

	r |= rsp_json_add_string(o, "host", meta->host);
	r |= rsp_json_add_string(o, "kernel", meta->kernel);
	r |= rsp_json_add_string(o, "arch", meta->arch);
	r |= rsp_json_add_string(o, "recorder", meta->version);
	r |= rsp_json_add_number(o, "cpus", meta->cpu_cnt);
	r |= rsp_json_add_number(o, "sample_hz", meta->sample_hz);
	r |= rsp_json_add_number(o, "since_ns", meta->since_ns);
	r |= rsp_json_add_number(o, "until_ns", meta->until_ns);
	r |= rsp_json_add(o, "realtime_offset_ns", json_object_new_int64(meta->realtime_offset_ns));
	r |= rsp_json_add_bool(o, "redacted", meta->redacted);
	return meta->host_cnt ? r | rsp_report_add_hosts(o, meta) : r;
}

static int fill_trigger(struct json_object *o, const void *from)
{
	const struct rsp_meta *meta = from;
	const struct rsp_trigger *t = &meta->trigger;
	_cleanup_free_ char *text = NULL;
	int r = rsp_report_trigger(meta, &text);

	if (r < 0)
		return r;
	r |= rsp_json_add_string(o, "slo", t->slo);
	r |= rsp_json_add_string(o, "text", text);
	r |= rsp_json_add_string(o, "measure", t->measure);
	r |= rsp_json_add_string(o, "subject", t->subject);
	r |= rsp_json_add_string(o, "resource", t->resource);
	r |= rsp_json_add_bool(o, "full", t->full);
	r |= rsp_json_add_number(o, "value_ns", t->value_ns);
	r |= rsp_json_add_number(o, "threshold_ns", t->threshold_ns);
	r |= rsp_json_add_number(o, "quantile_ppm", t->quantile_ppm);
	r |= rsp_json_add_number(o, "over_ns", t->over_ns);
	r |= rsp_json_add_number(o, "count", t->cnt);
	r |= rsp_json_add_number(o, "over_count", t->over_cnt);
	return r;
}

static int fill_shed(struct json_object *o, const void *from)
{
	const struct rsp_explanation *e = from;
	int r = rsp_json_add_number(o, "waker_stacks_ns", e->shed_ns[RSP_SHED_WAKER_STACKS]);

	r |= rsp_json_add_number(o, "samples_ns", e->shed_ns[RSP_SHED_SAMPLES]);
	r |= rsp_json_add_number(o, "hot_stacks_ns", e->shed_ns[RSP_SHED_HOT_STACKS]);
	r |= rsp_json_add_number(o, "stacks_ns", e->shed_ns[RSP_SHED_STACKS]);
	r |= rsp_json_add_number(o, "paused_ns", rsp_report_paused_ns(e));
	if (e->requested_ns)
		r |= rsp_json_add_number(o, "requested_ns", e->requested_ns);
	r |= rsp_json_add_number(o, "budget_ppm", e->budget_ppm);
	return r;
}

static int fill_coverage(struct json_object *o, const void *from)
{
	const struct rsp_explanation *e = from;
	int r = rsp_json_add_number(o, "events", e->event_cnt);

	r |= rsp_json_add_number(o, "lost", e->lost_cnt);
	r |= rsp_json_add_number(o, "window_ns", e->window_ns);
	r |= rsp_json_add_number(o, "asked_ns", e->wall_ns);
	r |= rsp_json_add_number(o, "recorder_ns", rsp_report_own_ns(e));
	if (e->left_out_cnt)
		r |= rsp_json_add_number(o, "left_out", e->left_out_cnt) |
		     rsp_json_add_number(o, "left_out_ns", e->left_out_ns);
	if (e->shed_ns[RSP_SHED_NOTHING + 1] || rsp_report_paused_ns(e))
		r |= rsp_json_add(o, "shed", rsp_json_object_of(fill_shed, e));
	return r;
}

static int fill_process(struct json_object *o, const void *from)
{
	const struct rsp_process *p = from;
	int r = rsp_json_add_number(o, "pid", p->tgid);

	r |= rsp_json_add_number(o, "tid", p->tid);
	r |= rsp_json_add_string(o, "comm", p->comm);
	r |= rsp_json_add_container(o, p->container);
	r |= rsp_json_add_bool(o, "root", p->is_root);
	r |= rsp_json_add_number(o, "ns", p->ns);
	r |= rsp_json_add(o, "categories", rsp_json_object_of(fill_categories, p->cat_ns));
	return r;
}

static int fill_frame(struct json_object *o, const void *from)
{
	const struct rsp_frame *frame = from;
	int r = rsp_json_add_string(o, "symbol", frame->symbol);

	r |= rsp_json_add_string(o, "module", frame->module);
	r |= rsp_json_add_string(o, "space", frame->kernel ? "kernel" : "user");
	return r;
}

static int fill_evidence(struct json_object *o, const void *from)
{
	const struct rsp_evidence *evidence = from;
	const struct rsp_hop *hop = evidence->hop;
	int r = rsp_json_add_number(o, "at_ns", evidence->at_ns);

	r |= rsp_json_add_number(o, "ns", evidence->ns);
	r |= rsp_json_add_number(o, "pid", hop->tgid);
	r |= rsp_json_add_number(o, "tid", hop->tid);
	r |= rsp_json_add_string(o, "comm", hop->comm);
	r |= rsp_json_add_string(o, "text", evidence->text);
	r |= rsp_json_add(o, "stack", RSP_JSON_ARRAY_OF(fill_frame, hop->frames, hop->frame_cnt));
	return r;
}

static int fill_finding(struct json_object *o, const void *from)
{
	const struct rsp_finding *f = from;
	int r = rsp_json_add_string(o, "kind", f->kind);

	r |= rsp_json_add_number(o, "ns", f->ns);
	r |= rsp_json_add_number(o, "thread_ns", f->thread_ns);
	r |= rsp_json_add_bool(o, "idle", f->is_idle);
	r |= rsp_json_add_bool(o, "inferred", f->inferred);
	r |= rsp_json_add_string(o, "text", f->text);
	r |= rsp_json_add(o, "evidence",
			  RSP_JSON_ARRAY_OF(fill_evidence, f->evidence, f->evidence_cnt));
	return r;
}

static int fill_hop(struct json_object *o, const void *from)
{
	const struct rsp_hop *hop = from;
	bool blocked = hop->kind == RSP_HOP_BLOCKED;
	int r = rsp_json_add_number(o, "pid", hop->tgid);

	r |= rsp_json_add_number(o, "tid", hop->tid);
	r |= rsp_json_add_string(o, "comm", hop->comm);
	r |= rsp_json_add_container(o, hop->container);
	r |= rsp_json_add_number(o, "tasks", hop->task_cnt);
	r |= rsp_json_add_string(o, "kind", blocked ? "blocked" : rsp_category_key(hop->category));
	r |= rsp_json_add_string(o, "object", hop->object);
	r |= rsp_json_add_string(o, "behind", hop->behind);
	r |= rsp_json_add_string(o, "why", rsp_why_key(hop->why));
	r |= rsp_json_add_string(o, "syscall", hop->syscall);
	r |= rsp_json_add_bool(o, "inferred", hop->flags & RSP_HOP_INFERRED);
	r |= rsp_json_add_bool(o, "estimated", hop->flags & RSP_HOP_ESTIMATED);
	r |= rsp_json_add_bool(o, "at_least", hop->flags & RSP_HOP_AT_LEAST);
	r |= rsp_json_add_bool(o, "throttled", hop->flags & RSP_HOP_THROTTLED);
	r |= rsp_json_add_bool(o, "kernel_thread", hop->flags & RSP_HOP_KTHREAD);
	r |= rsp_json_add(o, "stack", RSP_JSON_ARRAY_OF(fill_frame, hop->frames, hop->frame_cnt));
	return r;
}

static int fill_chain(struct json_object *o, const void *from)
{
	const struct rsp_chain *chain = from;
	_cleanup_json_ struct json_object *hops = RSP_JSON_ARRAY_OF(fill_hop, chain->hops,
								    chain->hop_cnt);
	int r = rsp_json_add_number(o, "ns", chain->ns);

	r |= rsp_json_add_number(o, "count", chain->count);
	r |= rsp_json_add_number(o, "samples", chain->sample_cnt);
	r |= rsp_json_add_number(o, "longest_ns", chain->longest.ns);
	r |= rsp_json_add_number(o, "longest_at_ns", chain->longest.from_ns);
	r |= rsp_json_add_number(o, "longest_tid", chain->longest.tid);
	for (size_t i = 0; hops && i < chain->hop_cnt; i++)
		r |= rsp_json_add_number(json_object_array_get_idx(hops, i), "ns", chain->ns);
	r |= rsp_json_add(o, "hops", rsp_take_ptr(hops));
	return r;
}

/* --- control paths -------------------------------------------------------------------------- */

/* maximum number of chains in the member "unexplained" */
#define UNEXPLAINED_MAX 10

static struct json_object *percent(double pct)
{
	char digits[32];

	/* json-c would print all 17 digits of a double. */
	snprintf(digits, sizeof(digits), "%.4f", pct);
	return json_object_new_double_s(pct, digits);
}

static int fill_path(struct json_object *o, const void *from)
{
	const struct rsp_control_path *path = from;
	int r = rsp_json_add_number(o, "pid", path->tgid);

	r |= rsp_json_add_number(o, "tid", path->tid);
	r |= rsp_json_add_string(o, "comm", path->comm);
	r |= rsp_json_add_bool(o, "root", path->is_root);
	r |= rsp_json_add_number(o, "ns", path->ns);
	r |= rsp_json_add_number(o, "from_ns", path->from_ns);
	r |= rsp_json_add_number(o, "to_ns", path->to_ns);
	r |= rsp_json_add_number(o, "stretches", path->stretch_cnt);
	r |= rsp_json_add_number(o, "awaited_ns", path->awaited_ns);
	r |= rsp_json_add(o, "categories", rsp_json_object_of(fill_categories, path->cat_ns));
	return r;
}

static int fill_handoff(struct json_object *o, const void *from)
{
	const struct rsp_handoff *handoff = from;
	int r = rsp_json_add_number(o, "pid", handoff->tgid);

	r |= rsp_json_add_number(o, "tid", handoff->tid);
	r |= rsp_json_add_string(o, "comm", handoff->comm);
	r |= rsp_json_add_bool(o, "kernel_thread", handoff->is_kthread);
	r |= rsp_json_add_number(o, "count", handoff->count);
	r |= rsp_json_add_number(o, "ns", handoff->ns);
	return r;
}

static bool is_unexplained(const struct rsp_chain *chain)
{
	switch (chain->hops[chain->hop_cnt - 1].category) {
	case RSP_CAT_LOST:
	case RSP_CAT_UNRECORDED:
	case RSP_CAT_EDGE:
	case RSP_CAT_UNACCOUNTED:
		return true;
	default:
		return false;
	}
}

static struct json_object *unexplained_of(const struct rsp_path_profile *p)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();
	size_t cnt = 0;

	for (size_t i = 0; array && i < p->chain_cnt && cnt < UNEXPLAINED_MAX; i++) {
		if (!is_unexplained(&p->chains[i]))
			continue;
		cnt++;
		if (rsp_json_append(array, rsp_json_object_of(fill_chain, &p->chains[i])) < 0)
			return NULL;
	}
	return rsp_take_ptr(array);
}

static __u64 estimated_ns(const struct rsp_path_profile *p)
{
	__u64 ns = 0;

	for (size_t i = 0; i < p->chain_cnt; i++) {
		const struct rsp_hop *leaf = &p->chains[i].hops[p->chains[i].hop_cnt - 1];

		if (leaf->flags & RSP_HOP_ESTIMATED)
			ns += p->chains[i].ns;
	}
	return ns;
}

static int fill_paths(struct json_object *o, const void *from)
{
	const struct rsp_path_profile *p = from;
	int r = rsp_json_add_number(o, "total_ns", p->total_ns);

	r |= rsp_json_add_number(o, "estimated_ns", estimated_ns(p));

	r |= rsp_json_add(o, "accounted_pct", percent(rsp_accounted_pct(p->cat_ns, p->total_ns)));
	r |= rsp_json_add(o, "categories", rsp_json_object_of(fill_categories, p->cat_ns));
	r |= rsp_json_add_number(o, "threads", p->thread_cnt);
	r |= rsp_json_add(o, "list", RSP_JSON_ARRAY_OF(fill_path, p->v, p->cnt));
	r |= rsp_json_add(o, "handed_off",
			  RSP_JSON_ARRAY_OF(fill_handoff, p->handoffs, p->handoff_cnt));
	r |= rsp_json_add(o, "unexplained", unexplained_of(p));
	return r;
}

/* --- the survey; strings of a row are never NULL -------------------------------------------- */

static int fill_io(struct json_object *o, const void *from)
{
	const struct rsp_io_row *row = from;
	int r = rsp_json_add_string(o, "file", row->file);

	r |= rsp_json_add_string(o, "disk", row->disk);
	r |= rsp_json_add_string(o, "comm", row->comm);
	r |= rsp_json_add_string(o, "op", row->op);
	r |= rsp_json_add_bool(o, "metadata", row->is_metadata);
	r |= rsp_json_add_number(o, "requests", row->request_cnt);
	r |= rsp_json_add_number(o, "bytes", row->bytes);
	r |= rsp_json_add_number(o, "active_ns", row->active_ns);
	r |= rsp_json_add_number(o, "queued_ns", row->queued_ns);
	r |= rsp_json_add_number(o, "longest_ns", row->longest_ns);
	r |= rsp_json_add_number(o, "waited_ns", row->waited_ns);
	r |= rsp_json_add_number(o, "target_ns", row->target_ns);
	return r;
}

static int fill_net(struct json_object *o, const void *from)
{
	const struct rsp_net_row *row = from;
	int r = rsp_json_add_string(o, "peer", row->peer);

	r |= rsp_json_add_string(o, "protocol", row->protocol);
	r |= rsp_json_add_number(o, "service", row->service);
	r |= rsp_json_add_string(o, "peer_comm", row->peer_comm);
	r |= rsp_json_add_number(o, "pid", row->tgid);
	r |= rsp_json_add_number(o, "tid", row->tid);
	r |= rsp_json_add_string(o, "comm", row->comm);
	r |= rsp_json_add_bool(o, "root", row->is_target);
	r |= rsp_json_add_number(o, "sends", row->send_cnt);
	r |= rsp_json_add_number(o, "sent_bytes", row->sent_bytes);
	r |= rsp_json_add_number(o, "waits", row->wait_cnt);
	r |= rsp_json_add_number(o, "waited_ns", row->waited_ns);
	r |= rsp_json_add_number(o, "longest_ns", row->longest_ns);
	r |= rsp_json_add_number(o, "round_trips", row->round_trip_cnt);
	r |= rsp_json_add_number(o, "round_trip_ns", row->round_trip_ns);
	r |= rsp_json_add_number(o, "target_ns", row->target_ns);
	return r;
}

static int fill_lock(struct json_object *o, const void *from)
{
	const struct rsp_lock_row *row = from;
	char address[2 + 16 + 1];
	int r;

	snprintf(address, sizeof(address), "0x%llx", row->address);
	r = rsp_json_add_string(o, "address", address);
	r |= rsp_json_add_number(o, "pid", row->tgid);
	r |= rsp_json_add_string(o, "comm", row->comm);
	r |= rsp_json_add_bool(o, "root", row->is_target);
	r |= rsp_json_add_number(o, "waits", row->wait_cnt);
	r |= rsp_json_add_number(o, "waited_ns", row->waited_ns);
	r |= rsp_json_add_number(o, "longest_ns", row->longest_ns);
	r |= rsp_json_add_number(o, "longest_at_ns", row->longest_at_ns);
	r |= rsp_json_add_number(o, "waiters", row->waiter_cnt);
	r |= rsp_json_add_number(o, "wakers", row->waker_cnt);
	r |= rsp_json_add_number(o, "both", row->both_cnt);
	r |= rsp_json_add_string(o, "holder", row->holder);
	r |= rsp_json_add_number(o, "holder_tid", row->holder_tid);
	r |= rsp_json_add_number(o, "target_ns", row->target_ns);
	return r;
}

static int fill_irq(struct json_object *o, const void *from)
{
	const struct rsp_irq_row *row = from;
	int r = rsp_json_add_string(o, "name", row->name);

	r |= rsp_json_add_number(o, "count", row->cnt);
	r |= rsp_json_add_number(o, "ns", row->ns);
	r |= rsp_json_add_number(o, "longest_ns", row->longest_ns);
	r |= rsp_json_add_number(o, "interrupting_ns", row->interrupting_ns);
	r |= rsp_json_add_number(o, "woken", row->woken_cnt);
	return r;
}

static int fill_edge(struct json_object *o, const void *from)
{
	const struct rsp_edge_row *row = from;
	int r = rsp_json_add_string(o, "waker", row->waker);

	r |= rsp_json_add_string(o, "wakee", row->wakee);
	r |= rsp_json_add_string(o, "context", row->context);
	r |= rsp_json_add_bool(o, "root", row->is_target);
	r |= rsp_json_add_number(o, "count", row->cnt);
	r |= rsp_json_add_number(o, "ended_waits", row->first_cnt);
	r |= rsp_json_add_number(o, "waited_ns", row->waited_ns);
	r |= rsp_json_add_number(o, "target_ns", row->target_ns);
	return r;
}

static int add_survey(struct json_object *o, const struct rsp_survey *s)
{
	int r = rsp_json_add(o, "io", RSP_JSON_ARRAY_OF(fill_io, s->io.v, s->io.cnt));

	r |= rsp_json_add(o, "net", RSP_JSON_ARRAY_OF(fill_net, s->net.v, s->net.cnt));
	r |= rsp_json_add(o, "locks", RSP_JSON_ARRAY_OF(fill_lock, s->locks.v, s->locks.cnt));
	r |= rsp_json_add(o, "irqs", RSP_JSON_ARRAY_OF(fill_irq, s->irqs.v, s->irqs.cnt));
	r |= rsp_json_add(o, "edges", RSP_JSON_ARRAY_OF(fill_edge, s->edges.v, s->edges.cnt));
	return r;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int add_headline(struct json_object *o, const struct rsp_explanation *e,
			const struct rsp_findings *findings)
{
	_cleanup_free_ char *headline = NULL;
	int r = rsp_headline_make(e, findings, &headline);

	return r < 0 ? r : rsp_json_add_string(o, "headline", headline);
}

static int fill_beside(struct json_object *o, const void *from)
{
	const struct rsp_beside *beside = from;
	int r = rsp_json_add_string(o, "text", beside->sentence);

	return r | rsp_requests_fill_comparison(o, &beside->comparison);
}

static int fill_requests(struct json_object *o, const void *from)
{
	const struct rsp_requests_sum *sum = from;
	int r = rsp_json_add_number(o, "answered", sum->cnt);

	r |= rsp_json_add_number(o, "p50_ns", sum->p50_ns);
	r |= rsp_json_add_number(o, "p99_ns", sum->p99_ns);
	r |= rsp_json_add_number(o, "max_ns", sum->max_ns);
	r |= rsp_json_add_number(o, "pending", sum->pending_cnt);
	r |= rsp_json_add_number(o, "pending_ns", sum->pending_ns);
	r |= rsp_json_add_number(o, "busy_ns", sum->busy_ns);
	return r;
}

static int fill_report(struct json_object *o, const struct rsp_explanation *e,
		       const struct rsp_beside *beside, const struct rsp_findings *findings)
{
	int r = rsp_json_add_number(o, "version", REPORT_VERSION);

	r |= add_headline(o, e, findings);
	if (*e->meta->trigger.slo)
		r |= rsp_json_add(o, "trigger", rsp_json_object_of(fill_trigger, e->meta));
	if (beside && beside->sentence)
		r |= rsp_json_add(o, "beside", rsp_json_object_of(fill_beside, beside));
	r |= rsp_json_add(o, "target", rsp_json_object_of(fill_target, e));
	r |= rsp_json_add(o, "snapshot", rsp_json_object_of(fill_snapshot, e->meta));
	r |= rsp_json_add_number(o, "wall_ns", e->wall_ns);
	r |= rsp_json_add_number(o, "total_ns", e->total_ns);
	r |= rsp_json_add_number(o, "clock_ns", e->clock_ns);
	r |= rsp_json_add_number(o, "idle_ns", e->idle_ns);
	r |= rsp_json_add(o, "accounted_pct", percent(rsp_explanation_accounted_pct(e)));
	r |= rsp_json_add_number(o, "unaccounted_ns", e->cat_ns[RSP_CAT_UNACCOUNTED]);
	r |= rsp_json_add_bool(o, "lossy", rsp_report_lossy(e));
	r |= rsp_json_add(o, "categories", rsp_json_object_of(fill_categories, e->cat_ns));
	if (e->requests.cnt || e->requests.pending_cnt)
		r |= rsp_json_add(o, "requests", rsp_json_object_of(fill_requests, &e->requests));
	r |= rsp_json_add(o, "coverage", rsp_json_object_of(fill_coverage, e));
	r |= rsp_json_add(o, "findings",
			  RSP_JSON_ARRAY_OF(fill_finding, findings->v, findings->cnt));
	r |= rsp_json_add(o, "processes",
			  RSP_JSON_ARRAY_OF(fill_process, e->processes, e->process_cnt));
	r |= rsp_json_add(o, "paths", rsp_json_object_of(fill_paths, &e->paths));
	r |= add_survey(o, &e->survey);
	return r | rsp_json_add_marks(o, e);
}

/*
 * Makes the JSON object of one chain at a time, to save memory: an object of json-c takes some ten
 * times the memory of its text, and a report may contain hundreds of thousands of chains.
 */
static int put_chains(FILE *out, const struct rsp_explanation *e, int flags)
{
	bool pretty = flags & JSON_C_TO_STRING_PRETTY;

	fputs(pretty ? ",\n  \"chains\": [" : ",\"chains\":[", out);
	for (size_t i = 0; i < e->chain_cnt; i++) {
		_cleanup_json_ struct json_object *chain = rsp_json_object_of(fill_chain,
									      &e->chains[i]);
		const char *text = NULL;
		size_t len;

		if (chain)
			text = json_object_to_json_string_length(chain, flags, &len);
		if (!text)
			return -ENOMEM;
		fputs(i > 0 ? "," : "", out);
		if (pretty)
			fputs("\n    ", out);
		rsp_json_put(text, len, 4, out);
	}
	if (pretty && e->chain_cnt > 0)
		fputs("\n  ", out);
	fputs(pretty ? "]\n}\n" : "]}\n", out);
	return 0;
}

int rsp_report_json(const struct rsp_explanation *e, const struct rsp_beside *beside, bool pretty,
		    FILE *out)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE |
		    (pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED : 0);
	_cleanup_(rsp_findings_done) struct rsp_findings findings = {0};
	_cleanup_json_ struct json_object *report = json_object_new_object();
	const char *text;
	size_t len;
	int r;

	r = rsp_findings_make(e, &findings);
	if (r < 0)
		return r;
	if (!report || fill_report(report, e, beside, &findings) < 0)
		return -ENOMEM;
	text = json_object_to_json_string_length(report, flags, &len);
	if (!text)
		return -ENOMEM;
	errno = 0;
	/* Leaves out the closing brace, because the last member (chains) follows. */
	rsp_json_put(text, len - strlen(pretty ? "\n}" : "}"), 0, out);
	r = put_chains(out, e, flags);
	if (r < 0)
		return r;
	if (fflush(out) != 0 || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
