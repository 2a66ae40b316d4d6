/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks and counters of a recording (event.h) -> words, for all reports. */
#ifndef RSP_LIB_REPORT_MARKS_H
#define RSP_LIB_REPORT_MARKS_H

#include "lib/trace/readings.h"
#include "report-pen.h"

#define RSP_MARK_WORDS_BYTES RSP_FORMAT_NAME_BYTES(RSP_MARK_TEXT_MAX + 64)

/* "text", "breach", …; "unknown" for a type of a later version. */
const char *rsp_mark_key(const struct rsp_ev_mark *mark);
/*
 * "nginx.service failed", "mark "v2.1 deployed"": at most cols columns of the text. Printable
 * UTF-8. Returns buf.
 */
char *rsp_mark_words(const struct rsp_ev_mark *mark, size_t cols, char *buf, size_t len);

/* "12.3 MiB", "4.2 %", "2.40 GHz", "0.31", "17". Returns buf. */
char *rsp_counter_format(enum rsp_unit unit, __u64 value, char *buf, size_t len);

/* The readings of the span and the first one after it, which tells of its end. 0 or -ENOMEM. */
int rsp_report_readings(const struct rsp_explanation *e, struct rsp_readings *ret);

/* One line on the marks within the span or shortly before it; nothing if there are none. */
void rsp_put_near_marks(const struct rsp_pen *pen);
/* One line on the marks within the longest time that a chain took; nothing if there are none. */
void rsp_put_chain_marks(const struct rsp_pen *pen, const struct rsp_chain *chain, size_t indent);
/* The view: all marks, then the counters within the span. -ENOMEM. */
int rsp_put_marks(const struct rsp_pen *pen);

#endif
