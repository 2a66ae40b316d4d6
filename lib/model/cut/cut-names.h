/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects and writes the names that kept records refer to: stacks, objects, sockets, binaries,
 * functions.
 */
#ifndef RSP_LIB_CUT_NAMES_H
#define RSP_LIB_CUT_NAMES_H

#include "lib/base/idmap.h"
#include "lib/snapshot/snapshot.h"
#include "rsp/event.h"

/* Zero-initialized by the caller. */
struct rsp_cut_names {
	/* also contains functions, because SYMBOLS names them like stacks */
	struct rsp_idmap stacks;
	struct rsp_idmap things;
	struct rsp_idmap binaries;
	struct rsp_idmap cgroups; /* by inode number */
};

void rsp_cut_names_done(struct rsp_cut_names *n);
/* Returns 0 or -ENOMEM. */
int rsp_cut_names_refer(struct rsp_cut_names *n, const struct rsp_ev_hdr *hdr);
/* Writes all noted names, each one once. Returns 0, -ENOMEM, or the writer's error. */
int rsp_cut_names_write(struct rsp_cut_names *n, const struct rsp_snapshot *snap,
			struct rsp_snapshot_writer *w);

#endif
