/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names addresses that were in no mapped file, from perf maps: files /tmp/perf-PID.map that
 * processes write about code that they generate. A map is trusted if its owner is the user of the
 * process or root, and if it was written after the process began.
 */
#ifndef RSP_LIB_JIT_H
#define RSP_LIB_JIT_H

#include "lib/files/files.h"
#include "lib/trace/trace.h"

struct rsp_jit;

/* trace and files must outlive *ret. Returns 0 or -ENOMEM. */
int rsp_jit_new(const struct rsp_trace *trace, const struct rsp_files *files, struct rsp_jit **ret);
struct rsp_jit *rsp_jit_free(struct rsp_jit *jit);

/*
 * Sets *ret to the name of addr in the process's perf map. Without a name, sets *ret to "[jit]" if
 * the process is still alive and addr is in executable memory without a file; else to NULL. Returns
 * 0 or -ENOMEM.
 */
int rsp_jit_name(struct rsp_jit *jit, const struct rsp_ev_stack *stack, __u64 addr,
		 const char **ret);

#endif
