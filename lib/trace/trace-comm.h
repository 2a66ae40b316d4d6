/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes of a recording that have a name. */
#ifndef RSP_LIB_TRACE_COMM_H
#define RSP_LIB_TRACE_COMM_H

#include "lib/trace/trace.h"

/*
 * Finds the processes whose main thread has this name at the end, and chooses one of them: the
 * snapshot's process of interest if it has the name, else the process whose threads left a CPU most
 * often. Returns the number of these processes; 0: there is none, and ret_tgid is not set. Returns
 * -ENOMEM if memory runs out.
 */
ssize_t rsp_trace_find_comm(const struct rsp_trace *trace, const char *comm, __u32 *ret_tgid);

#endif
