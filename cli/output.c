/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See output.h. */
#include "cli/output.h"

#include <errno.h>
#include <json-c/json.h>
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

void rsp_table_init(struct rsp_table *t, size_t column_cnt)
{
	*t = (struct rsp_table){.column_cnt = column_cnt};
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
		*cell = NULL; /* undefined after a failure */
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
	if (t->failed)
		return rsp_fail(-ENOMEM, "cannot make a table: %m");
	for (size_t i = 0; i < t->cells.cnt; i++) {
		size_t column = i % t->column_cnt;
		const char *cell = t->cells.v[i];
		bool last = column + 1 == t->column_cnt;
		size_t pad = last ? 0 : t->width[column] - rsp_format_columns(cell) + 2;

		printf("%s%*s%s", cell, (int)pad, "", last ? "\n" : "");
	}
	return rsp_output_flush();
}

char *rsp_output_time(int64_t realtime_ns, char *buf)
{
	time_t seconds = realtime_ns / 1000000000;
	struct tm tm;

	if (!localtime_r(&seconds, &tm) ||
	    strftime(buf, RSP_OUTPUT_TIME_MAX, "%a %Y-%m-%d %H:%M:%S %Z", &tm) == 0)
		strcpy(buf, "-");
	return buf;
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

unsigned int rsp_output_width(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
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
