/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See span.h. */
#include "fleet/span.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "cli/output.h"
#include "cli/when.h"

#define SECOND_NS 1000000000LL

static int parse(const char *text, int64_t *ret)
{
	int64_t ns;

	if (rsp_when_parse_realtime(text, &ns) < 0 || ns < 0)
		return rsp_fail(-EINVAL,
				"'%s' is not a time (\"10:42\", \"2026-11-21 10:42\", \"-2h\")",
				text),
		       RSP_EXIT_USAGE;
	*ret = ns / SECOND_NS;
	return RSP_EXIT_OK;
}

static int check(const struct rsp_fleet_span *span)
{
	if (span->since < span->until)
		return RSP_EXIT_OK;
	rsp_fail(0, "a span must end after it begins");
	return RSP_EXIT_USAGE;
}

int rsp_fleet_span_of(const struct rsp_fleet_options *opt, struct rsp_fleet_span *ret)
{
	int64_t last = (int64_t)(opt->last_ns / SECOND_NS);
	int r = RSP_EXIT_OK;

	ret->until = time(NULL) + 1;
	if (opt->until)
		r = parse(opt->until, &ret->until);
	ret->since = ret->until > last ? ret->until - last : 0;
	if (!r && opt->since)
		r = parse(opt->since, &ret->since);
	return r ? r : check(ret);
}

/* Returns an enum rsp_exit; -1: the text contains no "..". */
static int parse_span(const char *text, struct rsp_fleet_span *ret)
{
	const char *dots = strstr(text, "..");
	char from[64];
	int r;

	if (!dots)
		return -1;
	snprintf(from, sizeof(from), "%.*s", (int)(dots - text), text);
	r = parse(from, &ret->since);
	if (!r)
		r = parse(dots + 2, &ret->until);
	return r ? r : check(ret);
}

int rsp_fleet_spans_around(const struct rsp_fleet_options *opt, struct rsp_fleet_span *ret_before,
			   struct rsp_fleet_span *ret_after)
{
	int64_t last = (int64_t)(opt->last_ns / SECOND_NS), now = time(NULL) + 1;
	int r = parse_span(opt->before, ret_before);

	if (r < 0) {
		r = parse(opt->before, &ret_before->until);
		if (!r)
			ret_before->since = ret_before->until > last ? ret_before->until - last : 0;
	}
	if (r)
		return r;
	r = parse_span(opt->after, ret_after);
	if (r >= 0)
		return r;
	r = parse(opt->after, &ret_after->since);
	if (r)
		return r;
	ret_after->until = ret_after->since + last;
	if (ret_after->until > now)
		ret_after->until = now;
	return check(ret_after);
}

char *rsp_fleet_span_text(const struct rsp_fleet_span *span,
			  char buf[static RSP_FLEET_SPAN_TEXT_MAX])
{
	char since[RSP_OUTPUT_TIME_MAX], until[RSP_OUTPUT_TIME_MAX];

	snprintf(buf, RSP_FLEET_SPAN_TEXT_MAX, "%s to %s",
		 rsp_output_time(span->since * SECOND_NS, since),
		 rsp_output_time(span->until * SECOND_NS, until));
	return buf;
}
