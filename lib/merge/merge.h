/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several snapshots, each from another host -> one, in which a wait for the network on one host
 * goes on in the chain of another host. All times become those of the first host. docs/merge.md
 * states what is measured and what is inferred.
 */
#ifndef RSP_LIB_MERGE_H
#define RSP_LIB_MERGE_H

#include "lib/merge/clock.h"
#include "lib/snapshot/snapshot.h"

enum rsp_merge_fault {
	RSP_MERGE_TRUNCATED = 1, /* snapshot a is incomplete or contains a bad record */
	RSP_MERGE_REDACTED,
	RSP_MERGE_MERGED,      /* is a merged one already */
	RSP_MERGE_LATER,       /* contains records that this version does not know */
	RSP_MERGE_TOO_LARGE,   /* too many CPUs or binaries together */
	RSP_MERGE_SAME_HOST,   /* a and b are from one host */
	RSP_MERGE_UNCONNECTED, /* no message between a and any other host is in both recordings */
	RSP_MERGE_ONE_WAY,     /* all messages between a and b go in one direction: to b */
	RSP_MERGE_CLOCKS,      /* no steady clock of a agrees with the messages between a and b */
	RSP_MERGE_APART,       /* there is no time that all recordings contain; a begins last */
};

struct rsp_merge_result {
	struct rsp_meta meta;
	struct {
		__u32 reference; /* the host whose messages the clock was estimated from */
		size_t sent_cnt, received_cnt; /* messages to the reference, from it */
	} hosts[RSP_HOST_CNT_MAX];
	/* the part of the first recording's span that not all recordings contain */
	__u64 cut_ns;
	/* messages that arrive before they were sent, of hosts whose clocks were not compared */
	size_t early_cnt;
	__u64 early_ns; /* the maximum */
	__u32 a, b;	/* with an enum rsp_merge_fault: the snapshots */
};

/*
 * Writes a merged snapshot of 2 to RSP_HOST_CNT_MAX snapshots to w; the caller finishes it. The
 * process of interest is that of the first one. Returns 0; an enum rsp_merge_fault; -ENOMEM; or an
 * error of the writer. After a failure, the output is useless.
 */
int rsp_merge(struct rsp_snapshot *const *snaps, size_t cnt, struct rsp_snapshot_writer *w,
	      struct rsp_merge_result *ret);

#endif
