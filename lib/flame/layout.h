/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes of a profile -> where each box lies: siblings in the order of their names. */
#ifndef RSP_LIB_FLAME_LAYOUT_H
#define RSP_LIB_FLAME_LAYOUT_H

#include "lib/profile/profile.h"

struct rsp_flame_box {
	__u64 begin; /* in the profile's unit, from the left edge */
	__u64 total; /* its width: the weight of the node and of all below it */
	__u64 off;   /* of the total: off a CPU */
	__u64 cnt;   /* events of the node and of all below it */
	__u32 depth; /* 0: a root of the profile */
};

struct rsp_flame_layout {
	struct rsp_flame_box *boxes; /* by number of the node */
	__u32 *order; /* nodes that have a weight, parents first, from left to right */
	size_t cnt;   /* of order */
};

/* 0 or -ENOMEM. The function assumes that the weights of all nodes together fit into 64 bits. */
int rsp_flame_layout_make(const struct rsp_profile *p, struct rsp_flame_layout *ret);
void rsp_flame_layout_done(struct rsp_flame_layout *l);

/* The name of a node as valid UTF-8 without control characters; "[unknown]" if it has none. The
 * caller frees it; NULL: no memory. */
char *rsp_flame_name(const struct rsp_profile *p, const struct rsp_profile_node *node);

#endif
