/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes a census: makes a TASK record for each thread in the kernel's list, and a SWITCH record
 * with its state (RSP_SW_SEED) if it sleeps. Reads the whole list at once when recording begins and
 * after a halt. If records of births were lost, reads the list again, in steps between drains.
 */
#ifndef RSP_DAEMON_CENSUS_H
#define RSP_DAEMON_CENSUS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/capture/sink.h"

#define RSP_CENSUS_BUF_BYTES (1 << 14)

struct rsp_bpf;

struct rsp_census {
	struct rsp_bpf *bpf;
	rsp_sink_fn sink;
	void *userdata;
	int fd;		/* iterator of the census in progress; -1: no census */
	bool is_wanted; /* another census is needed */
	__u64 begun_ns; /* start of the last census */
	size_t have;	/* bytes in buf */
	_Alignas(8) char buf[RSP_CENSUS_BUF_BYTES];
};

void rsp_census_init(struct rsp_census *census, struct rsp_bpf *bpf, rsp_sink_fn sink,
		     void *userdata);

void rsp_census_done(struct rsp_census *census);

/* Takes a whole census. Returns 0, also if the kernel rejected the program; -errno. */
int rsp_census_take(struct rsp_census *census);

/* Drops a census in progress, and takes a new one. Returns the result of rsp_census_take(). */
int rsp_census_retake(struct rsp_census *census);

/* Requests another census, because births were lost. */
void rsp_census_want(struct rsp_census *census);

/* Call it after each drain. Begins a requested census, but not too soon after the last one. */
void rsp_census_go_on(struct rsp_census *census, __u64 now_ns);

#endif
