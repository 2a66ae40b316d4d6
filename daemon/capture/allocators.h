/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes the allocators that a process has mapped. A process of its own opens the files, has the
 * worker find the functions, has the helper attach the probes, and holds these until it is killed.
 * So a file system that does not answer holds up only that process, and no probe outlives it.
 */
#ifndef RSP_DAEMON_ALLOCATORS_H
#define RSP_DAEMON_ALLOCATORS_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>
#include <systemd/sd-event.h>

struct rsp_child;

struct rsp_allocators {
	struct rsp_child *child; /* NULL: none */
	int pipe;		 /* the process writes the number of functions to it; -1: done */
	__u32 function_cnt;	 /* functions with probes */
};

/* Begins to attach the probes. 0 or -errno. */
int rsp_allocators_begin(struct rsp_allocators *a, sd_event *event, pid_t pid);
/* Returns whether probes are still being attached. */
bool rsp_allocators_are_busy(struct rsp_allocators *a);
/* Removes the probes. Does nothing if there are none. */
void rsp_allocators_end(struct rsp_allocators *a);

#endif
