/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A watch: for a limited time, on demand, the recorder counts the system calls of all threads, or
 * watches the memory of some. It writes the CPU times of all threads when the watch begins and at
 * each reading. The programs for all that are attached only during a watch.
 */
#ifndef RSP_DAEMON_WATCH_H
#define RSP_DAEMON_WATCH_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>

#include "capture.h"
#include "memory-watch.h"

struct rsp_watch {
	struct rsp_bpf *bpf;
	rsp_sink_fn sink;
	void *userdata;
	sd_event *event;
	bool is_on, is_counting;
	struct rsp_memory_watch memory;
};

void rsp_watch_init(struct rsp_watch *w, sd_event *event, struct rsp_bpf *bpf, rsp_sink_fn sink,
		    void *userdata);
/*
 * 0; -EBUSY: there is a watch already; -ESRCH: there is no process with the PID of the wish;
 * -EOPNOTSUPP: the kernel rejected the programs; -errno: they cannot be attached.
 */
int rsp_watch_begin(struct rsp_watch *w, const struct rsp_watch_wish *wish);
/* Passes records of the CPU times and counts to the sink. Does nothing if there is no watch. */
void rsp_watch_read(struct rsp_watch *w);
/* Detaches the programs and frees their memory. Does nothing if there is no watch. */
void rsp_watch_end(struct rsp_watch *w);

#endif
