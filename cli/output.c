/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See output.h. */
#include "cli/output.h"

#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/json.h"
#include "lib/base/text.h"
#include "lib/base/wrap.h"

/*
 * Minimum width of the last column. If the terminal has less room, the last column is not wrapped.
 */
#define LAST_COLS_MIN 20

void rsp_table_init(struct rsp_table *t, size_t column_cnt)
{
	*t = (struct rsp_table){.column_cnt = column_cnt, .columns = rsp_output_width()};
}

void rsp_table_done(struct rsp_table *t)
{
	for (size_t i = 0; i < t->cells.cnt; i++)
		free(t->cells.v[i]);
	free(t->cells.v);
}

void rsp_table_add(struct rsp_table *t, const char *format, ...)
{
	size_t column = t->cells.cnt % t->column_cnt, width;
	char **cell = rsp_array_add(&t->cells);
	va_list args;
	int n;

	if (!cell) {
		t->failed = true;
		return;
	}
	va_start(args, format);
	n = vasprintf(cell, format, args);
	va_end(args);
	if (n < 0) {
		*cell = NULL; /* vasprintf() leaves it undefined on failure */
		t->failed = true;
		return;
	}
	rsp_text_clean(*cell);
	width = rsp_format_columns(*cell);
	if (width > t->width[column])
		t->width[column] = width;
}

int rsp_table_print(const struct rsp_table *t)
{
	unsigned int width = t->columns;
	size_t indent = 0;

	if (t->failed)
		return rsp_fail(-ENOMEM, "cannot make a table: %m");
	for (size_t i = 0; i + 1 < t->column_cnt; i++)
		indent += t->width[i] + 2;
	if (width < indent + LAST_COLS_MIN)
		width = 0;
	for (size_t i = 0; i < t->cells.cnt; i++) {
		size_t column = i % t->column_cnt;
		const char *cell = t->cells.v[i];
		bool last = column + 1 == t->column_cnt;
		size_t pad = last ? 0 : t->width[column] - rsp_format_columns(cell) + 2;

		if (last) {
			rsp_wrap(stdout, cell, indent, indent, width);
			putchar('\n');
		} else {
			printf("%s%*s", cell, (int)pad, "");
		}
	}
	return rsp_output_flush();
}

static char *put_time(int64_t realtime_ns, const char *format, char *buf)
{
	time_t seconds = realtime_ns / 1000000000;
	struct tm tm;

	if (!localtime_r(&seconds, &tm) || strftime(buf, RSP_OUTPUT_TIME_MAX, format, &tm) == 0)
		strcpy(buf, "-");
	return buf;
}

char *rsp_output_time(int64_t realtime_ns, char *buf)
{
	return put_time(realtime_ns, "%a %Y-%m-%d %H:%M:%S %Z", buf);
}

char *rsp_output_short_time(int64_t realtime_ns, char *buf)
{
	return put_time(realtime_ns, "%Y-%m-%d %H:%M:%S", buf);
}

int rsp_output_json(struct json_object *o, enum rsp_json_mode mode)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE;
	const char *text;
	size_t len;

	flags |= mode == RSP_JSON_PRETTY ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED
					 : JSON_C_TO_STRING_PLAIN;
	text = json_object_to_json_string_length(o, flags, &len);
	if (text)
		rsp_json_put(text, len, 0, stdout);
	putchar('\n');
	json_object_put(o);
	return rsp_output_flush();
}

static unsigned int find_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	char *end;

	if (columns && *columns >= '1' && *columns <= '9') {
		unsigned long n = strtoul(columns, &end, 10);

		if (!*end && n <= USHRT_MAX)
			return (unsigned int)n;
	}
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

unsigned int rsp_output_width(void)
{
	static unsigned int width;
	static bool known;

	if (!known)
		width = find_width();
	known = true;
	return width;
}

bool rsp_output_wants_colour(void)
{
	/* See https://no-color.org: every value except the empty one disables colours. */
	const char *no_color = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color);
}

int rsp_output_flush(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return RSP_EXIT_OK;
	return rsp_fail(-errno, "cannot write to the standard output: %m");
}
