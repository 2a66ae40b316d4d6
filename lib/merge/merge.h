/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges snapshots of different hosts into one snapshot, in which a chain that waits for the
 * network on one host continues on the other host. All times are converted to the clock of the
 * first host. docs/merge.md distinguishes measured and inferred results.
 */
#ifndef RSP_LIB_MERGE_H
#define RSP_LIB_MERGE_H

#include "lib/merge/clock.h"
#include "lib/snapshot/snapshot.h"

enum rsp_merge_fault {
	RSP_MERGE_TRUNCATED = 1, /* snapshot a is incomplete, or contains a bad record */
	RSP_MERGE_REDACTED,
	RSP_MERGE_MERGED,    /* snapshot a is already merged */
	RSP_MERGE_LATER,     /* snapshot a contains records that this version does not know */
	RSP_MERGE_TOO_LARGE, /* together, the hosts have too many CPUs or binaries */
	RSP_MERGE_SAME_HOST, /* snapshots a and b are from one host */
	/* no message between host a and another host is in both recordings */
	RSP_MERGE_UNCONNECTED,
	RSP_MERGE_ONE_WAY, /* all messages between a and b go in one direction: to b */
	RSP_MERGE_CLOCKS,  /* no steady clock of a agrees with the messages between a and b */
	RSP_MERGE_APART,   /* the recordings have no time in common; recording a begins last */
};

struct rsp_merge_result {
	struct rsp_meta meta;
	struct {
		/* the host with which this host was compared */
		__u32 reference;
		/* messages to and from the reference host */
		size_t sent_cnt, received_cnt;
	} hosts[RSP_HOST_CNT_MAX];
	/* time that was cut from the span, because not all recordings contain it */
	__u64 cut_ns;
	/* number of messages that arrive before they were sent */
	size_t early_cnt;
	__u64 early_ns; /* how much earlier they arrive, at most */
	__u32 a, b;	/* with an enum rsp_merge_fault: the numbers of the snapshots */
};

/*
 * Writes a merged snapshot of 2 to RSP_HOST_CNT_MAX snapshots to w; the caller finishes w. The
 * process of interest is that of the first snapshot. Returns 0, an enum rsp_merge_fault, -ENOMEM,
 * or an error of the writer.
 */
int rsp_merge(struct rsp_snapshot *const *snaps, size_t cnt, struct rsp_snapshot_writer *w,
	      struct rsp_merge_result *ret);

#endif
