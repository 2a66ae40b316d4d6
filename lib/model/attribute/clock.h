/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the elapsed time that chains took. If several threads were in these chains at the same
 * time, the time counts once.
 */
#ifndef RSP_LIB_CLOCK_H
#define RSP_LIB_CLOCK_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

struct rsp_clock_piece {
	__u64 from_ns, to_ns;
	__u32 chain; /* index of a chain; before rsp_clock_finish(), a node of struct rsp_chains */
	__u32 root;  /* index of the explained thread: 0 to root_cnt - 1 */
};

struct rsp_clock {
	struct rsp_clock_piece *v; /* sorted by time after rsp_clock_finish() */
	size_t cnt, cap;
	size_t root_cnt;
	__u32 main_root; /* root of the process's main thread */
};

void rsp_clock_done(struct rsp_clock *c);
/* The caller adds the pieces of each thread in order of time. Returns 0 or -ENOMEM. */
int rsp_clock_add(struct rsp_clock *c, const struct rsp_clock_piece *piece);
/*
 * Replaces the node of each piece by the index of its chain, and sorts the pieces by time. Returns
 * 0 or -ENOMEM.
 */
int rsp_clock_finish(struct rsp_clock *c, const __u32 *chain_of_node);

struct rsp_clock_sum {
	__u64 ns;      /* elapsed time in which at least one thread was in the measured chains */
	__u64 main_ns; /* elapsed time in which the main thread was in the measured chains */
	/*
	 * number of threads with at least a tenth of the longest thread's time in the measured
	 * chains
	 */
	unsigned int thread_cnt;
};

/* Measures the chains for which chains[index] is true; NULL: all chains. Returns 0 or -ENOMEM. */
int rsp_clock_measure(const struct rsp_clock *c, const bool *chains, struct rsp_clock_sum *ret);

/* Adds the main thread's time in each chain to ns_of_chain[index of the chain]. */
void rsp_clock_add_main(const struct rsp_clock *c, __u64 *ns_of_chain);

#endif
