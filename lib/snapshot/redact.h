/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reduces a snapshot to the data that one user may see. Threads of other users stay in the chains
 * (docs/model.md), with their ids, user IDs and times, but without names, stacks, files, addresses
 * and sockets.
 */
#ifndef RSP_LIB_REDACT_H
#define RSP_LIB_REDACT_H

#include <sys/types.h>

#include "lib/snapshot/snapshot.h"

/*
 * Makes a redacted copy of the snapshot, including symbols.
 *
 * A thread is the user's if its TASK and EXIT records show no other owner, or since it executed a
 * program as the user's, if no later record shows another owner. Kernel threads belong to no user:
 * their names and kernel stacks stay.
 *
 * Addresses of kernel functions become numbers, by which the names of the functions are found.
 * Returns 0; -EACCES: the process of interest is not the user's; -ENOMEM, -E2BIG.
 */
int rsp_redact(const struct rsp_snapshot *snap, uid_t uid, struct rsp_snapshot **ret);

#endif
