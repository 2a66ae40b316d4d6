/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace of no process in particular -> the process that waited most, in the span asked for, for
 * what a machine under pressure lacks: CPUs, and disks, where memory that was taken away comes
 * from, too.
 */
#ifndef RSP_LIB_SUFFERER_H
#define RSP_LIB_SUFFERER_H

#include "lib/trace/trace.h"

/* *ret: who its main thread is, the trace's. -ESRCH: nobody waited; -ENOMEM. */
int rsp_sufferer_find(const struct rsp_trace *trace, const struct rsp_ev_task **ret);

#endif
