/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes COUNTERS records from files of the kernel about the whole machine: one record of each set
 * of counters per second. If a file is missing or has an unknown form, its values are absent.
 */
#ifndef RSP_DAEMON_COUNTERS_H
#define RSP_DAEMON_COUNTERS_H

#include <stddef.h>

#include "rsp/event.h"

#define RSP_COUNTERS_INTERVAL_NS 1000000000ULL

/*
 * Maximum number of cpufreq policies to read. If there are more, the policies to read are evenly
 * spread.
 */
#define RSP_COUNTERS_FREQ_MAX 16

struct rsp_counters {
	int pressure_fds[3]; /* for cpu, memory and io; -1: there is no such file */
	int meminfo_fd, loadavg_fd;
	int freq_fds[RSP_COUNTERS_FREQ_MAX];
	size_t freq_cnt;
	__u64 next_ns;
};

typedef void (*rsp_counters_sink)(const void *record, size_t len, void *userdata);

/* root: "" or, in tests, a directory that contains proc and sys. */
void rsp_counters_open(struct rsp_counters *c, const char *root);
void rsp_counters_close(struct rsp_counters *c);

/* A set whose values are all absent gets no record. */
void rsp_counters_poll(struct rsp_counters *c, __u64 now_ns, rsp_counters_sink sink,
		       void *userdata);

#endif
