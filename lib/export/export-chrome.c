/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the Trace Event Format of chrome://tracing and other viewers: slices (bars on a time line)
 * for the states of threads, arrows for wakeups, and samples. Each control path is shown as a
 * thread of an additional process.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/export/export-parts.h"

/* The pid of the process that contains the control paths, above the kernel's limit. */
#define PATHS_PID (1 << 23)

struct chrome {
	struct rsp_export *x;
	struct rsp_export_list list;
	int error;
	__u64 flow_cnt;
	struct rsp_export_trie trie;
};

/* The caller adds further fields. NULL: out of memory. */
static struct json_object *event(struct chrome *c, const char *phase, __u64 ts_ns, __u64 pid,
				 __u64 tid, const char *name)
{
	_cleanup_json_ struct json_object *o = json_object_new_object();
	int r = o ? 0 : -ENOMEM;

	if (r == 0) {
		r |= rsp_export_add(o, "ph", json_object_new_string(phase));
		r |= rsp_export_add(o, "ts", rsp_export_json_time(ts_ns, 3));
		r |= rsp_json_add_number(o, "pid", pid);
		r |= rsp_json_add_number(o, "tid", tid);
		r |= rsp_export_add(o, "name", rsp_export_json_text(name));
	}
	if (r) {
		c->error = -ENOMEM;
		return NULL;
	}
	return rsp_take_ptr(o);
}

static void add(struct chrome *c, struct json_object *o, const char *key, struct json_object *value)
{
	if (rsp_export_add(o, key, value) < 0)
		c->error = -ENOMEM;
}

static void put(struct chrome *c, struct json_object *o)
{
	int r = rsp_export_list_put(&c->list, o);

	if (r < 0)
		c->error = r;
}

/* --- names ------------------------------------------------------------------------------------ */

static void put_name(struct chrome *c, const char *kind, __u64 pid, __u64 tid, const char *name)
{
	struct json_object *o = event(c, "M", 0, pid, tid, kind), *args = json_object_new_object();

	add(c, args, "name", rsp_export_json_text(name));
	add(c, o, "args", args);
	put(c, o);
}

static void put_names(struct chrome *c)
{
	for (size_t i = 0; i < c->x->model->threads.cnt && !c->error; i++) {
		const struct rsp_export_thread *who = &c->x->threads[i];
		__u32 tid = c->x->model->threads.v[i].tid;

		if (!rsp_export_has_thread(c->x, i))
			continue;
		if (tid == who->tgid)
			put_name(c, "process_name", who->tgid, tid, who->process);
		put_name(c, "thread_name", who->tgid, tid, who->comm);
	}
}

/* --- states of threads ------------------------------------------------------------------------ */

static void put_arrow(struct chrome *c, size_t wakee, const struct rsp_export_wakeup *w)
{
	const struct rsp_thread *threads = c->x->model->threads.v;
	struct json_object *from = event(c, "s", w->from_ns, c->x->threads[w->waker].tgid,
					 threads[w->waker].tid, "wakeup");
	struct json_object *to = event(c, "f", w->to_ns, c->x->threads[wakee].tgid,
				       threads[wakee].tid, "wakeup");

	add(c, from, "cat", json_object_new_string("wakeup"));
	add(c, to, "cat", json_object_new_string("wakeup"));
	add(c, from, "id", json_object_new_uint64(++c->flow_cnt));
	add(c, to, "id", json_object_new_uint64(c->flow_cnt));
	put(c, from);
	put(c, to);
}

static void put_span(struct chrome *c, size_t thread, const struct rsp_export_span *s)
{
	const struct rsp_thread *t = &c->x->model->threads.v[thread];
	const char *title = rsp_names_text(c->x->names, rsp_export_title(c->x, s));
	struct json_object *o = event(c, "X", s->from_ns, c->x->threads[thread].tgid, t->tid,
				      title);
	struct rsp_export_wakeup wakeup;
	int cpu = -1;

	if (s->span && s->span->kind == RSP_SPAN_RUN)
		cpu = rsp_export_cpu(t, s->index);
	add(c, o, "cat", json_object_new_string(rsp_export_state(s)));
	add(c, o, "dur", rsp_export_json_time(s->to_ns - s->from_ns, 3));
	if (cpu >= 0) {
		struct json_object *args = json_object_new_object();

		add(c, args, "cpu", json_object_new_int(cpu));
		add(c, o, "args", args);
	}
	put(c, o);
	if (rsp_export_wakeup(c->x, t, s, &wakeup))
		put_arrow(c, thread, &wakeup);
}

static void put_threads(struct chrome *c)
{
	struct rsp_export_span s;

	for (size_t i = 0; i < c->x->model->threads.cnt; i++) {
		const struct rsp_thread *t = &c->x->model->threads.v[i];

		if (!rsp_export_has_thread(c->x, i))
			continue;
		for (size_t k = 0; !c->error && rsp_export_next_span(c->x, t, &k, &s);)
			put_span(c, i, &s);
	}
}

/* --- control paths ---------------------------------------------------------------------------- */

static int open_slice(void *userdata, const struct rsp_export_slice *slice)
{
	struct chrome *c = userdata;
	const struct rsp_hop *hop = slice->hop;
	struct json_object *args = json_object_new_object();
	struct json_object *o = event(c, "B", slice->from_ns, PATHS_PID, slice->path + 1,
				      rsp_names_text(c->x->names, rsp_export_hop_title(c->x, hop)));

	add(c, o, "cat", json_object_new_string("control path"));
	add(c, args, "pid", json_object_new_uint64(hop->tgid));
	add(c, args, "tid", json_object_new_uint64(hop->tid));
	if (*hop->object)
		add(c, args, "on", rsp_export_json_text(hop->object));
	if (hop->kind == RSP_HOP_LEAF)
		add(c, args, "category", json_object_new_string(rsp_category_key(hop->category)));
	if (hop->why)
		add(c, args, "why", json_object_new_string(rsp_why_text(hop->why)));
	if (hop->flags & (RSP_HOP_INFERRED | RSP_HOP_ESTIMATED | RSP_HOP_POLLS))
		add(c, args, "inferred", json_object_new_boolean(true));
	add(c, o, "args", args);
	put(c, o);
	return c->error;
}

static int close_slice(void *userdata, const struct rsp_export_slice *slice)
{
	struct chrome *c = userdata;

	put(c, event(c, "E", slice->to_ns, PATHS_PID, slice->path + 1,
		     rsp_names_text(c->x->names, rsp_export_hop_title(c->x, slice->hop))));
	return c->error;
}

static void put_paths(struct chrome *c)
{
	const struct rsp_export_visitor visitor = {open_slice, close_slice, c};
	const struct rsp_explanation *e = c->x->explanation;
	char name[128];
	int r;

	if (!e || !e->paths.cnt)
		return;
	snprintf(name, sizeof(name), "control paths of %s [%u]", rsp_export_text(c->x, e->comm),
		 rsp_host_tid(e->meta->target_pid));
	put_name(c, "process_name", PATHS_PID, 1, name);
	for (size_t i = 0; i < e->paths.cnt && !c->error; i++) {
		const struct rsp_control_path *path = &e->paths.v[i];

		snprintf(name, sizeof(name), "%s [%u/%u]", path->comm, rsp_host_tid(path->tgid),
			 rsp_host_tid(path->tid));
		put_name(c, "thread_name", PATHS_PID, i + 1, name);
	}
	r = rsp_export_walk_paths(c->x, &visitor);
	if (r < 0)
		c->error = r;
}

/* --- samples ---------------------------------------------------------------------------------- */

static void put_sample(struct chrome *c, size_t thread, const struct rsp_ev_sample *ev)
{
	__u32 node = rsp_export_trie_put(&c->trie, c->x, ev->kstack, ev->ustack);
	struct json_object *o = json_object_new_object();

	add(c, o, "cpu", json_object_new_int(ev->hdr.cpu));
	add(c, o, "pid", json_object_new_uint64(c->x->threads[thread].tgid));
	add(c, o, "tid", json_object_new_uint64(ev->tid));
	add(c, o, "ts", rsp_export_json_time(ev->hdr.ts_ns, 3));
	add(c, o, "name", json_object_new_string("sample"));
	if (node)
		add(c, o, "sf", json_object_new_uint64(node));
	add(c, o, "weight", json_object_new_int(1));
	put(c, o);
}

static void put_samples(struct chrome *c)
{
	struct rsp_export_span s;

	for (size_t i = 0; i < c->x->model->threads.cnt; i++) {
		const struct rsp_thread *t = &c->x->model->threads.v[i];

		if (!rsp_export_has_thread(c->x, i))
			continue;
		for (size_t k = 0; !c->error && rsp_export_next_span(c->x, t, &k, &s);)
			for (__u32 n = 0; n < s.sample_cnt; n++)
				put_sample(c, i, t->samples.v[s.sample_first + n]);
	}
}

static void put_frames(struct chrome *c, FILE *out)
{
	for (__u32 id = 1; id <= c->trie.nodes.cnt && !c->error; id++) {
		const struct rsp_export_node *node = rsp_export_trie_node(&c->trie, id);
		struct json_object *o = json_object_new_object();

		add(c, o, "category",
		    rsp_export_json_text(rsp_intern_data(&c->trie.texts, node->module)));
		add(c, o, "name",
		    rsp_export_json_text(rsp_intern_data(&c->trie.texts, node->symbol)));
		if (node->parent)
			add(c, o, "parent", json_object_new_uint64(node->parent));
		fprintf(out, "%s\"%u\":", id > 1 ? ",\n" : "", id);
		c->error = rsp_export_put_json(o, out);
	}
}

/* ---------------------------------------------------------------------------------------------- */

static void write_all(struct chrome *c, FILE *out)
{
	fputs("{\"displayTimeUnit\":\"ns\",\n\"otherData\":", out);
	c->error = rsp_export_put_json(rsp_export_json_about(c->x), out);
	fputs(",\n\"traceEvents\":[\n", out);
	c->list = (struct rsp_export_list){.out = out};
	put_names(c);
	put_threads(c);
	put_paths(c);
	fputs("\n],\n\"samples\":[\n", out);
	c->list = (struct rsp_export_list){.out = out};
	put_samples(c);
	fputs("\n],\n\"stackFrames\":{\n", out);
	put_frames(c, out);
	fputs("\n}}\n", out);
}

int rsp_export_chrome(struct rsp_export *x, FILE *out)
{
	struct chrome *c = calloc(1, sizeof(*c));
	int r;

	if (!c)
		return -ENOMEM;
	c->x = x;
	write_all(c, out);
	r = c->error ? c->error : c->trie.error;
	rsp_export_trie_done(&c->trie);
	free(c);
	return r;
}
