/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes weighted stacks as a gzipped profile for pprof. Each sample, location and string is
 * written as a profile message of its own, because readers of protobuf concatenate the lists of
 * such messages.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/export/export-parts.h"
#include "lib/export/gzip.h"
#include "lib/export/proto/pprof.pb-c.h"
#include "lib/model/attribute/estimate.h"

typedef Perftools__Profiles__Profile Profile;
typedef Perftools__Profiles__Label Label;

#define PROFILE_INIT PERFTOOLS__PROFILES__PROFILE__INIT
#define LABEL_INIT   PERFTOOLS__PROFILES__LABEL__INIT

/*
 * Each mapping has its own range of addresses, because addresses of different binaries could be
 * equal otherwise.
 */
#define MAPPING_SHIFT RSP_FRAME_OFFSET_BITS

enum value { SAMPLES, CPU_NS, WAITS, OFF_CPU_NS, VALUE_CNT };

static const struct {
	const char *type, *unit;
} value_types[VALUE_CNT] = {
	[SAMPLES] = {"samples", "count"},
	[CPU_NS] = {"cpu", "nanoseconds"},
	[WAITS] = {"waits", "count"},
	[OFF_CPU_NS] = {"offcpu", "nanoseconds"},
};

/* Keys of tables are compared byte by byte, so they must not contain padding. */
struct sample_key {
	__u64 kstack, ustack;
	/* thread: index in the model; the rest: ids of strings */
	__u32 thread, state, wait, syscall;
};

struct mapping_key {
	__u32 path, build_id; /* ids of strings */
	__u32 is_kernel;
};

struct function_key {
	__u32 name, file; /* ids of strings */
};

/* Maximum number of functions at one address. Compilers inline some dozens deep. */
#define LINES_MAX 64

/* Only the first function_cnt elements of functions are part of the key. */
struct location_key {
	__u64 address;
	__u32 mapping, function_cnt; /* mapping 0: no mapping */
	__u32 functions[LINES_MAX];  /* ids of functions, innermost first */
};

struct pprof {
	struct rsp_export *x;
	struct rsp_estimate *estimate;
	struct rsp_gzip gz;
	int error;
	struct rsp_intern strings, mappings, functions, locations, samples;
	struct rsp_idmap mapping_of; /* from the number of a binary to the id of its mapping */
	struct {
		struct values {
			__u64 v[VALUE_CNT];
		} * v;
		size_t cnt, cap;
	} values; /* by id of the sample's key in samples */
	__u8 *buf;
	size_t buf_size;
	struct rsp_export_frame frames[RSP_EXPORT_FRAMES_MAX];
	uint64_t location_ids[RSP_EXPORT_FRAMES_MAX + 1];
};

static void pprof_done(struct pprof *p)
{
	rsp_estimate_free(p->estimate);
	rsp_intern_done(&p->strings);
	rsp_intern_done(&p->mappings);
	rsp_intern_done(&p->functions);
	rsp_intern_done(&p->locations);
	rsp_intern_done(&p->samples);
	rsp_idmap_done(&p->mapping_of);
	free(p->values.v);
	free(p->buf);
	rsp_gzip_done(&p->gz);
}

static __u32 put(struct pprof *p, struct rsp_intern *table, const void *key, size_t len)
{
	__u32 id = 0;
	int r = rsp_intern_put(table, key, len, &id);

	if (r < 0)
		p->error = r;
	return id;
}

static __u32 string(struct pprof *p, const char *s)
{
	return put(p, &p->strings, s, strlen(s));
}

static void write_part(struct pprof *p, const Profile *part)
{
	size_t len = perftools__profiles__profile__get_packed_size(part);

	if (len > p->buf_size) {
		free(p->buf);
		p->buf_size = 2 * len;
		p->buf = malloc(p->buf_size);
		if (!p->buf) {
			p->buf_size = 0;
			p->error = -ENOMEM;
			return;
		}
	}
	perftools__profiles__profile__pack(part, p->buf);
	if (!p->error)
		p->error = rsp_gzip_put(&p->gz, p->buf, len);
}

/* --- stacks ----------------------------------------------------------------------------------- */

static __u32 put_mapping(struct pprof *p, const struct rsp_export_frame *f)
{
	const struct rsp_ev_binary *binary = rsp_trace_binary(p->x->trace, f->binary);
	char build_id[2 * RSP_BUILD_ID_MAX + 1] = "";
	struct mapping_key key = {.is_kernel = f->is_kernel};

	if (binary && f->binary)
		rsp_export_build_id(binary, build_id);
	key.path = string(p, rsp_export_path(p->x, f));
	key.build_id = string(p, build_id);
	return put(p, &p->mappings, &key, sizeof(key)) + 1;
}

static __u32 mapping_of(struct pprof *p, const struct rsp_export_frame *f)
{
	uint64_t known;

	if (!f->binary)
		return strcmp(f->module, "?") ? put_mapping(p, f) : 0;
	if (rsp_idmap_get(&p->mapping_of, f->binary, &known))
		return (__u32)known;
	known = put_mapping(p, f);
	if (rsp_idmap_put(&p->mapping_of, f->binary, known) < 0)
		p->error = -ENOMEM;
	return (__u32)known;
}

/* The cnt frames at this address are inlined functions and the function that contains them. */
static __u64 location_of(struct pprof *p, const struct rsp_export_frame *f, size_t cnt)
{
	__u32 mapping = mapping_of(p, f);
	struct location_key key = {
		.address = f->has_place ? f->place : 0,
		.mapping = mapping,
		.function_cnt = (__u32)cnt,
	};

	for (size_t i = 0; i < cnt; i++) {
		struct function_key function = {string(p, f[i].symbol),
						mapping ? string(p, f[i].module) : 0};

		key.functions[i] = put(p, &p->functions, &function, sizeof(function)) + 1;
	}
	if (f->has_place && mapping)
		key.address += (__u64)mapping << MAPPING_SHIFT;
	return put(p, &p->locations, &key,
		   offsetof(struct location_key, functions) + cnt * sizeof(*key.functions)) +
	       1ULL;
}

/* The remark in brackets takes the place of a function. */
static __u64 pseudo_location(struct pprof *p, const char *text)
{
	return location_of(p, &(struct rsp_export_frame){.symbol = text, .module = "?"}, 1);
}

/*
 * Returns the reason why the stack is missing, or a state that the stack does not show; NULL: there
 * is no remark.
 */
static const char *pseudo_leaf(const char *state, bool has_stack)
{
	if (strcmp(state, "running") == 0)
		return has_stack ? NULL : "[not sampled]";
	if (strcmp(state, "runnable") == 0)
		return "[waiting for a CPU]";
	if (strcmp(state, "preempted") == 0)
		return "[preempted]";
	if (strcmp(state, "unknown") == 0)
		return "[not recorded]";
	return has_stack ? NULL : "[stack not recorded]";
}

static size_t locate(struct pprof *p, const struct sample_key *key)
{
	size_t frame_cnt = rsp_export_frames(p->x, key->kstack, key->ustack, p->frames), cnt = 0;
	const char *leaf = pseudo_leaf(rsp_intern_data(&p->strings, key->state), frame_cnt > 0);

	if (leaf)
		p->location_ids[cnt++] = pseudo_location(p, leaf);
	for (size_t i = 0, n; i < frame_cnt; i += n) {
		for (n = 1; n < LINES_MAX && p->frames[i + n - 1].is_inlined;)
			n++;
		p->location_ids[cnt++] = location_of(p, &p->frames[i], n);
	}
	return cnt;
}

/* --- adding up -------------------------------------------------------------------------------- */

static void add(struct pprof *p, const struct sample_key *key, enum value cnt_value, __u64 cnt,
		enum value ns_value, __u64 ns)
{
	__u32 id = put(p, &p->samples, key, sizeof(*key));

	if (id == p->values.cnt && !p->error && !rsp_array_add(&p->values))
		p->error = -ENOMEM;
	if (p->error)
		return;
	p->values.v[id].v[cnt_value] += cnt;
	p->values.v[id].v[ns_value] += ns;
}

/* Samples of other runs show approximately what the thread did. They are not counted again. */
static void add_run_without_samples(struct pprof *p, __u32 thread, const struct rsp_export_span *s)
{
	struct sample_key key = {.thread = thread, .state = string(p, "running")};
	__u64 at_ns = s->from_ns;

	while (at_ns < s->to_ns && !p->error) {
		struct rsp_estimated_part part;

		rsp_estimate_at(p->estimate, thread, s->index, at_ns, &part);
		if (part.until_ns > s->to_ns || part.until_ns <= at_ns)
			part.until_ns = s->to_ns;
		key.kstack = key.ustack = 0;
		if (part.by == RSP_ESTIMATED_SAMPLE) {
			const struct rsp_thread *t = &p->x->model->threads.v[part.thread];

			key.kstack = t->samples.v[part.sample]->kstack;
			key.ustack = t->samples.v[part.sample]->ustack;
		} else if (part.by == RSP_ESTIMATED_PLACE && s->span->out) {
			key.kstack = s->span->out->kstack;
			key.ustack = s->span->out->ustack;
		}
		add(p, &key, SAMPLES, 0, CPU_NS, part.until_ns - at_ns);
		at_ns = part.until_ns;
	}
}

/* The parts add up to the time of the run. */
static void add_run(struct pprof *p, __u32 thread, const struct rsp_export_span *s)
{
	const struct rsp_thread *t = &p->x->model->threads.v[thread];
	struct sample_key key = {.thread = thread, .state = string(p, "running")};
	__u64 ns = s->to_ns - s->from_ns;

	for (__u32 i = 0; i < s->sample_cnt; i++) {
		const struct rsp_ev_sample *sample = t->samples.v[s->sample_first + i];
		__u64 part_ns = ns / (s->sample_cnt - i);

		key.kstack = sample->kstack;
		key.ustack = sample->ustack;
		add(p, &key, SAMPLES, 1, CPU_NS, part_ns);
		ns -= part_ns;
	}
	if (!s->sample_cnt)
		add_run_without_samples(p, thread, s);
}

static void add_wait(struct pprof *p, __u32 thread, const struct rsp_export_span *s)
{
	struct sample_key key = {.thread = thread, .state = string(p, rsp_export_state(s))};
	const struct rsp_ev_switch *out = s->span ? s->span->out : NULL;
	bool blocked = s->span && s->span->kind == RSP_SPAN_BLOCKED;

	if (out) {
		key.kstack = out->kstack;
		key.ustack = out->ustack;
	}
	if (blocked) {
		__u32 wait = rsp_export_wait(p->x, s->span);
		__u32 syscall = rsp_names_syscall(p->x->names, s->span->out);

		key.wait = string(p, rsp_names_text(p->x->names, wait));
		key.syscall = string(p, rsp_names_text(p->x->names, syscall));
	}
	add(p, &key, WAITS, 1, OFF_CPU_NS, s->to_ns - s->from_ns);
}

static void add_thread(struct pprof *p, __u32 thread)
{
	const struct rsp_thread *t = &p->x->model->threads.v[thread];
	struct rsp_export_span s;

	for (size_t i = 0; rsp_export_next_span(p->x, t, &i, &s) && !p->error;)
		if (s.span && s.span->kind == RSP_SPAN_RUN)
			add_run(p, thread, &s);
		else
			add_wait(p, thread, &s);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void put_text(struct pprof *p, Label *labels, Label **list, size_t *cnt, const char *key,
		     __u32 text)
{
	if (!text)
		return;
	labels[*cnt].key = string(p, key);
	labels[*cnt].str = text;
	list[*cnt] = &labels[*cnt];
	++*cnt;
}

static void put_number(struct pprof *p, Label *labels, Label **list, size_t *cnt, const char *key,
		       __u32 number)
{
	labels[*cnt].key = string(p, key);
	labels[*cnt].num = number;
	list[*cnt] = &labels[*cnt];
	++*cnt;
}

static void write_sample(struct pprof *p, __u32 id)
{
	struct sample_key key = *(const struct sample_key *)rsp_intern_data(&p->samples, id);
	const struct rsp_export_thread *who = &p->x->threads[key.thread];
	Perftools__Profiles__Sample sample = PERFTOOLS__PROFILES__SAMPLE__INIT, *one = &sample;
	Label labels[7] = {LABEL_INIT, LABEL_INIT, LABEL_INIT, LABEL_INIT,
			   LABEL_INIT, LABEL_INIT, LABEL_INIT};
	Label *list[7];
	Profile part = PROFILE_INIT;
	size_t cnt = 0;

	put_text(p, labels, list, &cnt, "process", string(p, who->process));
	put_number(p, labels, list, &cnt, "pid", who->tgid);
	put_text(p, labels, list, &cnt, "thread", string(p, who->comm));
	put_number(p, labels, list, &cnt, "tid", p->x->model->threads.v[key.thread].tid);
	put_text(p, labels, list, &cnt, "state", key.state);
	put_text(p, labels, list, &cnt, "syscall", key.syscall);
	put_text(p, labels, list, &cnt, "wait", key.wait);
	sample.n_location_id = locate(p, &key);
	sample.location_id = p->location_ids;
	sample.n_value = VALUE_CNT;
	sample.value = (int64_t *)p->values.v[id].v;
	sample.n_label = cnt;
	sample.label = list;
	part.n_sample = 1;
	part.sample = &one;
	write_part(p, &part);
}

static void write_location(struct pprof *p, __u32 id)
{
	const struct location_key *key = rsp_intern_data(&p->locations, id);
	Perftools__Profiles__Location location = PERFTOOLS__PROFILES__LOCATION__INIT,
				      *one = &location;
	Perftools__Profiles__Line lines[LINES_MAX], *list[LINES_MAX];
	Profile part = PROFILE_INIT;

	for (__u32 i = 0; i < key->function_cnt; i++) {
		perftools__profiles__line__init(&lines[i]);
		lines[i].function_id = key->functions[i];
		list[i] = &lines[i];
	}
	location.id = id + 1ULL;
	location.mapping_id = key->mapping;
	location.address = key->address;
	location.n_line = key->function_cnt;
	location.line = list;
	part.n_location = 1;
	part.location = &one;
	write_part(p, &part);
}

static void write_function(struct pprof *p, __u32 id)
{
	const struct function_key *key = rsp_intern_data(&p->functions, id);
	Perftools__Profiles__Function function = PERFTOOLS__PROFILES__FUNCTION__INIT,
				      *one = &function;
	Profile part = PROFILE_INIT;

	function.id = id + 1ULL;
	function.name = key->name;
	function.system_name = key->name;
	function.filename = key->file;
	part.n_function = 1;
	part.function = &one;
	write_part(p, &part);
}

static void write_mapping(struct pprof *p, __u32 id)
{
	const struct mapping_key *key = rsp_intern_data(&p->mappings, id);
	Perftools__Profiles__Mapping mapping = PERFTOOLS__PROFILES__MAPPING__INIT, *one = &mapping;
	Profile part = PROFILE_INIT;

	mapping.id = id + 1ULL;
	mapping.memory_start = mapping.id << MAPPING_SHIFT;
	mapping.memory_limit = (mapping.id + 1) << MAPPING_SHIFT;
	mapping.filename = key->path;
	mapping.build_id = key->build_id;
	mapping.has_functions = true;
	mapping.has_inline_frames = !key->is_kernel;
	part.n_mapping = 1;
	part.mapping = &one;
	write_part(p, &part);
}

static void write_string(struct pprof *p, __u32 id)
{
	char *one = (char *)rsp_intern_data(&p->strings, id);
	Profile part = PROFILE_INIT;

	part.n_string_table = 1;
	part.string_table = &one;
	write_part(p, &part);
}

static void write_comment(struct pprof *p, const char *text)
{
	int64_t one = string(p, rsp_export_text(p->x, text));
	Profile part = PROFILE_INIT;

	part.n_comment = 1;
	part.comment = &one;
	write_part(p, &part);
}

static void write_head(struct pprof *p)
{
	const struct rsp_meta *meta = &p->x->snap->meta;
	Perftools__Profiles__ValueType types[VALUE_CNT], *list[VALUE_CNT];
	Perftools__Profiles__ValueType period = PERFTOOLS__PROFILES__VALUE_TYPE__INIT;
	Profile part = PROFILE_INIT;

	for (int i = 0; i < VALUE_CNT; i++) {
		perftools__profiles__value_type__init(&types[i]);
		types[i].type = string(p, value_types[i].type);
		types[i].unit = string(p, value_types[i].unit);
		list[i] = &types[i];
	}
	period.type = types[CPU_NS].type;
	period.unit = types[CPU_NS].unit;
	part.n_sample_type = VALUE_CNT;
	part.sample_type = list;
	part.period_type = &period;
	part.period = meta->sample_hz ? 1000000000 / meta->sample_hz : 0;
	part.default_sample_type = types[CPU_NS].type;
	part.time_nanos = (int64_t)rsp_export_realtime(p->x, p->x->model->since_ns);
	part.duration_nanos = (int64_t)(p->x->model->until_ns - p->x->model->since_ns);
	write_part(p, &part);
}

static void write_comments(struct pprof *p)
{
	char text[512];

	snprintf(text, sizeof(text), "recorded by RSP on %s, kernel %s", p->x->snap->meta.host,
		 p->x->snap->meta.kernel);
	write_comment(p, text);
	if (*p->x->headline)
		write_comment(p, p->x->headline);
	for (size_t i = 0; i < p->x->note_cnt; i++) {
		snprintf(text, sizeof(text), "incomplete: %s", p->x->notes[i]);
		write_comment(p, text);
	}
}

/* Writing an entry of one table adds entries to the tables that follow. */
static void write_all(struct pprof *p)
{
	write_head(p);
	write_comments(p);
	for (__u32 i = 0; i < p->samples.cnt && !p->error; i++)
		write_sample(p, i);
	for (__u32 i = 0; i < p->locations.cnt && !p->error; i++)
		write_location(p, i);
	for (__u32 i = 0; i < p->functions.cnt && !p->error; i++)
		write_function(p, i);
	for (__u32 i = 0; i < p->mappings.cnt && !p->error; i++)
		write_mapping(p, i);
	for (__u32 i = 0; i < p->strings.cnt && !p->error; i++)
		write_string(p, i);
}

static void pprof_free(struct pprof **p)
{
	if (*p)
		pprof_done(*p);
	free(*p);
}

int rsp_export_pprof(struct rsp_export *x, FILE *out)
{
	_cleanup_(pprof_free) struct pprof *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	p->x = x;
	p->error = rsp_estimate_new(x->model, x->names, &p->estimate);
	if (!p->error)
		p->error = rsp_export_lines_read(&x->lines, x->trace);
	if (!p->error)
		p->error = rsp_gzip_begin(&p->gz, out);
	if (p->error)
		return p->error;
	string(p, ""); /* pprof requires that the table begins with "" */
	for (size_t i = 0; i < x->model->threads.cnt && !p->error; i++)
		if (rsp_export_has_thread(x, i))
			add_thread(p, (__u32)i);
	write_all(p);
	return p->error ? p->error : rsp_gzip_finish(&p->gz);
}
