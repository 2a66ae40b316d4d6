/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reduces a snapshot to the data that one user may see. Threads of other users stay as steps of a
 * chain, with their ids, uid and times, but without names, stacks, files, addresses and sockets.
 */
#ifndef RSP_LIB_REDACT_H
#define RSP_LIB_REDACT_H

#include <sys/types.h>

#include "lib/snapshot/snapshot.h"

/*
 * Makes a redacted copy of the snapshot, including symbols. The copy contains only data that is
 * known to be the user's.
 *
 * TASK records decide whether a thread is the user's. If all its TASK records say so, the thread is
 * the user's. Otherwise it is the user's from the time on at which it started a new program as the
 * user's, if no later record contradicts. Kernel threads belong to no user: their names and kernel
 * stacks stay. A task without a record is another user's.
 *
 * Addresses of the kernel become 0, or a number if they refer to the name of a function. Other
 * users' tasks are marked as closed. Returns 0; -EACCES: the process of interest is not the user's;
 * -ENOMEM, -E2BIG.
 */
int rsp_redact(const struct rsp_snapshot *snap, uid_t uid, struct rsp_snapshot **ret);

#endif
