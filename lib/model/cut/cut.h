/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cuts a redacted snapshot. All records of the user's own threads stay. The threads of the kernel
 * and of other users keep only the records that the chains of the user's processes need.
 */
#ifndef RSP_LIB_CUT_H
#define RSP_LIB_CUT_H

#include "lib/snapshot/snapshot.h"

/*
 * Writes the result to w: META, the records and the symbols. Returns 0, -ENOMEM, or the writer's
 * error.
 */
int rsp_cut(const struct rsp_snapshot *snap, struct rsp_snapshot_writer *w);

#endif
