/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the positions of the boxes of a profile's nodes. Siblings are sorted by name. */
#ifndef RSP_LIB_FLAME_LAYOUT_H
#define RSP_LIB_FLAME_LAYOUT_H

#include "lib/profile/profile.h"

struct rsp_flame_box {
	__u64 begin; /* distance from the left edge, in the profile's unit */
	__u64 total; /* width: the weight of the node and its descendants */
	__u64 off;   /* the part of total in which threads had no CPU */
	__u64 cnt;   /* events of the node and its descendants */
	__u32 depth; /* number of ancestors */
};

struct rsp_flame_layout {
	struct rsp_flame_box *boxes; /* one per node of the profile */
	__u32 *order;		     /* nodes with a total above 0, left to right, parents first */
	size_t cnt;
};

/* The sum of all weights must fit into 64 bits. Returns 0 or -ENOMEM. */
int rsp_flame_layout_make(const struct rsp_profile *p, struct rsp_flame_layout *ret);
void rsp_flame_layout_done(struct rsp_flame_layout *l);

/*
 * Returns the name of a node as valid UTF-8 without control characters, or "[unknown]". The caller
 * frees the name. NULL: out of memory.
 */
char *rsp_flame_name(const struct rsp_profile *p, const struct rsp_profile_node *node);

#endif
