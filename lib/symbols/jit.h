/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names addresses that were in no mapped file, from the names that processes of this machine write
 * for code that they generate: /tmp/perf-PID.map in their own namespaces. A map is trusted if its
 * owner is the user of the process or root, and it was written after the process began.
 */
#ifndef RSP_LIB_JIT_H
#define RSP_LIB_JIT_H

#include "lib/files/files.h"
#include "lib/trace/trace.h"

struct rsp_jit;

/* trace and files must outlive *ret. 0 or -ENOMEM. */
int rsp_jit_new(const struct rsp_trace *trace, const struct rsp_files *files, struct rsp_jit **ret);
struct rsp_jit *rsp_jit_free(struct rsp_jit *jit);

/*
 * Names addr in the process of the stack. *ret: a name from its map; "[jit]" if the map has none,
 * but the process is alive and has executable memory without a file there; NULL: unknown. 0 or
 * -ENOMEM.
 */
int rsp_jit_name(struct rsp_jit *jit, const struct rsp_ev_stack *stack, __u64 addr,
		 const char **ret);

#endif
