/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges equal chains of hops. The chains form a tree: chains with the same first hops share these
 * hops.
 */
#ifndef RSP_LIB_CHAINS_H
#define RSP_LIB_CHAINS_H

#include "lib/base/arena.h"
#include "lib/base/idmap.h"
#include "lib/model/attribute/chain.h"
#include "lib/model/names.h"

#define RSP_NO_NODE UINT32_MAX

/* Hops with equal keys are merged. Keys are compared by memcmp(), so there must be no padding. */
struct rsp_hop_key {
	__u32 parent; /* the node of the previous hop, or RSP_NO_NODE for the first hop */
	__u32 comm;   /* numbers of struct rsp_names */
	__u32 container;
	__u32 object;
	__u32 behind;
	__u32 syscall;
	__u32 frames;
	__u8 kind;     /* enum rsp_hop_kind */
	__u8 why;      /* enum rsp_why */
	__u8 category; /* of a leaf: enum rsp_category; of other hops: 0 */
	/* whether RSP_HOP_POLLS is set: these hops are inferred, and not merged with others */
	__u8 polls;
};
_Static_assert(sizeof(struct rsp_hop_key) == 32, "compared bytewise");

struct rsp_chains {
	int error; /* sticky: -ENOMEM */
	struct {
		struct rsp_chain_node *v;
		size_t cnt, cap;
	} nodes;
	struct rsp_idmap by_hash; /* maps the hash of a key to the newest node with this hash */
	/*
	 * maps a node and a thread to the thread's time in this node. For the thread whose time was
	 * added last, the node itself has the time.
	 */
	struct rsp_idmap parts;
	struct {
		struct rsp_chain_sample *v; /* may contain duplicates */
		size_t cnt, cap;
	} samples;
	/*
	 * sum of the depths of all nodes: an upper limit of the hops that rsp_chains_list() lists
	 */
	__u64 hop_cnt;
};

void rsp_chains_done(struct rsp_chains *c);

/* A part of a thread's time. The caller chooses the numbers of threads. */
struct rsp_chain_part {
	__u32 root, thread; /* root: the explained thread; thread: the thread of this hop */
	__u64 from_ns, ns;
	/* 1 + the number of the sample whose stack the part gets; 0: no sample */
	__u32 sample;
	unsigned int flags; /* enum rsp_hop_flags */
};

/*
 * Adds the part to the hop with this key, and returns the node of the hop. Sets c->error if memory
 * runs out.
 */
__u32 rsp_chains_add(struct rsp_chains *c, const struct rsp_hop_key *key,
		     const struct rsp_chain_part *part);

/*
 * Lists the chains, heaviest first. The caller frees *ret; hops and samples are in memory of the
 * arena. The tid of a hop is the thread number of rsp_chains_add(). of_node may be NULL. Otherwise
 * it must have room for all nodes, and gets the index of the chain for each leaf. Returns 0 or
 * -ENOMEM.
 */
int rsp_chains_list(const struct rsp_chains *c, const struct rsp_names *names,
		    struct rsp_arena *arena, __u32 *of_node, struct rsp_chain **ret,
		    size_t *ret_cnt);

#endif
