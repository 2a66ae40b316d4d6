/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report-pen.h. */
#include "lib/report/report-pen.h"

#include <stdarg.h>
#include <string.h>

#include "lib/base/wrap.h"

void rsp_pen_coloured(const struct rsp_pen *pen, const char *sgr, const char *s)
{
	if (pen->opt->colour && *s)
		fprintf(pen->out, "\x1b[%sm%s\x1b[0m", sgr, s);
	else
		fputs(s, pen->out);
}

void rsp_pen_sentence(const struct rsp_pen *pen, const char *sgr, size_t used, size_t indent,
		      const char *text)
{
	bool coloured = pen->opt->colour && *sgr;

	if (coloured)
		fprintf(pen->out, "\x1b[%sm", sgr);
	rsp_wrap(pen->out, text, used, indent, pen->opt->width ? pen->width : 0);
	fputs(coloured ? "\x1b[0m\n" : "\n", pen->out);
}

void rsp_pen_say(const struct rsp_pen *pen, const char *sgr, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	rsp_pen_sentence(pen, sgr, 0, 2, text);
}

void rsp_pen_right(const struct rsp_pen *pen, size_t cols, const char *s)
{
	size_t have = rsp_format_columns(s);

	fprintf(pen->out, "%*s%s", (int)(have < cols ? cols - have : 0), "", s);
}

void rsp_pen_ns(const struct rsp_pen *pen, size_t cols, __u64 ns)
{
	char buf[RSP_FORMAT_MAX];

	rsp_pen_right(pen, cols, ns ? rsp_format_ns(ns, buf, sizeof(buf)) : "–");
}

void rsp_pen_share(const struct rsp_pen *pen, size_t cols, __u64 ns)
{
	char buf[RSP_FORMAT_MAX];

	rsp_pen_right(pen, cols, rsp_format_share(ns, pen->e->total_ns, buf, sizeof(buf)));
}

char *rsp_pen_task(const char *comm, __u32 tgid, __u32 tid, char *buf, size_t len)
{
	char name[RSP_FORMAT_NAME_BYTES(RSP_COMM_MAX)];

	rsp_format_name(comm, RSP_COMM_MAX, name, sizeof(name));
	if (tgid == tid)
		snprintf(buf, len, "%s [%u]", name, rsp_host_tid(tid));
	else
		snprintf(buf, len, "%s [%u/%u]", name, rsp_host_tid(tgid), rsp_host_tid(tid));
	return buf;
}

size_t rsp_pen_name_room(const struct rsp_pen *pen, size_t used)
{
	size_t room = used < pen->width ? pen->width - used : 0;

	return room < RSP_PEN_NAME_MIN	 ? RSP_PEN_NAME_MIN
	       : room > RSP_PEN_NAME_MAX ? RSP_PEN_NAME_MAX
					 : room;
}
