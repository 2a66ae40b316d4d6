/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A watch: for a limited time, on demand, the recorder counts the system calls of all threads. It
 * writes their CPU times when the watch begins and at each reading. The programs that count are
 * attached only during a watch.
 */
#ifndef RSP_DAEMON_WATCH_H
#define RSP_DAEMON_WATCH_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>

#include "capture.h"

struct rsp_watch {
	struct rsp_bpf *bpf;
	rsp_sink_fn sink;
	void *userdata;
	bool is_on, is_counting;
};

void rsp_watch_init(struct rsp_watch *w, struct rsp_bpf *bpf, rsp_sink_fn sink, void *userdata);
/*
 * calls: also counts system calls. 0; -EBUSY: there is a watch already; -EOPNOTSUPP: the kernel
 * rejected the programs; -errno: they cannot be attached.
 */
int rsp_watch_begin(struct rsp_watch *w, bool calls);
/* Passes records of the CPU times and counts to the sink. Does nothing if there is no watch. */
void rsp_watch_read(struct rsp_watch *w);
/* Detaches the programs and frees their memory. Does nothing if there is no watch. */
void rsp_watch_end(struct rsp_watch *w);

#endif
