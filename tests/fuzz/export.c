/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exports a random snapshot (records.h) in one of the formats that other programs can read. JSON
 * must be valid.
 */
#include <errno.h>
#include <stdio.h>
#include <zlib.h>

#include "lib/base/json.h"
#include "lib/base/text.h"
#include "lib/export/export.h"
#include "lib/export/proto/perfetto.pb-c.h"
#include "lib/export/proto/pprof.pb-c.h"
#include "tests/fuzz/records.h"

#define INFLATED_MAX (64 << 20)

static void must_be_clean(const char *s)
{
	char *copy = strdup(s);

	rsp_text_clean(copy);
	must(strcmp(copy, s) == 0);
	free(copy);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void check_json(const char *text, size_t len)
{
	struct json_object *o;

	must(rsp_json_parse(text, len, 600, &o) == 0);
	json_object_put(o);
}

static void check_lines(const char *text, size_t len)
{
	const char *end = text + len, *newline;

	for (; text < end; text = newline + 1) {
		newline = memchr(text, '\n', (size_t)(end - text));
		must(newline != NULL);
		check_json(text, (size_t)(newline - text));
	}
}

/* --- pprof ------------------------------------------------------------------------------------ */

static __u8 *inflated(const char *bytes, size_t len, size_t *ret_len)
{
	__u8 *buf = malloc(INFLATED_MAX);
	z_stream stream = {.next_in = (void *)bytes,
			   .avail_in = (unsigned int)len,
			   .next_out = buf,
			   .avail_out = INFLATED_MAX};

	must(inflateInit2(&stream, 15 + 16) == Z_OK);
	must(inflate(&stream, Z_FINISH) == Z_STREAM_END);
	*ret_len = stream.total_out;
	inflateEnd(&stream);
	return buf;
}

static void check_samples(const Perftools__Profiles__Profile *p)
{
	for (size_t i = 0; i < p->n_sample; i++) {
		const Perftools__Profiles__Sample *s = p->sample[i];

		must(s->n_location_id > 0 && s->n_value == p->n_sample_type);
		for (size_t k = 0; k < s->n_location_id; k++)
			must(s->location_id[k] > 0 && s->location_id[k] <= p->n_location);
		for (size_t k = 0; k < s->n_label; k++)
			must((size_t)s->label[k]->key < p->n_string_table &&
			     (size_t)s->label[k]->str < p->n_string_table);
	}
	for (size_t i = 0; i < p->n_location; i++)
		must(p->location[i]->id == i + 1 && p->location[i]->mapping_id <= p->n_mapping &&
		     p->location[i]->line[0]->function_id <= p->n_function);
}

static void check_pprof(const char *bytes, size_t len)
{
	Perftools__Profiles__Profile *p;
	__u8 *buf = inflated(bytes, len, &len);

	p = perftools__profiles__profile__unpack(NULL, len, buf);
	must(p != NULL && p->n_string_table > 0 && !*p->string_table[0]);
	for (size_t i = 0; i < p->n_string_table; i++)
		must_be_clean(p->string_table[i]);
	check_samples(p);
	perftools__profiles__profile__free_unpacked(p, NULL);
	free(buf);
}

/* --- Perfetto --------------------------------------------------------------------------------- */

static void check_names(const Perfetto__Protos__TracePacket *packet)
{
	const Perfetto__Protos__InternedData *data = packet->interned_data;

	for (size_t i = 0; data && i < data->n_event_names; i++)
		must_be_clean(data->event_names[i]->name);
	for (size_t i = 0; packet->ftrace_events && i < packet->ftrace_events->n_event; i++) {
		const Perfetto__Protos__FtraceEvent *e = packet->ftrace_events->event[i];

		must(!e->sched_switch || e->sched_switch->prev_pid != e->sched_switch->next_pid);
		if (e->sched_switch)
			must_be_clean(e->sched_switch->next_comm);
	}
	for (size_t i = 0; packet->process_tree && i < packet->process_tree->n_threads; i++)
		must_be_clean(packet->process_tree->threads[i]->name);
}

static void check_perfetto(const char *bytes, size_t len)
{
	Perfetto__Protos__Trace *t = perfetto__protos__trace__unpack(NULL, len,
								     (const __u8 *)bytes);

	must(t != NULL && t->n_packet > 0);
	for (size_t i = 0; i < t->n_packet; i++)
		check_names(t->packet[i]);
	perfetto__protos__trace__free_unpacked(t, NULL);
}

/* ---------------------------------------------------------------------------------------------- */

static void check(enum rsp_export_format format, const char *bytes, size_t len)
{
	switch (format) {
	case RSP_EXPORT_PPROF:
		check_pprof(bytes, len);
		break;
	case RSP_EXPORT_PERFETTO:
		check_perfetto(bytes, len);
		break;
	case RSP_EXPORT_OTLP:
		check_lines(bytes, len);
		break;
	default:
		check_json(bytes, len);
	}
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct records records;
	struct input in = {data, len};
	struct rsp_export *x;
	struct rsp_trace *trace;
	__u8 choice = take_u8(&in);
	enum rsp_export_format format = RSP_EXPORT_PPROF + choice / 2 % RSP_EXPORT_OTLP;
	bool only_target = choice & 1;
	char *bytes = NULL;
	size_t size;
	FILE *out;
	int r;

	records_take(&in, &records);
	must(rsp_trace_new(&records.snap, &trace) == 0);
	r = rsp_export_new(&records.snap, trace, only_target, &x);
	must(r == 0 || (only_target && r == -ESRCH));
	if (r == 0) {
		out = open_memstream(&bytes, &size);
		must(rsp_export_write(x, format, out) == 0);
		fclose(out);
		check(format, bytes, size);
		free(bytes);
		rsp_export_free(x);
	}
	rsp_trace_free(trace);
	records_done(&records);
	return 0;
}
