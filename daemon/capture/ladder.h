/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the programs to load by the abilities of this kernel. Tries each ability or looks it up,
 * and never derives it from a version.
 */
#ifndef RSP_DAEMON_LADDER_H
#define RSP_DAEMON_LADDER_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/base/ability.h"
#include "daemon/capture/features.h"

struct btf;
struct rsp_bpf;

/* one ability per feature, and "timeouts" (capture.c) */
#define RSP_ABILITY_MAX (RSP_FEATURE_CNT + 1)

struct rsp_ladder {
	struct rsp_ability v[RSP_ABILITY_MAX];
	size_t cnt;
	/* empty text: the feature is not rejected */
	struct rsp_reason rejected[RSP_FEATURE_CNT];
};

/*
 * Adds an ability that another module has chosen. The strings must be static. Does nothing if the
 * ability exists already, so a feature that the kernel rejected stays rejected.
 */
void rsp_ladder_add(struct rsp_ladder *ladder, const char *name, const char *chosen,
		    const char *why, bool ok);

/* Marks the feature as rejected by the kernel, even if its ability exists already. */
void rsp_ladder_reject(struct rsp_ladder *ladder, enum rsp_feature_index feature,
		       const struct rsp_reason *reason);

static inline bool rsp_ladder_rejects(const struct rsp_ladder *ladder,
				      enum rsp_feature_index feature)
{
	return ladder->rejected[feature].text[0];
}

/*
 * Decides which programs and parts of the opened BPF object to load. Call it before the object is
 * loaded.
 */
void rsp_ladder_choose(struct rsp_ladder *ladder, struct rsp_bpf *bpf, const struct btf *btf,
		       enum rsp_net_step net, bool never_pauses);

#endif
