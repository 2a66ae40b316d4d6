/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be recorded, one by one -> the programs and parts of programs that record it. A feature
 * that the kernel rejects is left out alone; the rest is recorded.
 */
#ifndef RSP_DAEMON_FEATURES_H
#define RSP_DAEMON_FEATURES_H

#include <linux/types.h>
#include <stdbool.h>

#define RSP_FEATURE_PROGRAM_MAX 8

struct rsp_feature {
	const char *name; /* of its ability */
	__u32 part;	  /* enum rsp_part: a part of its programs; 0: these programs as a whole */
	bool indispensable;
	const char *programs[RSP_FEATURE_PROGRAM_MAX + 1]; /* names, up to NULL */
};

/* A part comes after the features whose programs it is a part of. */
enum rsp_feature_index {
	RSP_FEATURE_SCHED,
	RSP_FEATURE_SYSCALLS,
	RSP_FEATURE_FILES,
	RSP_FEATURE_STACKS,
	RSP_FEATURE_QUOTAS,
	RSP_FEATURE_LIMITS,
	RSP_FEATURE_TASKS,
	RSP_FEATURE_CENSUS,
	RSP_FEATURE_BLOCK,
	RSP_FEATURE_DISK_FILES,
	RSP_FEATURE_INTERRUPTS,
	RSP_FEATURE_CPU_INTERRUPTS,
	RSP_FEATURE_TIMERS,
	RSP_FEATURE_WORK,
	RSP_FEATURE_TCP_STATE,
	RSP_FEATURE_TCP_SEND,
	RSP_FEATURE_UDP_SEND,
	RSP_FEATURE_NET_RECEIVE,
	RSP_FEATURE_SAMPLES,
	RSP_FEATURE_FUNCTIONS,
	RSP_FEATURE_CNT,
};

extern const struct rsp_feature rsp_features[RSP_FEATURE_CNT];

/* Is the program of that name one of the feature's? */
bool rsp_feature_has(const struct rsp_feature *feature, const char *program);

#endif
