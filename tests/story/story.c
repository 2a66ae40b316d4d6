/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See story.h. verbs.c interprets the words of a line. */
#include "tests/story/story.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/story/words.h"

#define LINE_MAX_BYTES 4096 /* a stack of RSP_STACK_FRAMES_MAX names */

static void *must(void *p)
{
	if (!p) {
		fputs("story: no memory\n", stderr);
		abort();
	}
	return p;
}

__u64 story_ns(const char *ms)
{
	return STORY_BASE_NS + (__u64)(strtod(ms, NULL) * 1e6 + 0.5);
}

void *story_record(struct story *s, __u16 kind, size_t size, __u16 flags)
{
	struct rsp_ev_hdr *hdr;

	if (s->len + size > s->cap) {
		s->cap = (s->len + size) * 2;
		s->records = must(realloc(s->records, s->cap));
	}
	hdr = (void *)(s->records + s->len);
	memset(hdr, 0, size);
	*hdr = (struct rsp_ev_hdr){
		.ts_ns = s->now_ns, .kind = kind, .size = (__u16)size, .flags = flags};
	s->len += size;
	return hdr;
}

/* --- repeated lines -------------------------------------------------------------------------- */

/*
 * Reads a range such as "10..19", "cpu=0..9" or "1.5..4.5", whose numbers count up or down by 1.
 * Returns the offset of the numbers in the word, or -1 if the word is not a range. ret_fraction:
 * the fraction of all numbers, such as ".5", or "".
 */
static int range_of(const char *word, long *ret_from, long *ret_to, char ret_fraction[16])
{
	const char *equals = strchr(word, '=');
	int start = equals ? (int)(equals - word) + 1 : 0;

	*ret_fraction = '\0';
	if (sscanf(word + start, "%ld..%ld", ret_from, ret_to) == 2)
		return start;
	*ret_fraction = '.';
	return sscanf(word + start, "%ld.%14[0-9]..%ld", ret_from, ret_fraction + 1, ret_to) == 3
		       ? start
		       : -1;
}

/*
 * Returns how many times to add the line: 1, or the length of its ranges. Sets an error if the
 * lengths differ.
 */
static long count_times(struct words *w)
{
	long from, to, times = 1, own;
	char fraction[16];

	for (int i = 0; i < w->cnt; i++) {
		if (range_of(w->v[i], &from, &to, fraction) < 0)
			continue;
		own = labs(to - from) + 1;
		if (times != 1 && own != times)
			words_fail(w, "\"%s\" counts %ld, not %ld", w->v[i], own, times);
		times = own;
	}
	return times;
}

static void add_once(struct story *s, const struct words *line, long n)
{
	char counted[WORDS_MAX][48], fraction[16];
	struct words w = *line;
	long from, to;

	for (int i = 0; i < w.cnt; i++) {
		int start = range_of(w.v[i], &from, &to, fraction);

		if (start < 0)
			continue;
		snprintf(counted[i], sizeof(counted[i]), "%.*s%ld%s", start, w.v[i],
			 from < to ? from + n : from - n, fraction);
		w.v[i] = counted[i];
	}
	story_add(s, &w);
	memcpy(s->error, w.error, sizeof(s->error));
}

static int read_line(struct story *s, char *line)
{
	struct words w;
	long times;

	words_split(&w, line);
	if (w.cnt == 0)
		return 0;
	times = count_times(&w);
	memcpy(s->error, w.error, sizeof(s->error));
	for (long n = 0; n < times && !*s->error; n++)
		add_once(s, &w, n);
	return *s->error ? -EINVAL : 0;
}

int story_read(struct story *s, const char *text)
{
	char line[LINE_MAX_BYTES];
	int r = 0;

	s->error_line = 1;
	while (*text && r == 0) {
		size_t len = strcspn(text, ";\n#");

		if (len >= sizeof(line)) {
			snprintf(s->error, sizeof(s->error), "longer than %zu bytes",
				 sizeof(line) - 1);
			return -EINVAL;
		}
		memcpy(line, text, len);
		line[len] = '\0';
		r = read_line(s, line);
		text += len;
		if (*text == '#')
			text += strcspn(text, "\n");
		if (r == 0)
			s->error_line += *text == '\n';
		text += *text != '\0';
	}
	return r;
}

/* --- the whole story ------------------------------------------------------------------------- */

struct story *story_begin(void)
{
	struct story *s = must(calloc(1, sizeof(*s)));

	s->snap.meta.target_pid = 10;
	s->sample_hz = STORY_SAMPLE_HZ;
	if (rsp_symbols_builder_new(&s->symbols) < 0)
		must(NULL);
	return s;
}

void story_finish(struct story *s)
{
	size_t symbols_len;

	if (rsp_symbols_builder_finish(s->symbols, &s->symbols_data, &symbols_len) < 0)
		must(NULL);
	s->sections[0] = (struct rsp_section){RSP_SEC_EVENTS, s->records, s->len};
	s->sections[1] = (struct rsp_section){RSP_SEC_SYMBOLS, s->symbols_data, symbols_len};
	s->snap.sections = s->sections;
	s->snap.section_cnt = 2;
	if (rsp_trace_new(&s->snap, &s->trace) < 0)
		must(NULL);
}

struct story *story_new(const char *text)
{
	struct story *s = story_begin();

	if (story_read(s, text) < 0) {
		fprintf(stderr, "story: line %d: %s\n", s->error_line, s->error);
		abort();
	}
	story_finish(s);
	return s;
}

struct story *story_free(struct story *s)
{
	if (!s)
		return NULL;
	rsp_trace_free(s->trace);
	rsp_symbols_builder_free(s->symbols);
	free(s->symbols_data);
	free(s->records);
	free(s);
	return NULL;
}
