/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of trace.c: the marks and counters of a trace. */
#ifndef RSP_LIB_TRACE_MARKS_H
#define RSP_LIB_TRACE_MARKS_H

#include "trace.h"

/* 0 or -ENOMEM. */
int rsp_trace_add_mark(struct rsp_trace *trace, const struct rsp_ev_mark *mark);
/* Skips a set that this version does not know. 0 or -ENOMEM. */
int rsp_trace_add_counters(struct rsp_trace *trace, const struct rsp_ev_counters *counters);
/* Puts both in order of time, after the last one was added. */
void rsp_trace_sort_marks(struct rsp_trace *trace);

#endif
