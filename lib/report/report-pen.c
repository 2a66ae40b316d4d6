/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report-pen.h. */
#include "report-pen.h"

void rsp_pen_coloured(const struct rsp_pen *pen, const char *sgr, const char *s)
{
	if (pen->opt->colour && *s)
		fprintf(pen->out, "\x1b[%sm%s\x1b[0m", sgr, s);
	else
		fputs(s, pen->out);
}

/* Right-aligned by columns, which printf() cannot: it counts bytes. */
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

/* "cc1 [1240]", "app [12/15]" when the thread is not the process's first. */
char *rsp_pen_task(const char *comm, __u32 tgid, __u32 tid, char *buf, size_t len)
{
	char name[RSP_FORMAT_NAME_BYTES(RSP_TASK_COMM_LEN)];

	rsp_format_name(comm, RSP_TASK_COMM_LEN, name, sizeof(name));
	if (tgid == tid)
		snprintf(buf, len, "%s [%u]", name, tid);
	else
		snprintf(buf, len, "%s [%u/%u]", name, tgid, tid);
	return buf;
}

size_t rsp_pen_name_room(const struct rsp_pen *pen, size_t used)
{
	size_t room = used < pen->width ? pen->width - used : 0;

	return room < RSP_PEN_NAME_MIN	 ? RSP_PEN_NAME_MIN
	       : room > RSP_PEN_NAME_MAX ? RSP_PEN_NAME_MAX
					 : room;
}
