/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the process that waited most for CPUs and disks within the requested span, for traces that
 * are not about a particular process. Disks also stand for memory, because the kernel reads
 * reclaimed pages back from them.
 */
#ifndef RSP_LIB_VICTIM_H
#define RSP_LIB_VICTIM_H

#include "lib/trace/trace.h"

/*
 * *ret gets the TASK record of its main thread, in the trace's memory. Returns 0, -ENOMEM, or
 * -ESRCH if no process waited.
 */
int rsp_victim_find(const struct rsp_trace *trace, const struct rsp_ev_task **ret);

#endif
