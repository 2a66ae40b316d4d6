/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The containers of a recording. */
#ifndef RSP_LIB_TRACE_CONTAINER_H
#define RSP_LIB_TRACE_CONTAINER_H

#include "lib/snapshot/container.h"
#include "lib/trace/trace.h"

/*
 * Returns the process of a container that left a CPU most often; text selects the container as for
 * rsp_container_matches(). If the process of interest is in such a container, it is that process.
 * 0; -ESRCH: no process is in such a container; -ENOTUNIQ: several containers match, which
 * ret_candidates lists; -ENOMEM.
 */
int rsp_trace_find_container(const struct rsp_trace *trace, const char *text, __u32 *ret_tgid,
			     char ret_candidates[static RSP_CANDIDATES_BYTES]);

/*
 * Writes the container of that cgroup, with its names, as rsp_container_print() does; "": none is
 * known. Returns buf.
 */
char *rsp_trace_container(const struct rsp_trace *trace, __u64 cgroup_id,
			  char buf[static RSP_CONTAINER_PRINTED_BYTES]);

#endif
