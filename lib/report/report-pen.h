/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of all views: the stream, its width and its colours. */
#ifndef RSP_LIB_REPORT_PEN_H
#define RSP_LIB_REPORT_PEN_H

#include "lib/report/report.h"

#define RSP_PEN_NAME_MIN 12 /* minimum columns for a name, even on a narrow terminal */
#define RSP_PEN_NAME_MAX 200

#define RSP_SGR_ANSWER	"1"
#define RSP_SGR_WARNING "1;31"
#define RSP_SGR_STACK	"2"
#define RSP_SGR_NAME	"90"
#define RSP_SGR_BLOCKED "34"

struct rsp_pen {
	FILE *out;
	const struct rsp_explanation *e;
	const struct rsp_report_options *opt;
	unsigned int width;
	bool full; /* write whole chains with whole stacks */
	bool said_inferred, said_unknown, said_at_least;
};

void rsp_pen_coloured(const struct rsp_pen *pen, const char *sgr, const char *s);
/*
 * Writes a sentence as rsp_wrap() does: with line breaks if the width of the terminal is known, or
 * else on one line.
 */
void rsp_pen_sentence(const struct rsp_pen *pen, const char *sgr, size_t used, size_t indent,
		      const char *text);
/* Formats and writes a sentence. All lines after the first are indented by two columns. */
void rsp_pen_say(const struct rsp_pen *pen, const char *sgr, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Writes s right-aligned in cols columns. printf() counts bytes instead of columns. */
void rsp_pen_right(const struct rsp_pen *pen, size_t cols, const char *s);
void rsp_pen_ns(const struct rsp_pen *pen, size_t cols, __u64 ns); /* writes a dash for 0 */
/* Writes ns as a share of e->total_ns. */
void rsp_pen_share(const struct rsp_pen *pen, size_t cols, __u64 ns);
/* Writes a task into buf, like "cc1 [1240]" or "app [12/15]". Returns buf. */
char *rsp_pen_task(const char *comm, __u32 tgid, __u32 tid, char *buf, size_t len);
#define RSP_PEN_TASK_BYTES (RSP_FORMAT_NAME_BYTES(RSP_COMM_MAX) + 32)
/*
 * Returns the number of columns for a name on a line on which used columns are taken: from
 * RSP_PEN_NAME_MIN to RSP_PEN_NAME_MAX.
 */
size_t rsp_pen_name_room(const struct rsp_pen *pen, size_t used);

/* --- views and parts of views: each function writes the text after the answer ---------------- */

void rsp_put_table(struct rsp_pen *pen);
int rsp_put_processes(struct rsp_pen *pen);		     /* -ENOMEM */
int rsp_put_chains(struct rsp_pen *pen);		     /* -ENOMEM */
int rsp_put_paths(const struct rsp_pen *pen);		     /* -ENOMEM */
int rsp_put_survey(struct rsp_pen *pen, enum rsp_view view); /* -ENOMEM */

#endif
