/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches of clients. The recorder writes the CPU times of all threads at the beginning of a watch
 * and at each reading. A watch can also count the system calls of all threads, or watch the memory
 * of a process. Only one watch at a time can count system calls or watch memory.
 */
#ifndef RSP_DAEMON_WATCH_H
#define RSP_DAEMON_WATCH_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>
#include <systemd/sd-event.h>

#include "daemon/capture/memory-watch.h"
#include "daemon/capture/sink.h"
#include "daemon/capture/watch-request.h"

struct rsp_bpf;

struct rsp_watch {
	struct rsp_bpf *bpf;
	rsp_sink_fn sink;
	void *userdata;
	sd_event *event;
	unsigned int cnt;  /* number of watches in progress */
	bool is_measuring; /* a watch in progress counts calls or watches memory */
	bool is_counting;
	struct rsp_memory_watch memory;
};

void rsp_watch_init(struct rsp_watch *w, sd_event *event, struct rsp_bpf *bpf, rsp_sink_fn sink,
		    void *userdata);
/*
 * Returns 0; -EBUSY: the watch counts calls or watches memory, and another watch already does so;
 * -ESRCH: there is no process with the PID of the request; -EOPNOTSUPP: the kernel rejected the
 * programs; -errno: the programs cannot be attached.
 */
int rsp_watch_begin(struct rsp_watch *w, const struct rsp_watch_request *request);
/* Does nothing if there is no watch. */
void rsp_watch_read(struct rsp_watch *w);
/* If the watch counted calls or watched memory, detaches the programs and frees their memory. */
void rsp_watch_end(struct rsp_watch *w, const struct rsp_watch_request *request);
/* Ends all watches. */
void rsp_watch_done(struct rsp_watch *w);

#endif
