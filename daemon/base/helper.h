/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that keeps CAP_BPF, CAP_PERFMON and CAP_SYSLOG after rspd has given them up. On request
 * it creates a map, attaches a probe or opens /proc/kallsyms, and returns the descriptor. Requests
 * contain no paths, and a set of programs cannot be replaced.
 *
 * If the helper was not started, as in tests, these functions do the work in the calling process.
 * Every thread of rspd and every child may call them.
 */
#ifndef RSP_DAEMON_HELPER_H
#define RSP_DAEMON_HELPER_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <systemd/sd-event.h>

#include "rsp/watch.h"

/* BPF_TRACE_UPROBE_MULTI of <linux/bpf.h> (Linux 6.6); older headers lack it. */
#define RSP_UPROBE_MULTI 48

struct rsp_helper_programs {
	int entry, return_; /* descriptors, which must stay open */
	bool multi;	    /* loaded for RSP_UPROBE_MULTI */
};

enum rsp_helper_set {
	RSP_HELPER_FUNCTIONS,  /* measure functions for SLOs (slo/slo-function.h) */
	RSP_HELPER_ALLOCATORS, /* measure allocators for watches of memory */
	RSP_HELPER_SET_CNT,
};

#define RSP_HELPER_FUNCTION_MAX 32

struct rsp_helper_probe {
	int file;  /* the file that contains the functions, open for reading */
	__u32 cnt; /* number of functions; more than 1 only for RSP_UPROBE_MULTI */
	__u64 offsets[RSP_HELPER_FUNCTION_MAX], cookies[RSP_HELPER_FUNCTION_MAX];
	bool returns; /* probe the returns of the functions, not the entries */
	enum rsp_helper_set set;
	pid_t pid; /* probe only this process; 0: all */
};

/*
 * Starts the helper by a fork. Call this function early, while the process has little memory and
 * few descriptors to inherit. If the helper dies, the event loop ends with -EIO. SIGCHLD must be
 * blocked. Returns 0 or -errno.
 */
int rsp_helper_start(sd_event *event);
void rsp_helper_stop(void);

/*
 * Sets the programs of a set. Call it once, before the first probe of the set. Returns 0 or -errno.
 */
int rsp_helper_set_programs(enum rsp_helper_set set, const struct rsp_helper_programs *programs);

/*
 * The functions below block, usually for milliseconds. Each returns a descriptor, which the caller
 * must close, or -errno. -ETIME: the helper did not answer within the time limit.
 */

/*
 * Creates a BPF array of block_cnt unwind blocks that can be memory-mapped, for the map rsp_areas.
 */
int rsp_helper_make_area(__u32 block_cnt);
int rsp_helper_make_table(enum rsp_memory_table which);
/*
 * Opens /proc/kallsyms, with addresses. The descriptor is at the beginning of the file, and no
 * other process shares its position.
 */
int rsp_helper_open_kallsyms(void);
/*
 * Attaches probes, which exist until the descriptor is closed. -EOPNOTSUPP: several functions need
 * RSP_UPROBE_MULTI.
 */
int rsp_helper_add_probe(const struct rsp_helper_probe *probe);

#endif
