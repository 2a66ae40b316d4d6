/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces of time with their thread and chain -> how long some chains took by the clock: when
 * several threads were in them at the same time, that time counts once.
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
/* Add a thread's pieces in order of time. 0 or -ENOMEM. */
int rsp_clock_add(struct rsp_clock *c, const struct rsp_clock_piece *piece);
/* Replaces nodes by chains, and sorts the pieces by time. 0 or -ENOMEM. */
int rsp_clock_settle(struct rsp_clock *c, const __u32 *chain_of_node);

struct rsp_clock_sum {
	__u64 ns;		 /* by the clock: at least one thread was in these chains */
	__u64 main_ns;		 /* the main thread was */
	unsigned int thread_cnt; /* threads that were in them for long, beside the others */
};

/* Measures the marked chains; NULL: all. 0 or -ENOMEM. */
int rsp_clock_measure(const struct rsp_clock *c, const bool *chains, struct rsp_clock_sum *ret);

#endif
