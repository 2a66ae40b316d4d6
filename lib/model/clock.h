/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which thread of the process spent which time on which chain: how long some chains took by the
 * clock, where several threads spent the same time on them.
 */
#ifndef RSP_LIB_CLOCK_H
#define RSP_LIB_CLOCK_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

struct rsp_clock_piece {
	__u64 from_ns, to_ns;
	__u32 chain; /* index; a node of struct rsp_chains until rsp_clock_settle() */
	__u32 root;  /* which of the threads: from 0 to root_cnt - 1 */
};

struct rsp_clock {
	struct rsp_clock_piece *v; /* by time, when settled */
	size_t cnt, cap;
	size_t root_cnt;
	__u32 main_root; /* of the process's main thread */
};

void rsp_clock_done(struct rsp_clock *c);
/* A thread's pieces are added in order of time. 0 or -ENOMEM. */
int rsp_clock_add(struct rsp_clock *c, const struct rsp_clock_piece *piece);
/* Gives each piece the chain of its node, and orders them. 0 or -ENOMEM. */
int rsp_clock_settle(struct rsp_clock *c, const __u32 *chain_of_node);

struct rsp_clock_sum {
	__u64 ns;		 /* by the clock: times at which any thread spent it so */
	__u64 main_ns;		 /* at which the main thread did */
	unsigned int thread_cnt; /* that did */
};

/* Of the chains that are marked; NULL: of all. 0 or -ENOMEM. */
int rsp_clock_measure(const struct rsp_clock *c, const bool *chains, struct rsp_clock_sum *ret);

#endif
