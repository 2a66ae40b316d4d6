/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches: for a limited time, on demand, the recorder writes the CPU times of all threads when the
 * watch begins and at each reading. A watch may also count the system calls of all threads, or
 * watch the memory of some; only one watch at a time measures one of these. The programs for that
 * are attached only during such a watch.
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
	unsigned int cnt;  /* watches that have begun and not ended */
	bool is_measuring; /* one of them counts calls or watches memory */
	bool is_counting;
	struct rsp_memory_watch memory;
};

void rsp_watch_init(struct rsp_watch *w, sd_event *event, struct rsp_bpf *bpf, rsp_sink_fn sink,
		    void *userdata);
/*
 * 0; -EBUSY: the wish is to measure, as another watch already does; -ESRCH: there is no process
 * with the PID of the wish; -EOPNOTSUPP: the kernel rejected the programs; -errno: they cannot be
 * attached.
 */
int rsp_watch_begin(struct rsp_watch *w, const struct rsp_watch_wish *wish);
/* Passes records of the CPU times and counts to the sink. Does nothing if there is no watch. */
void rsp_watch_read(struct rsp_watch *w);
/* Ends a watch that began with this wish. Its programs are detached and their memory is freed. */
void rsp_watch_end(struct rsp_watch *w, const struct rsp_watch_wish *wish);
/* Ends all watches. */
void rsp_watch_done(struct rsp_watch *w);

#endif
