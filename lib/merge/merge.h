/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges snapshots of different hosts into one snapshot. In it, a chain that waits for the network
 * on one host continues on the other host. All times are converted to the clock of the first host.
 * docs/merge.md distinguishes measured and inferred results.
 */
#ifndef RSP_LIB_MERGE_H
#define RSP_LIB_MERGE_H

#include "lib/merge/clock.h"
#include "lib/snapshot/snapshot.h"

enum rsp_merge_fault {
	RSP_MERGE_TRUNCATED = 1, /* snapshot a is incomplete or contains a bad record */
	RSP_MERGE_REDACTED,
	RSP_MERGE_MERGED,      /* snapshot a is already merged */
	RSP_MERGE_LATER,       /* contains records that this version does not know */
	RSP_MERGE_TOO_LARGE,   /* the hosts have too many CPUs or binaries together */
	RSP_MERGE_SAME_HOST,   /* a and b are from one host */
	RSP_MERGE_UNCONNECTED, /* no message between a and any other host is in both recordings */
	RSP_MERGE_ONE_WAY,     /* all messages between a and b go in one direction: to b */
	RSP_MERGE_CLOCKS,      /* no steady clock of a agrees with the messages between a and b */
	RSP_MERGE_APART,       /* there is no time that all recordings contain; a begins last */
};

struct rsp_merge_result {
	struct rsp_meta meta;
	struct {
		/* the host with which this host was compared to estimate the clock */
		__u32 reference;
		/* number of messages to the reference, and from the reference */
		size_t sent_cnt, received_cnt;
	} hosts[RSP_HOST_CNT_MAX];
	/* the time cut from the first recording's span, because not all recordings contain it */
	__u64 cut_ns;
	/*
	 * number of messages that arrive before they were sent; only between hosts whose clocks
	 * were not compared
	 */
	size_t early_cnt;
	__u64 early_ns; /* the maximum */
	__u32 a, b;	/* with an enum rsp_merge_fault: the snapshots */
};

/*
 * Writes a merged snapshot of 2 to RSP_HOST_CNT_MAX snapshots to w; the caller finishes w. The
 * process of interest is the one of the first snapshot. Returns 0, an enum rsp_merge_fault,
 * -ENOMEM, or an error of the writer. After a failure, the output is useless.
 */
int rsp_merge(struct rsp_snapshot *const *snaps, size_t cnt, struct rsp_snapshot_writer *w,
	      struct rsp_merge_result *ret);

#endif
