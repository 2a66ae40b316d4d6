/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes of a profile -> the positions of their boxes. Siblings are in the order of their names. */
#ifndef RSP_LIB_FLAME_LAYOUT_H
#define RSP_LIB_FLAME_LAYOUT_H

#include "lib/profile/profile.h"

struct rsp_flame_box {
	__u64 begin; /* distance from the left edge, in the profile's unit */
	__u64 total; /* width: the weight of the node and its descendants */
	__u64 off;   /* part of the total in which threads were on no CPU */
	__u64 cnt;   /* events of the node and its descendants */
	__u32 depth; /* 0: root of the profile */
};

struct rsp_flame_layout {
	struct rsp_flame_box *boxes; /* by number of the node */
	__u32 *order;		     /* nodes with a total, from left to right, parents first */
	size_t cnt;		     /* elements of order */
};

/* Returns 0 or -ENOMEM. The sum of all weights must fit into 64 bits. */
int rsp_flame_layout_make(const struct rsp_profile *p, struct rsp_flame_layout *ret);
void rsp_flame_layout_done(struct rsp_flame_layout *l);

/*
 * Returns the name of a node as valid UTF-8 without control characters; "[unknown]" if it has none.
 * The caller frees the name. NULL: no memory.
 */
char *rsp_flame_name(const struct rsp_profile *p, const struct rsp_profile_node *node);

#endif
