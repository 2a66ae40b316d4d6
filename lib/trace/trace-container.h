/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a process of a container in a recording. */
#ifndef RSP_LIB_TRACE_CONTAINER_H
#define RSP_LIB_TRACE_CONTAINER_H

#include "trace.h"

/*
 * Returns the process of a container that left a CPU most often; text selects the container as for
 * rsp_container_matches(). If the process of interest is in such a container, it is that process.
 * 0; -ESRCH: no process is in such a container; -ENOMEM.
 */
int rsp_trace_find_container(const struct rsp_trace *trace, const char *text, __u32 *ret_tgid);

#endif
