/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds, in a trace that is not about a particular process, the process that waited most within the
 * requested span for the resources that a machine under pressure lacks: CPUs and disks. The disk
 * also stands for memory, because reclaimed pages are read back from it.
 */
#ifndef RSP_LIB_VICTIM_H
#define RSP_LIB_VICTIM_H

#include "lib/trace/trace.h"

/* *ret: the identity of its main thread, owned by the trace. -ESRCH: no process waited; -ENOMEM. */
int rsp_victim_find(const struct rsp_trace *trace, const struct rsp_ev_task **ret);

#endif
