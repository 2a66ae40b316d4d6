/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches the memory of a process and its descendants (bpf/memory-watch.bpf.c): page faults, mmap()
 * and brk(), and calls of the allocators that these processes map.
 */
#ifndef RSP_DAEMON_MEMORY_WATCH_H
#define RSP_DAEMON_MEMORY_WATCH_H

#include "daemon/capture/allocators.h"
#include "daemon/capture/sink.h"
#include "daemon/capture/watch-request.h"
#include "rsp/watch.h"

struct rsp_bpf;

struct rsp_memory_watch {
	struct rsp_bpf *bpf;
	__u32 kinds; /* set of 1 << enum rsp_memory_kind; 0: memory is not watched */
	int tables[RSP_MEMORY_TABLE_CNT]; /* descriptors; -1: no table */
	struct rsp_allocators allocators;
	__u64 missed; /* number of skipped runs of the BPF programs at the beginning of the watch */
};

/*
 * Begins to watch. The caller has put the number and the beginning of the watch into the settings
 * rsp_watch. Returns 0; -ESRCH: the process to watch does not exist; -EOPNOTSUPP: the kernel
 * rejected the programs; -errno. The caller must end the watch even after an error.
 */
int rsp_memory_watch_begin(struct rsp_memory_watch *w, struct rsp_bpf *bpf, sd_event *event,
			   const struct rsp_watch_request *request);
bool rsp_memory_watch_is_busy(const struct rsp_memory_watch *w);
/* Does nothing if memory is not watched. */
void rsp_memory_watch_read(struct rsp_memory_watch *w, rsp_sink_fn sink, void *userdata);
/* Does nothing if memory is not watched. */
void rsp_memory_watch_end(struct rsp_memory_watch *w);

#endif
