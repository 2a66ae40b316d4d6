/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a profile for the Firefox Profiler, in Gecko's format. Each thread has its own tables. The
 * times in which a thread does not run are markers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/export/export-parts.h"

#define GECKO_VERSION 24

enum category { CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_WAIT };

static const char *const categories[][2] = {
	[CATEGORY_USER] = {"User", "yellow"},
	[CATEGORY_KERNEL] = {"Kernel", "orange"},
	[CATEGORY_WAIT] = {"Wait", "blue"},
};

#define PHASE_INTERVAL 1

struct firefox {
	struct rsp_export *x;
	FILE *out;
	int error;

	/* Tables of the current thread. */
	struct rsp_export_trie trie;
	struct rsp_intern strings;
	struct rsp_intern frames; /* keys: struct rsp_export_node with parent 0 */
	struct rsp_export_list list;
};

static void check(struct firefox *f, int r)
{
	if (r < 0)
		f->error = r;
}

static __u32 string(struct firefox *f, const char *s)
{
	__u32 id = 0;

	check(f, rsp_intern_put(&f->strings, s, strlen(s), &id));
	return id;
}

static struct json_object *time_of(const struct firefox *f, __u64 ts_ns)
{
	return rsp_export_json_time(ts_ns - f->x->model->since_ns, 6);
}

static void begin_table(struct firefox *f, const char *name, const char *const *columns)
{
	fprintf(f->out, ",\n\"%s\":{\"schema\":{", name);
	for (size_t i = 0; columns[i]; i++)
		fprintf(f->out, "%s\"%s\":%zu", i ? "," : "", columns[i], i);
	fputs("},\"data\":[\n", f->out);
	f->list = (struct rsp_export_list){.out = f->out};
}

static void end_table(struct firefox *f)
{
	fputs("]}", f->out);
}

static void append(struct firefox *f, struct json_object *array, struct json_object *value)
{
	check(f, rsp_export_append(array, value));
}

static void append_null(struct firefox *f, struct json_object *array)
{
	if (!array || json_object_array_add(array, NULL) < 0)
		f->error = -ENOMEM;
}

/* Ids count from 1 and indexes from 0. For the id 0, appends null. */
static void append_index(struct firefox *f, struct json_object *array, __u32 id)
{
	if (id)
		append(f, array, json_object_new_uint64(id - 1));
	else
		append_null(f, array);
}

/* --- samples ---------------------------------------------------------------------------------- */

static void put_sample(struct firefox *f, const struct rsp_ev_sample *ev)
{
	__u32 node = rsp_export_trie_put(&f->trie, f->x, ev->kstack, ev->ustack);
	struct json_object *row = json_object_new_array();

	append_index(f, row, node);
	append(f, row, time_of(f, ev->hdr.ts_ns));
	append(f, row, json_object_new_int(0));
	check(f, rsp_export_list_put(&f->list, row));
}

static void put_samples(struct firefox *f, const struct rsp_thread *t)
{
	static const char *const columns[] = {"stack", "time", "responsiveness", NULL};
	struct rsp_export_span s;

	begin_table(f, "samples", columns);
	for (size_t k = 0; !f->error && rsp_export_next_span(f->x, t, &k, &s);)
		for (__u32 n = 0; n < s.sample_cnt; n++)
			put_sample(f, t->samples.v[s.sample_first + n]);
	end_table(f);
}

/* --- waits ------------------------------------------------------------------------------------ */

static struct json_object *wait_data(struct firefox *f, const struct rsp_thread *t,
				     const struct rsp_export_span *s)
{
	struct json_object *o = json_object_new_object();
	struct rsp_export_wakeup wakeup;
	char waker[64];

	check(f, rsp_export_add(o, "type", json_object_new_string("wait")));
	check(f, rsp_export_add(o, "state", json_object_new_string(rsp_export_state(s))));
	if (rsp_export_wakeup(f->x, t, s, &wakeup)) {
		snprintf(waker, sizeof(waker), "%s [%u]", f->x->threads[wakeup.waker].comm,
			 rsp_host_tid(f->x->model->threads.v[wakeup.waker].tid));
		check(f, rsp_export_add(o, "by", rsp_export_json_text(waker)));
	}
	return o;
}

static void put_wait(struct firefox *f, const struct rsp_thread *t, const struct rsp_export_span *s)
{
	const char *title = rsp_names_text(f->x->names, rsp_export_title(f->x, s));
	struct json_object *row = json_object_new_array();

	append(f, row, json_object_new_uint64(string(f, title)));
	append(f, row, time_of(f, s->from_ns));
	append(f, row, time_of(f, s->to_ns));
	append(f, row, json_object_new_int(PHASE_INTERVAL));
	append(f, row, json_object_new_int(CATEGORY_WAIT));
	append(f, row, wait_data(f, t, s));
	check(f, rsp_export_list_put(&f->list, row));
}

static void put_waits(struct firefox *f, const struct rsp_thread *t)
{
	static const char *const columns[] = {"name",	  "startTime", "endTime", "phase",
					      "category", "data",      NULL};
	struct rsp_export_span s;

	begin_table(f, "markers", columns);
	for (size_t k = 0; !f->error && rsp_export_next_span(f->x, t, &k, &s);)
		if (!s.span || s.span->kind != RSP_SPAN_RUN)
			put_wait(f, t, &s);
	end_table(f);
}

/* --- stacks ----------------------------------------------------------------------------------- */

static void put_stacks(struct firefox *f)
{
	static const char *const columns[] = {"prefix", "frame", NULL};

	begin_table(f, "stackTable", columns);
	for (__u32 id = 1; id <= f->trie.nodes.cnt && !f->error; id++) {
		struct rsp_export_node node = *rsp_export_trie_node(&f->trie, id);
		struct json_object *row = json_object_new_array();
		__u32 frame = 0;

		append_index(f, row, node.parent);
		node.parent = 0;
		check(f, rsp_intern_put(&f->frames, &node, sizeof(node), &frame));
		append(f, row, json_object_new_uint64(frame));
		check(f, rsp_export_list_put(&f->list, row));
	}
	end_table(f);
}

/* Returns the number of a string like "function (in module)". */
static __u32 location(struct firefox *f, const struct rsp_export_node *node)
{
	const char *symbol = rsp_intern_data(&f->trie.texts, node->symbol);
	const char *module = rsp_intern_data(&f->trie.texts, node->module);
	_cleanup_free_ char *text = NULL;

	if (strcmp(module, "?") == 0)
		return string(f, symbol);
	if (asprintf(&text, "%s (in %s)", symbol, module) < 0) {
		text = NULL;
		f->error = -ENOMEM;
		return 0;
	}
	return string(f, text);
}

static void put_frames(struct firefox *f)
{
	static const char *const columns[] = {
		"location", "relevantForJS", "innerWindowID", "implementation", "optimizations",
		"line",	    "column",	     "category",      "subcategory",	NULL};

	begin_table(f, "frameTable", columns);
	for (__u32 id = 0; id < f->frames.cnt && !f->error; id++) {
		const struct rsp_export_node *node = rsp_intern_data(&f->frames, id);
		struct json_object *row = json_object_new_array();

		append(f, row, json_object_new_uint64(location(f, node)));
		append(f, row, json_object_new_boolean(false));
		append(f, row, json_object_new_int(0));
		for (int i = 0; i < 4; i++)
			append_null(f, row);
		append(f, row,
		       json_object_new_int(node->is_kernel ? CATEGORY_KERNEL : CATEGORY_USER));
		append(f, row, json_object_new_int(0));
		check(f, rsp_export_list_put(&f->list, row));
	}
	end_table(f);
}

static void put_strings(struct firefox *f)
{
	fputs(",\n\"stringTable\":[\n", f->out);
	f->list = (struct rsp_export_list){.out = f->out};
	for (__u32 id = 0; id < f->strings.cnt && !f->error; id++)
		check(f, rsp_export_list_put(
				 &f->list, rsp_export_json_text(rsp_intern_data(&f->strings, id))));
	fputs("]", f->out);
}

/* --- threads ---------------------------------------------------------------------------------- */

static void put_member(struct firefox *f, const char *key, struct json_object *value)
{
	fprintf(f->out, ",\"%s\":", key);
	if (value)
		check(f, rsp_export_put_json(value, f->out));
	else
		fputs("null", f->out);
}

static void put_identity(struct firefox *f, size_t thread)
{
	const struct rsp_export_thread *who = &f->x->threads[thread];
	const struct rsp_thread *t = &f->x->model->threads.v[thread];
	__u64 since_ns = f->x->model->since_ns;

	fprintf(f->out, "{\"tid\":%u,\"pid\":%u,\"processType\":\"default\"", t->tid, who->tgid);
	put_member(f, "name", rsp_export_json_text(who->comm));
	put_member(f, "processName", rsp_export_json_text(who->process));
	put_member(f, "registerTime", time_of(f, t->birth_ns > since_ns ? t->birth_ns : since_ns));
	put_member(f, "unregisterTime",
		   t->end_ns < f->x->model->until_ns && t->end_ns >= since_ns
			   ? time_of(f, t->end_ns)
			   : NULL);
}

static void put_thread(struct firefox *f, size_t thread)
{
	const struct rsp_thread *t = &f->x->model->threads.v[thread];

	put_identity(f, thread);
	put_samples(f, t);
	put_waits(f, t);
	put_stacks(f);
	put_frames(f);
	put_strings(f);
	fputs("}", f->out);
	check(f, f->trie.error);
	rsp_export_trie_done(&f->trie);
	rsp_intern_done(&f->strings);
	rsp_intern_done(&f->frames);
	f->trie = (struct rsp_export_trie){0};
	f->strings = f->frames = (struct rsp_intern){0};
}

/* A thread without states within the exported span is left out. */
static bool is_seen(const struct firefox *f, size_t thread)
{
	struct rsp_export_span s;
	size_t i = 0;

	return rsp_export_has_thread(f->x, thread) &&
	       rsp_export_next_span(f->x, &f->x->model->threads.v[thread], &i, &s);
}

/* --- the head --------------------------------------------------------------------------------- */

static struct json_object *list_categories(void)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < sizeof(categories) / sizeof(categories[0]); i++) {
		struct json_object *o = json_object_new_object();
		struct json_object *sub = json_object_new_array();

		if (rsp_export_append(sub, json_object_new_string("Other")) < 0 ||
		    rsp_export_add(o, "name", json_object_new_string(categories[i][0])) < 0 ||
		    rsp_export_add(o, "color", json_object_new_string(categories[i][1])) < 0 ||
		    rsp_export_add(o, "subcategories", sub) < 0 ||
		    rsp_export_append(array, o) < 0) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

static struct json_object *list_schemas(void)
{
	static const char text[] =
		"[{\"name\":\"wait\",\"display\":[\"marker-chart\",\"marker-table\"],"
		"\"data\":[{\"key\":\"state\",\"label\":\"State\",\"format\":\"string\"},"
		"{\"key\":\"by\",\"label\":\"Ended by\",\"format\":\"string\"}]}]";

	return json_tokener_parse(text);
}

static void put_meta(struct firefox *f)
{
	const struct rsp_meta *meta = &f->x->snap->meta;
	struct json_object *o = json_object_new_object();
	__u64 begin_ns = rsp_export_realtime(f->x, f->x->model->since_ns);
	double interval_ms = meta->sample_hz ? 1000.0 / meta->sample_hz : 1;

	check(f, rsp_export_add(o, "version", json_object_new_int(GECKO_VERSION)));
	check(f, rsp_export_add(o, "interval", json_object_new_double(interval_ms)));
	check(f, rsp_export_add(o, "startTime", rsp_export_json_time(begin_ns, 6)));
	if (o && json_object_object_add(o, "shutdownTime", NULL) < 0)
		f->error = -ENOMEM;
	check(f, rsp_export_add(o, "processType", json_object_new_int(0)));
	check(f, rsp_export_add(o, "stackwalk", json_object_new_int(1)));
	check(f, rsp_export_add(o, "debug", json_object_new_int(0)));
	check(f, rsp_export_add(o, "gcpoison", json_object_new_int(0)));
	check(f, rsp_export_add(o, "asyncstack", json_object_new_int(1)));
	check(f, rsp_export_add(o, "presymbolicated", json_object_new_boolean(true)));
	check(f, rsp_export_add(o, "product", json_object_new_string("RSP")));
	check(f, rsp_export_add(o, "oscpu", rsp_export_json_text(meta->kernel)));
	check(f, rsp_export_add(o, "categories", list_categories()));
	check(f, rsp_export_add(o, "markerSchema", list_schemas()));
	check(f, rsp_export_add(o, "rsp", rsp_export_json_about(f->x)));
	fputs("{\"meta\":", f->out);
	check(f, rsp_export_put_json(o, f->out));
}

static void write_all(struct firefox *f)
{
	bool begun = false;

	put_meta(f);
	fputs(",\n\"libs\":[],\"processes\":[],\"pausedRanges\":[],\n\"threads\":[\n", f->out);
	for (size_t i = 0; i < f->x->model->threads.cnt && !f->error; i++) {
		if (!is_seen(f, i))
			continue;
		if (begun)
			fputs(",\n", f->out);
		begun = true;
		put_thread(f, i);
	}
	fputs("]}\n", f->out);
}

int rsp_export_firefox(struct rsp_export *x, FILE *out)
{
	struct firefox *f = calloc(1, sizeof(*f));
	int r;

	if (!f)
		return -ENOMEM;
	f->x = x;
	f->out = out;
	write_all(f);
	r = f->error;
	rsp_export_trie_done(&f->trie);
	rsp_intern_done(&f->strings);
	rsp_intern_done(&f->frames);
	free(f);
	return r;
}
