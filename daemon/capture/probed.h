/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probes of a watch of allocators. Each probe is for one allocator and one process, so that
 * processes that are not watched do not pay for it.
 */
#ifndef RSP_DAEMON_PROBED_H
#define RSP_DAEMON_PROBED_H

#include <linux/types.h>
#include <stddef.h>
#include <sys/types.h>

#include "rsp/allocator.h"

#define RSP_PROBED_ALLOCATOR_MAX 8
/*
 * Maximum number of processes that have probes at the same time, and of processes that get probes
 * during the whole watch.
 */
#define RSP_PROBED_PROCESS_MAX	 64
#define RSP_PROBED_TOTAL_MAX	 1000

struct rsp_allocator {
	int file;		      /* open for reading */
	__u64 offsets[RSP_ALLOC_CNT]; /* offsets of its functions in the file; 0: not in the file */
};

struct rsp_probed_process {
	pid_t pid;
	int fd; /* a pidfd, which shows whether the process has ended */
	struct {
		int returns, entries; /* links; -1: none */
	} links[RSP_PROBED_ALLOCATOR_MAX];
};

struct rsp_probed {
	struct rsp_allocator allocators[RSP_PROBED_ALLOCATOR_MAX];
	size_t allocator_cnt;
	struct rsp_probed_process processes[RSP_PROBED_PROCESS_MAX];
	size_t process_cnt;
	__u32 total_cnt; /* processes that were added so far */
	__u32 failed_cnt;
};

/*
 * Returns 1; 0: the process has probes already; -ESRCH: the process has ended; -E2BIG: too many
 * processes have probes; -errno.
 */
int rsp_probed_add_process(struct rsp_probed *p, pid_t pid);
/*
 * Attaches the probes of an allocator to all processes. Takes ownership of the allocator's file.
 * Returns the number of the allocator's functions; -E2BIG: there are too many allocators.
 */
int rsp_probed_add_allocator(struct rsp_probed *p, const struct rsp_allocator *allocator);

#endif
