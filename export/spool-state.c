/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See spool-state.h. */
#include "export/spool-state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

#define HEX	   "0123456789abcdef"
#define SEQ_DIGITS 16
#define SNAPSHOT   "snapshot-"

void rsp_spool_state_done(struct rsp_spool_state *s)
{
	free(s->snapshots.v);
}

uint32_t rsp_spool_date_of(time_t t)
{
	struct tm tm;

	if (!gmtime_r(&t, &tm))
		return 0;
	return (uint32_t)((tm.tm_year + 1900) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday);
}

/* --- names ------------------------------------------------------------------------------------ */

struct name {
	uint64_t seq;
	struct rsp_spool_cursor cursor;
	uint64_t first;
	char id[RSP_SPOOL_ID_BYTES]; /* "": summaries */
};

/*
 * The digits end at a '-' or the end of the string. Returns a pointer to this end; NULL: other
 * characters occur, or the digits do not fit into ret.
 */
static const char *take_hex(const char *s, char *ret, size_t size)
{
	size_t len = strspn(s, HEX);

	if (len == 0 || len >= size || (s[len] && s[len] != '-'))
		return NULL;
	memcpy(ret, s, len);
	ret[len] = '\0';
	return s + len;
}

static const char *take_number(const char *s, uint64_t *ret)
{
	size_t len = strspn(s, "0123456789");

	if (len == 0 || len > 18 || (s[len] && s[len] != '-'))
		return NULL;
	*ret = strtoull(s, NULL, 10);
	return s + len;
}

static bool parse_summaries(const char *s, struct name *ret)
{
	s = take_hex(s, ret->cursor.boot, sizeof(ret->cursor.boot));
	if (!s || *s != '-')
		return false;
	s = take_number(s + 1, &ret->first);
	if (!s || *s != '-')
		return false;
	s = take_number(s + 1, &ret->cursor.number);
	return s && !*s && ret->first <= ret->cursor.number;
}

static bool parse_name(const char *s, struct name *ret)
{
	char seq[SEQ_DIGITS + 1];

	*ret = (struct name){0};
	s = take_hex(s, seq, sizeof(seq));
	if (!s || *s != '-' || strlen(seq) != SEQ_DIGITS)
		return false;
	ret->seq = strtoull(seq, NULL, 16);
	s++;
	if (strncmp(s, SNAPSHOT, strlen(SNAPSHOT)) != 0)
		return parse_summaries(s, ret);
	s = take_hex(s + strlen(SNAPSHOT), ret->id, sizeof(ret->id));
	return s && !*s;
}

bool rsp_spool_name_is_valid(const char *name)
{
	struct name parts;

	return parse_name(name, &parts);
}

bool rsp_spool_name_is_snapshot(const char *name)
{
	struct name parts;

	return parse_name(name, &parts) && *parts.id;
}

/* --- changing the state ----------------------------------------------------------------------- */

bool rsp_spool_state_has(const struct rsp_spool_state *s, const char *id)
{
	for (size_t i = 0; i < s->snapshots.cnt; i++)
		if (strcmp(s->snapshots.v[i].text, id) == 0)
			return true;
	return false;
}

static int add_snapshot(struct rsp_spool_state *s, const char *id)
{
	struct rsp_spool_id *added;

	if (rsp_spool_state_has(s, id))
		return 0;
	if (s->snapshots.cnt >= RSP_SPOOL_SNAPSHOT_MAX)
		return -ENOSPC;
	added = rsp_array_add(&s->snapshots);
	if (!added)
		return -ENOMEM;
	snprintf(added->text, sizeof(added->text), "%s", id);
	return 0;
}

void rsp_spool_state_forget(struct rsp_spool_state *s,
			    bool (*exists)(const char *id, void *userdata), void *userdata)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->snapshots.cnt; i++)
		if (exists(s->snapshots.v[i].text, userdata))
			s->snapshots.v[kept++] = s->snapshots.v[i];
	s->snapshots.cnt = kept;
}

int rsp_spool_state_reserve(struct rsp_spool_state *s)
{
	void *v = s->snapshots.v;
	int r;

	if (s->snapshots.cnt >= RSP_SPOOL_SNAPSHOT_MAX)
		return -ENOSPC;
	r = rsp_array_reserve(&v, s->snapshots.cnt, &s->snapshots.cap, sizeof(*s->snapshots.v));
	s->snapshots.v = v;
	return r;
}

static void count_bytes(struct rsp_spool_day *day, uint64_t bytes, uint32_t date)
{
	if (date != day->date)
		*day = (struct rsp_spool_day){.date = date};
	day->bytes += bytes;
}

int rsp_spool_state_take(struct rsp_spool_state *s, const char *name, uint64_t bytes, uint32_t date)
{
	struct name parts;
	int r = 0;

	if (!parse_name(name, &parts))
		return -EBADMSG;
	if (parts.seq <= s->seq)
		return 0;
	if (*parts.id)
		r = add_snapshot(s, parts.id);
	else
		s->cursor = parts.cursor;
	if (r < 0)
		return r;
	s->seq = parts.seq;
	count_bytes(&s->day, bytes, date);
	return 0;
}

/* --- the text form ---------------------------------------------------------------------------- */

int rsp_spool_state_format(const struct rsp_spool_state *s, char **ret)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -ENOMEM;
	fprintf(f, "seq %" PRIu64 "\n", s->seq);
	if (*s->cursor.boot)
		fprintf(f, "cursor %s %" PRIu64 "\n", s->cursor.boot, s->cursor.number);
	fprintf(f, "day %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", s->day.date, s->day.bytes,
		s->day.left_out_cnt);
	for (size_t i = 0; i < s->snapshots.cnt; i++)
		fprintf(f, "snapshot %s\n", s->snapshots.v[i].text);
	if (ferror(f) | fclose(f)) {
		free(text);
		return -ENOMEM;
	}
	*ret = text;
	return 0;
}

static int parse_line(char *line, struct rsp_spool_state *s)
{
	char id[RSP_SPOOL_ID_BYTES], end;

	if (sscanf(line, "seq %" SCNu64 "%c", &s->seq, &end) == 1)
		return 0;
	if (sscanf(line, "cursor %32[" HEX "] %" SCNu64 "%c", s->cursor.boot, &s->cursor.number,
		   &end) == 2)
		return 0;
	if (sscanf(line, "day %" SCNu32 " %" SCNu64 " %" SCNu64 "%c", &s->day.date, &s->day.bytes,
		   &s->day.left_out_cnt, &end) == 3)
		return 0;
	if (sscanf(line, "snapshot %39[" HEX "]%c", id, &end) == 1)
		return add_snapshot(s, id);
	return -EBADMSG;
}

int rsp_spool_state_parse(const char *text, struct rsp_spool_state *s)
{
	_cleanup_free_ char *copy = strdup(text);
	char *line, *next = copy;
	int r = 0;

	if (!copy)
		return -ENOMEM;
	while (r == 0 && (line = strsep(&next, "\n")))
		if (*line)
			r = parse_line(line, s);
	return r;
}
