/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A feature is a set of BPF programs, or a part of programs, that records something the kernel may
 * not support. If the kernel rejects an indispensable feature, rspd does not start. If it rejects
 * another feature, rspd leaves out only that feature.
 */
#ifndef RSP_DAEMON_FEATURES_H
#define RSP_DAEMON_FEATURES_H

#include <linux/types.h>
#include <stdbool.h>

#define RSP_FEATURE_PROGRAM_MAX 8

struct rsp_feature {
	const char *name; /* name of the ability, for users */
	__u32 part;	  /* enum rsp_part: only this part of the programs; 0: the whole programs */
	bool indispensable;
	const char *programs[RSP_FEATURE_PROGRAM_MAX + 1]; /* names, up to NULL */
	bool on_demand; /* attached only during a watch (capture/watch.h) */
};

/*
 * Features in the order in which rspd tries them. A part comes after the first program that
 * contains it.
 */
enum rsp_feature_index {
	RSP_FEATURE_SCHED,
	RSP_FEATURE_SYSCALLS,
	RSP_FEATURE_FILES,
	RSP_FEATURE_STACKS,
	RSP_FEATURE_QUOTAS,
	RSP_FEATURE_LIMITS,
	RSP_FEATURE_STOLEN,
	RSP_FEATURE_TASKS,
	RSP_FEATURE_CENSUS,
	RSP_FEATURE_SLICES,
	RSP_FEATURE_LONG_WAITS,
	RSP_FEATURE_MAPPINGS,
	RSP_FEATURE_BLOCK,
	RSP_FEATURE_DISK_FILES,
	RSP_FEATURE_IO_LIMITS,
	RSP_FEATURE_RECLAIM,
	RSP_FEATURE_CGROUP_RECLAIM,
	RSP_FEATURE_INTERRUPTS,
	RSP_FEATURE_CPU_INTERRUPTS,
	RSP_FEATURE_TIMERS,
	RSP_FEATURE_WORK,
	RSP_FEATURE_TCP_STATE,
	RSP_FEATURE_TCP_SEND,
	RSP_FEATURE_TCP_NAGLE,
	RSP_FEATURE_TCP_RETRANSMIT,
	RSP_FEATURE_UDP_SEND,
	RSP_FEATURE_NET_RECEIVE,
	RSP_FEATURE_UNIX,
	RSP_FEATURE_UNIX_CLOSE,
	RSP_FEATURE_WATCH,
	RSP_FEATURE_CALLS,
	RSP_FEATURE_MEMORY,
	RSP_FEATURE_FAULTS,
	RSP_FEATURE_GROWTH,
	RSP_FEATURE_MALLOC,
	RSP_FEATURE_MALLOC_FILES,
	RSP_FEATURE_SAMPLES,
	RSP_FEATURE_FUNCTIONS,
	RSP_FEATURE_CNT,
};

extern const struct rsp_feature rsp_features[RSP_FEATURE_CNT];

bool rsp_feature_has(const struct rsp_feature *feature, const char *program);

#endif
