/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Equal chains of hops, merged. The chains form a tree: those that begin alike share their first
 * hops. Explaining walks down this tree; what it finds at the end of a walk is added to a leaf.
 */
#ifndef RSP_LIB_CHAINS_H
#define RSP_LIB_CHAINS_H

#include "explain.h"
#include "lib/base/arena.h"
#include "names.h"

#define RSP_NO_NODE UINT32_MAX

/* What makes two hops the same. No padding. */
struct rsp_hop_key {
	__u32 parent; /* node, or RSP_NO_NODE for the first hop */
	__u32 comm;   /* numbers of struct rsp_names */
	__u32 object;
	__u32 behind;
	__u32 syscall;
	__u32 frames;
	__u8 kind;     /* enum rsp_hop_kind */
	__u8 why;      /* enum rsp_why */
	__u8 category; /* enum rsp_category of a leaf, else 0 */
	__u8 polls;    /* RSP_HOP_POLLS: what is inferred does not mix with what was measured */
};
_Static_assert(sizeof(struct rsp_hop_key) == 28, "compared bytewise");

struct rsp_chains {
	int error; /* sticky: -ENOMEM */
	struct {
		struct rsp_chain_node *v;
		size_t cnt, cap;
	} nodes;
	struct rsp_idmap by_hash; /* of the key -> newest node with it */
	struct rsp_idmap parts;	  /* node and thread -> time, but for a node's latest thread */
	struct {
		struct rsp_chain_sample *v; /* some more than once */
		size_t cnt, cap;
	} samples;
	__u64 hop_cnt; /* sum of the depths of all nodes: what rsp_chains_list() may need */
};

void rsp_chains_done(struct rsp_chains *c);

/* A stretch of time of a thread. Threads are any numbers that tell them apart. */
struct rsp_chain_part {
	__u32 root, thread; /* whose time is explained, and what it did then */
	__u64 from_ns, ns;
	__u32 sample;	    /* 1 + the number of the one that tells of it; 0: none */
	unsigned int flags; /* enum rsp_hop_flags */
};

/* Adds it to the hop of that key, and returns its node. */
__u32 rsp_chains_add(struct rsp_chains *c, const struct rsp_hop_key *key,
		     const struct rsp_chain_part *part);

/*
 * The chains, heaviest first, of memory of the arena but for *ret, which is the caller's (free). In
 * hops' tid is the thread number of rsp_chains_add(). of_node, unless NULL: has room for all nodes;
 * gets for each leaf the index of its chain. 0 or -ENOMEM.
 */
int rsp_chains_list(const struct rsp_chains *c, const struct rsp_names *names,
		    struct rsp_arena *arena, __u32 *of_node, struct rsp_chain **ret,
		    size_t *ret_cnt);

#endif
