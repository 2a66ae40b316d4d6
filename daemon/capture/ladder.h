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
#include "features.h"

struct btf;
struct rsp_bpf;

#define RSP_ABILITY_MAX 40

struct rsp_ladder {
	struct rsp_ability v[RSP_ABILITY_MAX];
	size_t cnt;
	struct rsp_reason rejected[RSP_FEATURE_CNT]; /* empty text: the kernel accepts it */
};

/*
 * Adds what another part of the daemon chose. Strings must be static. Does nothing if the ability
 * is there already: a feature that the kernel rejected stays rejected.
 */
void rsp_ladder_add(struct rsp_ladder *ladder, const char *name, const char *chosen,
		    const char *why, bool ok);

/* Marks the feature as rejected by the kernel, also in an ability that is there already. */
void rsp_ladder_reject(struct rsp_ladder *ladder, enum rsp_feature_index feature,
		       const struct rsp_reason *reason);

static inline bool rsp_ladder_rejects(const struct rsp_ladder *ladder,
				      enum rsp_feature_index feature)
{
	return ladder->rejected[feature].text[0];
}

/*
 * Decides which programs and parts of the opened, not yet loaded object to load, using the
 * kernel's types; not those that were rejected.
 */
void rsp_ladder_choose(struct rsp_ladder *ladder, struct rsp_bpf *bpf, const struct btf *btf,
		       enum rsp_net_step net);

#endif
