/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses where no file was mapped -> names, from what processes of this machine tell of the code
 * that they made: /tmp/perf-PID.map in their own namespaces. A map is trusted if it belongs to the
 * process's user or to root and was written after the process began.
 */
#ifndef RSP_LIB_JIT_H
#define RSP_LIB_JIT_H

#include "lib/files/files.h"
#include "lib/trace/trace.h"

struct rsp_jit;

/* trace and files outlive it. 0, -ENOMEM. */
int rsp_jit_new(const struct rsp_trace *trace, const struct rsp_files *files, struct rsp_jit **ret);
struct rsp_jit *rsp_jit_free(struct rsp_jit *jit);

/*
 * What lies at addr in the process that stack is of. *ret: a name from its map; "[jit]" if that has
 * none, but it is where the process, if it lives, may execute memory that is of no file; NULL:
 * unknown. 0, -ENOMEM.
 */
int rsp_jit_name(struct rsp_jit *jit, const struct rsp_ev_stack *stack, __u64 addr,
		 const char **ret);

#endif
