/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A redacted snapshot -> one that holds of other users' threads, and of the kernel's, only the
 * steps of the chains of the process of interest; all else is left out, as if these threads had
 * slept. What the user's own threads did stays whole. Explanations, chains, tables and paths of the
 * process are the same as before.
 */
#ifndef RSP_LIB_CUT_H
#define RSP_LIB_CUT_H

#include "lib/snapshot/snapshot.h"

/* Writes it to w, META first, symbols included. 0; -ENOMEM; as the writer. */
int rsp_cut(const struct rsp_snapshot *snap, struct rsp_snapshot_writer *w);

#endif
