/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files merge*.c share. */
#ifndef RSP_LIB_MERGE_PARTS_H
#define RSP_LIB_MERGE_PARTS_H

#include "lib/merge/crossings.h"
#include "lib/merge/merge.h"
#include "lib/merge/peers.h"

struct rsp_merge_host {
	const struct rsp_snapshot *snap;
	__u32 cpu_first, cpu_cnt;
	bool is_placed; /* the clock is known; host 0 needs no clock */
	struct rsp_clock_map clock;
};

struct rsp_merging {
	struct rsp_merge_host hosts[RSP_HOST_CNT_MAX];
	struct rsp_merge_sockets sockets[RSP_HOST_CNT_MAX];
	struct rsp_traffic traffic[RSP_HOST_CNT_MAX];
	struct rsp_idmap taken; /* the numbers that the binaries of host 0 use */
	size_t cnt;
	struct rsp_merge_result *result;
};

/* Functions that return int return 0, -errno or an enum rsp_merge_fault. */

/* Estimates the clocks of all hosts except the first, and the common span. */
int rsp_merge_clocks(struct rsp_merging *m);
/* Converts a time of the host to the clock of the first host. */
__u64 rsp_merge_time(const struct rsp_merging *m, size_t host, __u64 ts_ns);

/* merge-write.c */
int rsp_merge_write(struct rsp_merging *m, struct rsp_snapshot_writer *w);

#endif
