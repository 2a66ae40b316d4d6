/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this kernel can do -> which programs are loaded. Every ability is tried or looked up, never
 * derived from a version. The one place that knows the ladders; it keeps what it chose for status.
 */
#ifndef RSP_DAEMON_LADDER_H
#define RSP_DAEMON_LADDER_H

#include <stdbool.h>
#include <stddef.h>

#include "ability.h"

struct rsp_bpf;

#define RSP_ABILITY_MAX 24

struct rsp_ladder {
	struct rsp_ability v[RSP_ABILITY_MAX];
	size_t cnt;
};

/* Adds what another part of the daemon chose. Strings must be static. */
void rsp_ladder_add(struct rsp_ladder *ladder, const char *name, const char *chosen,
		    const char *why, bool ok);

/*
 * Decides which programs of the opened, not yet loaded object to load, using the kernel's types at
 * btf_path. 0 or -errno (-ENOENT: no types there).
 */
int rsp_ladder_choose(struct rsp_ladder *ladder, struct rsp_bpf *bpf, const char *btf_path,
		      enum rsp_net_step net);

#endif
