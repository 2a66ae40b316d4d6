/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings of rspd.conf(5). */
#ifndef RSP_DAEMON_CONFIG_VALUES_H
#define RSP_DAEMON_CONFIG_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "daemon/base/ability.h"
#include "rsp/slo.h"

#define RSP_SLO_NAME_MAX 64 /* including the NUL; letters, digits, '_', '-' */

/* [SLO "name"] */
struct rsp_slo_config {
	char name[RSP_SLO_NAME_MAX];
	enum rsp_slo_measure measure;

	/*
	 * A latency must match all of the following selectors that are set. If none is set, all
	 * latencies count.
	 */
	char unit[256]; /* "nginx.service"; "": not given */
	/*
	 * a path from the root of cgroup v2, such as "/system.slice"; cgroups below it count, too
	 */
	char cgroup[512];
	char comm[16]; /* name of the process's main thread, or of the thread itself */
	pid_t pid;     /* 0: not given */
	uint16_t port; /* REQUEST: local port; 0: not given */

	char function_file[512]; /* FUNCTION: absolute path of the file with the function */
	char function_name[256];
	/* WAIT: only waits in these system calls; names separated by spaces */
	char syscalls[256];
	enum rsp_slo_resource resource; /* PSI */
	/* PSI: measure the time in which all tasks are stalled, not only some */
	bool full;

	uint64_t threshold_ns;
	uint32_t quantile_ppm; /* 990000: p99 of all events within over_ns; 0: each single event */
	uint64_t over_ns;
	/* durations before and after the breach that the snapshot contains */
	uint64_t before_ns, after_ns;
	uint64_t cooldown_ns; /* minimum time between two snapshots */

	/* limits for the SLO's snapshots in the store; 0: only the store's own limit applies */
	uint64_t max_use_bytes;
	uint32_t max_files;
};

struct rsp_config {
	/* [Recorder]: used only at start. */
	uint64_t window_bytes, ring_bytes; /* 0: chosen by the number of CPUs */
	uint64_t table_bytes;
	unsigned int sample_hz;
	unsigned int calm_sample_hz; /* rate while tasks run for long or rarely; 0: sample_hz */
	enum rsp_net_step net;

	/* [Budget] */
	uint32_t cpu_ppm;  /* share of the sum of all CPUs: 10000 is 1 %; 0: no limit */
	uint32_t time_ppm; /* maximum share of the time that is recorded; 1000000: all the time */

	/* [Store] */
	uint64_t max_use_bytes, keep_free_bytes;
	uint32_t max_files;

	/* [Access] */
	/* users other than root and group rsp may take snapshots of their own processes */
	bool users;

	/* [Summary] */
	uint64_t every_ns; /* interval; 0: no summaries */
	/* time that each summary covers; at most every_ns, if every_ns is not 0 */
	uint64_t slice_ns;

	/* in the order in which the files first mention them; names are unique */
	struct rsp_slo_config *slos;
	size_t slo_cnt; /* at most RSP_SLO_MAX */
};

#endif
