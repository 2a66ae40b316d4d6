/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See moment.h. */
#include "cli/moment.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/options-parts.h"
#include "cli/when.h"
#include "lib/base/format.h"
#include "lib/base/quantity.h"

/* Returns the time that the records of a trace cover, which may be longer than the span. */
static struct rsp_stretch recorded(const struct rsp_trace *trace)
{
	const struct rsp_meta *meta = &trace->snap->meta;

	return (struct rsp_stretch){
		.from_ns = meta->window_oldest_ns ? meta->window_oldest_ns : meta->since_ns,
		.to_ns = meta->events_until_ns > meta->until_ns ? meta->events_until_ns
								: meta->until_ns,
	};
}

static bool find_offset(const struct rsp_meta *meta, const char *text, int64_t *ret)
{
	bool from_end = *text == '-';
	uint64_t ns;

	if (rsp_duration_parse(text + (from_end || *text == '+'), &ns) < 0)
		return false;
	/*
	 * The sum cannot wrap around: durations and times since the machine's start have at most 63
	 * bits.
	 */
	*ret = from_end ? (int64_t)(meta->until_ns - ns) : (int64_t)(meta->since_ns + ns);
	if (!from_end && *ret < 0)
		*ret = INT64_MAX;
	return true;
}

static bool find_date(const struct rsp_meta *meta, const char *text, int64_t *ret)
{
	int64_t since_ns = (int64_t)meta->since_ns + meta->realtime_offset_ns, ns;

	if (rsp_when_parse_date(text, since_ns, &ns) < 0)
		return false;
	return !__builtin_sub_overflow(ns, meta->realtime_offset_ns, ret);
}

/*
 * Finds the marks whose text begins with the first len bytes of text. Sets *ret to the time of the
 * last of these marks. Returns their number.
 */
static size_t find_mark(const struct rsp_trace *trace, const char *text, size_t len, int64_t *ret)
{
	size_t cnt = 0;

	for (size_t i = 0; i < trace->marks.cnt; i++) {
		const struct rsp_ev_mark *mark = trace->marks.v[i];

		if (strncmp(mark->text, text, len))
			continue;
		*ret = (int64_t)mark->hdr.ts_ns;
		cnt++;
	}
	return cnt;
}

static int find(const struct rsp_trace *trace, const char *text, const char *name, int64_t *ret)
{
	const struct rsp_meta *meta = &trace->snap->meta;
	size_t cnt;

	if (find_offset(meta, text, ret) || find_date(meta, text, ret))
		return RSP_EXIT_OK;
	/* A comparison that includes the NUL finds only marks with exactly this text. */
	cnt = find_mark(trace, text, strlen(text) + 1, ret);
	if (!cnt)
		cnt = find_mark(trace, text, strlen(text), ret);
	if (cnt == 1)
		return RSP_EXIT_OK;
	return cnt ? rsp_misuse("%s: %zu marks are called '%s': give a time instead "
				"('rspctl report --view marks' shows them)",
				name, cnt, text)
		   : rsp_misuse("%s: '%s' is neither a time (5s, -5s, 10:42:00) nor a mark of "
				"the recording",
				name, text);
}

static char *offset_text(const struct rsp_meta *meta, int64_t ns, char *buf)
{
	int64_t offset_ns = ns - (int64_t)meta->since_ns;

	buf[0] = '-';
	rsp_format_ns((uint64_t)(offset_ns < 0 ? -offset_ns : offset_ns), buf + (offset_ns < 0),
		      RSP_FORMAT_MAX);
	return buf;
}

static int check(const struct rsp_trace *trace, int64_t from_ns, int64_t to_ns, const char *name)
{
	const struct rsp_meta *meta = &trace->snap->meta;
	struct rsp_stretch all = recorded(trace);
	char from[RSP_FORMAT_MAX + 1], to[RSP_FORMAT_MAX + 1];

	if (from_ns < (int64_t)all.from_ns || to_ns > (int64_t)all.to_ns ||
	    from_ns > (int64_t)all.to_ns || to_ns < (int64_t)all.from_ns)
		return rsp_misuse("%s is not within the recording, which covers %s to %s", name,
				  offset_text(meta, (int64_t)all.from_ns, from),
				  offset_text(meta, (int64_t)all.to_ns, to));
	if (from_ns == to_ns)
		return rsp_misuse("%s is empty: it begins and ends at the same time", name);
	if (from_ns > to_ns)
		return rsp_misuse("%s ends (at %s) before it begins (at %s)", name,
				  offset_text(meta, to_ns, to), offset_text(meta, from_ns, from));
	return RSP_EXIT_OK;
}

int rsp_stretch_find(const struct rsp_trace *trace, const char *from, const char *to,
		     const char *name, struct rsp_stretch *ret)
{
	int64_t from_ns = (int64_t)trace->snap->meta.since_ns;
	int64_t to_ns = (int64_t)trace->snap->meta.until_ns;
	int r = *from ? find(trace, from, name, &from_ns) : RSP_EXIT_OK;

	if (!r && *to)
		r = find(trace, to, name, &to_ns);
	if (!r)
		r = check(trace, from_ns, to_ns, name);
	if (!r)
		*ret = (struct rsp_stretch){(uint64_t)from_ns, (uint64_t)to_ns};
	return r;
}
