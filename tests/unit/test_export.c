/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the exported files of stories. tests/exports reads such files with other programs. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "lib/base/json.h"
#include "lib/export/export-parts.h"
#include "lib/export/gzip.h"
#include "lib/export/proto/perfetto.pb-c.h"
#include "lib/export/proto/pprof.pb-c.h"
#include "lib/profile/profile.h"
#include "tests/story/story.h"

#define MS 1000000LL

static const char two[] =
	"0 window 0 12; 0 target 10; 0 alive 10 web; 0 alive 20 db; 0 ustack 1 query,main; 0 run 10 cpu=0\n"
	"1 sample 10 u=1; 3 sample 10 u=1; 4 block 10 sys=0 u=1; 5 run 20 cpu=0; 8 wake 20 10\n"
	"8 to 20 10; 10 preempt 10 30; 11 to 30 10; 12 block 10";

struct exported {
	struct story *story;
	struct rsp_export *x;
};

static struct exported export_story(const char *text)
{
	struct exported e = {.story = story_new(text)};

	assert_int_equal(rsp_export_new((struct rsp_snapshot *)e.story->trace->snap, e.story->trace,
					false, &e.x),
			 0);
	return e;
}

static void exported_done(struct exported *e)
{
	rsp_export_free(e->x);
	story_free(e->story);
}

static char *written(const struct exported *e, enum rsp_export_format format, size_t *ret_len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, ret_len);

	assert_int_equal(rsp_export_write(e->x, format, out), 0);
	fclose(out);
	return text;
}

/* --- pprof ------------------------------------------------------------------------------------ */

static Perftools__Profiles__Profile *read_pprof(const struct exported *e)
{
	static uint8_t buf[1 << 16];
	size_t len;
	char *bytes = written(e, RSP_EXPORT_PPROF, &len);
	z_stream stream = {.next_in = (void *)bytes,
			   .avail_in = (unsigned int)len,
			   .next_out = buf,
			   .avail_out = sizeof(buf)};
	Perftools__Profiles__Profile *p;

	assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	p = perftools__profiles__profile__unpack(NULL, stream.total_out, buf);
	assert_non_null(p);
	inflateEnd(&stream);
	free(bytes);
	return p;
}

/*
 * Returns the sum of a value over all samples whose label `key` is `text`; text NULL: over all
 * samples.
 */
static int64_t sum(const Perftools__Profiles__Profile *p, int value, const char *key,
		   const char *text)
{
	int64_t total = 0;

	for (size_t i = 0; i < p->n_sample; i++) {
		bool has = !text;

		for (size_t k = 0; k < p->sample[i]->n_label; k++) {
			const Perftools__Profiles__Label *l = p->sample[i]->label[k];

			has |= text && !strcmp(p->string_table[l->key], key) &&
			       !strcmp(p->string_table[l->str], text);
		}
		total += has ? p->sample[i]->value[value] : 0;
	}
	return total;
}

enum { SAMPLES, CPU_NS, WAITS, OFF_CPU_NS };

static void states_have_their_times(void **state)
{
	struct exported e = export_story(two);
	Perftools__Profiles__Profile *p = read_pprof(&e);

	assert_int_equal(sum(p, SAMPLES, "process", "web"), 2);
	assert_int_equal(sum(p, CPU_NS, "process", "web"), 7 * MS);
	assert_int_equal(sum(p, CPU_NS, "process", "db"), 3 * MS);
	assert_int_equal(sum(p, OFF_CPU_NS, "state", "preempted"), 1 * MS);
	assert_int_equal(sum(p, OFF_CPU_NS, "syscall", "read"), 4 * MS);
	assert_int_equal(sum(p, WAITS, "syscall", "read"), 1);
	perftools__profiles__profile__free_unpacked(p, NULL);
	exported_done(&e);
}

static void totals_are_those_of_profiles(void **state)
{
	struct exported e = export_story(two);
	Perftools__Profiles__Profile *p = read_pprof(&e);
	struct rsp_profile_options opt = {.kind = RSP_PROFILE_ONCPU};
	struct rsp_profile profile;

	assert_int_equal(rsp_profile_make(e.x->model, &opt, &profile), 0);
	assert_int_equal(sum(p, CPU_NS, NULL, NULL), profile.total);
	rsp_profile_done(&profile);
	opt.kind = RSP_PROFILE_OFFCPU;
	assert_int_equal(rsp_profile_make(e.x->model, &opt, &profile), 0);
	assert_int_equal(sum(p, OFF_CPU_NS, "state", "blocked"), profile.total);
	rsp_profile_done(&profile);
	perftools__profiles__profile__free_unpacked(p, NULL);
	exported_done(&e);
}

/* --- Perfetto --------------------------------------------------------------------------------- */

static const char reused[] =
	"0 window 0 60; 0 target 10; 0 alive 10 web; 0 alive 11 first 10; 0 run 11 cpu=0\n"
	"5 exit 11; 5 dead 11; 20 fork 10 11 10; 20 name 11 second 10; 21 run 11; 22 exit 11; 22 dead 11\n"
	"40 fork 10 11; 40 exec 11 tool; 41 run 11; 60 block 11";

/* Writes "NAME@MS" for each name and each end of ID 11. */
static void names_of_11(const Perfetto__Protos__Trace *trace, char *ret, size_t size)
{
	FILE *out = fmemopen(ret, size, "w");

	for (size_t i = 0; i < trace->n_packet; i++) {
		const Perfetto__Protos__TracePacket *p = trace->packet[i];
		const Perfetto__Protos__ProcessTree *tree = p->process_tree;
		long long ms = (long long)(p->timestamp - STORY_BASE_NS) / MS;

		for (size_t k = 0; tree && k < tree->n_threads; k++)
			if (tree->threads[k]->tid == 11)
				fprintf(out, "%s@%lld ", tree->threads[k]->name, ms);
		for (size_t k = 0; tree && k < tree->n_processes; k++)
			if (tree->processes[k]->pid == 11)
				fprintf(out, "%s@%lld ", tree->processes[k]->cmdline[0], ms);
		if (p->track_descriptor && p->track_descriptor->thread &&
		    p->track_descriptor->thread->tid == 11)
			fprintf(out, "track:%s@%lld ", p->track_descriptor->thread->thread_name,
				ms);
		for (size_t k = 0; p->ftrace_events && k < p->ftrace_events->n_event; k++) {
			const Perfetto__Protos__FtraceEvent *e = p->ftrace_events->event[k];

			if (e->sched_process_free && e->sched_process_free->pid == 11)
				fprintf(out, "end:%s@%.6f ", e->sched_process_free->comm,
					(double)(e->timestamp - STORY_BASE_NS) / MS);
		}
	}
	fclose(out);
}

static void threads_with_the_same_id_are_apart(void **state)
{
	struct exported e = export_story(reused);
	char names[512] = "";
	size_t len;
	char *bytes = written(&e, RSP_EXPORT_PERFETTO, &len);
	Perfetto__Protos__Trace *trace = perfetto__protos__trace__unpack(NULL, len,
									 (const uint8_t *)bytes);

	assert_non_null(trace);
	names_of_11(trace, names, sizeof(names));
	assert_string_equal(names, "first@0 second@20 tool@40 end:first@19.999999 "
				   "end:second@39.999999 track:first@0 track:second@20 "
				   "track:tool@40 ");
	perfetto__protos__trace__free_unpacked(trace, NULL);
	free(bytes);
	exported_done(&e);
}

/* --- missing data ----------------------------------------------------------------------------- */

static const char *first_note(const struct exported *e)
{
	const char *const *notes;

	return rsp_export_notes(e->x, &notes) ? notes[0] : "";
}

static void nothing_is_missing(void **state)
{
	struct exported e = export_story(two);

	assert_string_equal(first_note(&e), "");
	exported_done(&e);
}

static void lost_records_are_noted(void **state)
{
	struct exported e = export_story("0 window 0 12; 0 alive 10 web; 0 run 10; 8 lost 6 cnt=7; "
					 "12 block 10");

	assert_string_equal(first_note(&e),
			    "7 records were lost: times and counts may be too small");
	exported_done(&e);
}

static void an_empty_snapshot_is_noted(void **state)
{
	struct exported e = export_story("0 window 0 12");
	struct json_object *o;
	size_t len;

	assert_string_equal(first_note(&e), "the snapshot contains no scheduling records");
	for (int format = RSP_EXPORT_PPROF; format < RSP_EXPORT_JSON; format++) {
		char *text = written(&e, (enum rsp_export_format)format, &len);

		assert_true(len > 0);
		if (format == RSP_EXPORT_CHROME || format == RSP_EXPORT_FIREFOX) {
			assert_int_equal(rsp_json_parse(text, len, 64, &o), 0);
			json_object_put(o);
			assert_non_null(strstr(text, "no scheduling records"));
		}
		free(text);
	}
	exported_done(&e);
}

/* --- parts ------------------------------------------------------------------------------------ */

static void formats_have_names(void **state)
{
	enum rsp_export_format format = RSP_EXPORT_NONE;

	assert_int_equal(rsp_export_parse("otlp", &format), 0);
	assert_int_equal(format, RSP_EXPORT_OTLP);
	assert_int_equal(rsp_export_parse("", &format), -EINVAL);
	assert_int_equal(rsp_export_parse("xml", &format), -EINVAL);
	assert_int_equal(format, RSP_EXPORT_OTLP);
}

/* A time in nanoseconds since 1970 needs 61 bits, but the mantissa of a double has only 53 bits. */
static void times_keep_their_digits(void **state)
{
	struct json_object *o = rsp_export_json_time(1795228575962986126, 3);

	assert_string_equal(json_object_to_json_string(o), "1795228575962986.126");
	json_object_put(o);
	o = rsp_export_json_time(5, 6);
	assert_string_equal(json_object_to_json_string(o), "0.000005");
	json_object_put(o);
}

static void gzip_writes_long_streams(void **state)
{
	static uint8_t noise[100000], back[sizeof(noise)];
	uLongf back_len = 0;
	struct rsp_gzip gz;
	uint32_t n = 1;
	char *bytes;
	size_t len;
	FILE *out = open_memstream(&bytes, &len);
	z_stream stream = {.next_out = back, .avail_out = sizeof(back)};

	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (uint8_t)((n = n * 1664525 + 1013904223) >> 24);
	assert_int_equal(rsp_gzip_begin(&gz, out), 0);
	assert_int_equal(rsp_gzip_put(&gz, noise, sizeof(noise)), 0);
	assert_int_equal(rsp_gzip_finish(&gz), 0);
	rsp_gzip_done(&gz);
	fclose(out);
	stream.next_in = (void *)bytes;
	stream.avail_in = (unsigned int)len;
	assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	back_len = stream.total_out;
	inflateEnd(&stream);
	assert_int_equal(back_len, sizeof(noise));
	assert_memory_equal(back, noise, sizeof(noise));
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_have_their_times),
		cmocka_unit_test(totals_are_those_of_profiles),
		cmocka_unit_test(threads_with_the_same_id_are_apart),
		cmocka_unit_test(nothing_is_missing),
		cmocka_unit_test(lost_records_are_noted),
		cmocka_unit_test(an_empty_snapshot_is_noted),
		cmocka_unit_test(formats_have_names),
		cmocka_unit_test(times_keep_their_digits),
		cmocka_unit_test(gzip_writes_long_streams),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
