/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of the kernel about the whole machine -> COUNTERS records, one of each set a second. All
 * files stay open, and a reading parses a few numbers of each. A file that is missing, or whose
 * numbers are not where they are expected, makes absent values.
 */
#ifndef RSP_DAEMON_COUNTERS_H
#define RSP_DAEMON_COUNTERS_H

#include <stddef.h>

#include "rsp/event.h"

#define RSP_COUNTERS_INTERVAL_NS 1000000000ULL

/* On machines with more CPUs, the frequencies of so many, evenly spread, stand for all. */
#define RSP_COUNTERS_FREQ_MAX 16

struct rsp_counters {
	int pressure_fds[3]; /* cpu, memory, io; each may be -1, as the ones below */
	int meminfo_fd, loadavg_fd;
	int freq_fds[RSP_COUNTERS_FREQ_MAX];
	size_t freq_cnt;
	__u64 next_ns;
};

typedef void (*rsp_counters_sink)(const void *record, size_t len, void *userdata);

/* root: "" or, for tests, a folder with proc and sys. */
void rsp_counters_open(struct rsp_counters *c, const char *root);
void rsp_counters_close(struct rsp_counters *c);

/* Hands a record of each set to sink, if it is time. A set without any value has no record. */
void rsp_counters_poll(struct rsp_counters *c, __u64 now_ns, rsp_counters_sink sink,
		       void *userdata);

#endif
