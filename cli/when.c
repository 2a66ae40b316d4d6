/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See when.h. */
#include "cli/when.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/quantity.h"

#define SECOND_NS 1000000000LL

static int64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * SECOND_NS + ts.tv_nsec;
}

uint64_t rsp_when_now_ns(void)
{
	return (uint64_t)clock_ns(CLOCK_MONOTONIC);
}

/* *ret is in nanoseconds, relative to now. */
static bool parse_relative(const char *text, int64_t *ret)
{
	char duration[32];
	size_t len = strlen(text);
	bool ago = len > 4 && !strcmp(text + len - 4, " ago");
	uint64_t ns;

	if (!ago && text[0] != '-' && text[0] != '+')
		return false;
	snprintf(duration, sizeof(duration), "%.*s", (int)(ago ? len - 4 : len - 1),
		 ago ? text : text + 1);
	if (rsp_duration_parse(duration, &ns) < 0 || ns > INT64_MAX)
		return false;
	*ret = ago || text[0] == '-' ? -(int64_t)ns : (int64_t)ns;
	return true;
}

int rsp_when_parse_date(const char *text, int64_t day_ns, int64_t *ret_ns)
{
	static const char *const formats[] = {"%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d",
					      "%H:%M:%S", "%H:%M"};
	time_t day = (time_t)(day_ns / SECOND_NS), then;

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct tm tm;
		const char *end;

		if (!localtime_r(&day, &tm))
			break;
		tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
		tm.tm_isdst = -1;
		end = strptime(text, formats[i], &tm);
		if (!end || *end)
			continue;
		then = mktime(&tm);
		return then != (time_t)-1 && !__builtin_mul_overflow(then, SECOND_NS, ret_ns)
			       ? 0
			       : -EINVAL;
	}
	return -EINVAL;
}

static bool parse_seconds(const char *text, int64_t *ret)
{
	char *end;
	long long s;

	if (text[0] != '@' || text[1] < '0' || text[1] > '9')
		return false;
	s = strtoll(text + 1, &end, 10);
	return !*end && !__builtin_mul_overflow(s, SECOND_NS, ret);
}

int rsp_when_parse_realtime(const char *text, int64_t *ret_ns)
{
	int64_t now_ns = clock_ns(CLOCK_REALTIME), ns = 0;

	if (!strcmp(text, "now")) {
		*ret_ns = now_ns;
		return 0;
	}
	if (parse_relative(text, &ns))
		return __builtin_add_overflow(ns, now_ns, ret_ns) ? -EINVAL : 0;
	return rsp_when_parse_date(text, now_ns, ret_ns) < 0 && !parse_seconds(text, ret_ns)
		       ? -EINVAL
		       : 0;
}

int rsp_when_parse(const char *text, uint64_t *ret_ns)
{
	int64_t base_ns = clock_ns(CLOCK_MONOTONIC) - clock_ns(CLOCK_REALTIME), ns;

	if (rsp_when_parse_realtime(text, &ns) < 0 || __builtin_add_overflow(ns, base_ns, &ns))
		return -EINVAL;
	*ret_ns = ns > 0 ? (uint64_t)ns : 1;
	return 0;
}
