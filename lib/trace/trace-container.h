/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The containers of a recording. */
#ifndef RSP_LIB_TRACE_CONTAINER_H
#define RSP_LIB_TRACE_CONTAINER_H

#include "lib/snapshot/container.h"
#include "lib/trace/trace.h"

/*
 * Finds the container that text selects (see rsp_container_matches()), and chooses a process in it:
 * the snapshot's process of interest if it is in the container, else the process whose threads left
 * a CPU most often. Returns 0 or -ENOMEM; -ESRCH: no process is in such a container;
 * -ENOTUNIQ: several containers match, and ret_candidates lists them.
 */
int rsp_trace_find_container(const struct rsp_trace *trace, const char *text, __u32 *ret_tgid,
			     char ret_candidates[static RSP_CANDIDATES_BYTES]);

/*
 * Writes the container of the cgroup, with its names, as rsp_container_print() does; "": no
 * container is known. Returns buf.
 */
char *rsp_trace_container(const struct rsp_trace *trace, __u64 cgroup_id,
			  char buf[static RSP_CONTAINER_PRINTED_BYTES]);

#endif
