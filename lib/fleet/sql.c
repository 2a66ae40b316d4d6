/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See sql.h. */
#include "lib/fleet/sql.h"

#include <inttypes.h>
#include <time.h>

void rsp_sql_put_string(FILE *out, const char *s)
{
	putc('\'', out);
	for (const unsigned char *c = (const unsigned char *)s; *c; c++) {
		/*
		 * In ClickHouse, a literal ends at the first quote without a backslash before it.
		 */
		if (*c == '\'' || *c == '\\' || *c < ' ' || *c == 127)
			fprintf(out, "\\x%02X", *c);
		else
			putc(*c, out);
	}
	putc('\'', out);
}

void rsp_sql_put_time(FILE *out, int64_t t)
{
	fprintf(out, "toDateTime(%" PRId64 ")", t);
}

void rsp_sql_put_date(FILE *out, int64_t t)
{
	time_t seconds = (time_t)t;
	struct tm tm = {0};

	gmtime_r(&seconds, &tm);
	fprintf(out, "toDate('%04d-%02d-%02d')", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
}

bool rsp_sql_is_name(const char *s)
{
	size_t len = 0;

	for (; s[len]; len++)
		if (!(s[len] == '_' || (s[len] >= 'a' && s[len] <= 'z') ||
		      (s[len] >= 'A' && s[len] <= 'Z') ||
		      (s[len] >= '0' && s[len] <= '9' && len > 0)))
			return false;
	return len > 0 && len <= 64;
}
