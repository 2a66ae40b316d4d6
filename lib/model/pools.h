/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds waits for work in runtimes that run their tasks on any of their threads. As with a kernel
 * thread, everything before a thread's last wait for work belongs to other tasks.
 */
#ifndef RSP_LIB_POOLS_H
#define RSP_LIB_POOLS_H

#include "model.h"

struct rsp_pools {
	struct rsp_idmap stacks; /* user stacks of such waits */
};

int rsp_pools_find(const struct rsp_model *m, struct rsp_pools *ret); /* -ENOMEM */
void rsp_pools_done(struct rsp_pools *p);

bool rsp_pools_waits_for_work(const struct rsp_pools *p, const struct rsp_span *span);

#endif
