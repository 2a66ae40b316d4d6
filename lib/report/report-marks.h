/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes the marks and counters of a recording (include/rsp/event.h) in words, for reports. */
#ifndef RSP_LIB_REPORT_MARKS_H
#define RSP_LIB_REPORT_MARKS_H

#include "lib/report/report-pen.h"
#include "lib/trace/readings.h"

#define RSP_MARK_WORDS_BYTES RSP_FORMAT_NAME_BYTES(RSP_MARK_TEXT_MAX + 64)

/*
 * Returns the key of the mark's type: "text", "breach", …. If a later version of RSP added the
 * type, returns "unknown".
 */
const char *rsp_mark_key(const struct rsp_ev_mark *mark);
/*
 * Writes a mark in words, like «nginx.service failed» or «mark "v2.1 deployed"», in printable
 * UTF-8. Shortens the text of the mark to cols columns. Returns buf.
 */
char *rsp_mark_words(const struct rsp_ev_mark *mark, size_t cols, char *buf, size_t len);

/*
 * Sets *ret to the readings of counters within the span and shortly after it: the next reading
 * contains the pressure at the end of the span. Returns 0 or -ENOMEM.
 */
int rsp_report_readings(const struct rsp_explanation *e, struct rsp_readings *ret);

/*
 * Writes a line about the marks within the span or shortly before it, or nothing if there are none.
 */
void rsp_put_near_marks(const struct rsp_pen *pen);
/*
 * Writes a line about the marks within the longest occurrence of a chain, or nothing if there are
 * none.
 */
void rsp_put_chain_marks(const struct rsp_pen *pen, const struct rsp_chain *chain, size_t indent);
/* Writes the view "marks": all marks, then the counters for the span. Returns 0 or -ENOMEM. */
int rsp_put_marks(const struct rsp_pen *pen);

#endif
