/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes allocators (malloc() and similar functions) in the files that a process and its
 * descendants map. A separate process reads the notices of bpf/memory-files.bpf.h, opens the files,
 * and holds the probes until it is killed.
 */
#ifndef RSP_DAEMON_ALLOCATORS_H
#define RSP_DAEMON_ALLOCATORS_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>
#include <systemd/sd-event.h>

struct rsp_child;

/* Shared memory. Only the process that holds the probes writes it. */
struct rsp_allocators_state {
	__u32 is_ready;	      /* the files that were mapped at the beginning have been searched */
	__u32 function_cnt;   /* functions with probes */
	__u32 late_cnt;	      /* see RSP_MEMORY_LOST_LATE */
	__u32 child_cnt;      /* see RSP_MEMORY_LOST_CHILDREN */
	__u32 late_child_cnt; /* see RSP_MEMORY_LOST_LATE_CHILDREN */
	__u32 unseen_cnt;     /* see RSP_MEMORY_LOST_FILES */
	__u32 static_cnt;     /* see RSP_MEMORY_LOST_STATIC */
	__u32 failed_cnt;     /* see RSP_MEMORY_LOST_PROBES */
	__u32 pending_cnt;    /* files that are open and wait for the search */
	__u64 late_ns;	      /* see struct rsp_ev_memory_watch */
	__u64 notice_cnt;     /* notices that were handled */
};

struct rsp_allocators_request {
	pid_t pid;
	int files; /* descriptors of the tables RSP_MEMORY_FILES and RSP_MEMORY_NOTICES */
	int notices;
};

struct rsp_allocators {
	struct rsp_child *child;	    /* NULL: none */
	struct rsp_allocators_state *state; /* NULL: none */
	bool has_ended;			    /* the process died */
};

/*
 * Starts the process that holds the probes. The caller must not move *a until rsp_allocators_end().
 * Returns 0 or -errno.
 */
int rsp_allocators_begin(struct rsp_allocators *a, sd_event *event,
			 const struct rsp_allocators_request *request);
/* sent_cnt: number of notices that the BPF programs have sent. */
bool rsp_allocators_are_busy(const struct rsp_allocators *a, __u64 sent_cnt);
void rsp_allocators_end(struct rsp_allocators *a);

#endif
