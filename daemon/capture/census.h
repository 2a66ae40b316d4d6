/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's list of its threads -> TASK records and seed SWITCH records. Taken whole when
 * recording begins; again, piece by piece between drains, after births were lost.
 */
#ifndef RSP_DAEMON_CENSUS_H
#define RSP_DAEMON_CENSUS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "capture.h"

#define RSP_CENSUS_BUF_BYTES (1 << 14)

struct rsp_census {
	struct rsp_bpf *bpf;
	rsp_sink_fn sink;
	void *userdata;
	int fd;		/* of the one that is under way, -1: none is */
	bool is_wanted; /* again */
	__u64 begun_ns; /* the last one */
	size_t have;	/* bytes in buf */
	_Alignas(8) char buf[RSP_CENSUS_BUF_BYTES];
};

void rsp_census_init(struct rsp_census *census, struct rsp_bpf *bpf, rsp_sink_fn sink,
		     void *userdata);

void rsp_census_done(struct rsp_census *census);

/* All of it. 0 or -errno; 0, too, where the kernel rejected the program. */
int rsp_census_take(struct rsp_census *census);

/* Births were lost: the threads that are alive are to be listed again. */
void rsp_census_want(struct rsp_census *census);

/* After each drain: begins one that is wanted, not too soon after the last; reads on in it. */
void rsp_census_go_on(struct rsp_census *census, __u64 now_ns);

#endif
