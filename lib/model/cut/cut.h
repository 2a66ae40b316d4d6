/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cuts a redacted snapshot: of the threads of other users and of the kernel, it keeps only the
 * steps of the chains of the user's own processes. The rest is left out, as if these threads had
 * slept. All records of the user's own threads stay. Explanations, chains, tables and paths of the
 * process of interest stay the same, and the chains of the user's other processes.
 */
#ifndef RSP_LIB_CUT_H
#define RSP_LIB_CUT_H

#include "lib/snapshot/snapshot.h"

/* Writes the result to w: META first, and symbols. Returns 0, -ENOMEM, or the writer's error. */
int rsp_cut(const struct rsp_snapshot *snap, struct rsp_snapshot_writer *w);

#endif
