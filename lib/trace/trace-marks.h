/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of trace.c that collects marks and counters. */
#ifndef RSP_LIB_TRACE_MARKS_H
#define RSP_LIB_TRACE_MARKS_H

#include "lib/trace/trace.h"

/* Returns 0 or -ENOMEM. */
int rsp_trace_add_mark(struct rsp_trace *trace, const struct rsp_ev_mark *mark);
/* Skips a set that this version does not know. Returns 0 or -ENOMEM. */
int rsp_trace_add_counters(struct rsp_trace *trace, const struct rsp_ev_counters *counters);
/* Sorts marks and counters by time, after all of them were added. */
void rsp_trace_sort_marks(struct rsp_trace *trace);

#endif
