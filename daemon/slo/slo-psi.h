/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pressure stall information, of the machine or of a cgroup -> stalls within a sliding span. */
#ifndef RSP_DAEMON_SLO_PSI_H
#define RSP_DAEMON_SLO_PSI_H

#include <linux/types.h>
#include <stdbool.h>

#include "rsp/slo.h"

#define RSP_PSI_SAMPLE_CNT 10

/* A span of 0 is one second. */
struct rsp_psi {
	int fd; /* -1: not open */
	bool full;
	__u64 step_ns;
	struct rsp_psi_sample {
		__u64 number; /* of the tenth of a span, since the clock's beginning */
		__u64 ts_ns, total_ns;
	} samples[RSP_PSI_SAMPLE_CNT]; /* the first of each tenth */
};

void rsp_psi_init(struct rsp_psi *psi, bool full, __u64 span_ns);
void rsp_psi_done(struct rsp_psi *psi);

/* cgroup_fd: its directory; -1: of the machine. 0; -ENOENT: there is none; -errno. */
int rsp_psi_open(struct rsp_psi *psi, int cgroup_fd, enum rsp_slo_resource resource);

/*
 * How long tasks were stalled since *ret_since_ns, which is at most the span before now. 0;
 * -ENODEV: the cgroup is gone, or it was not open: it is closed now; -errno.
 */
int rsp_psi_read(struct rsp_psi *psi, __u64 now_ns, __u64 *ret_stall_ns, __u64 *ret_since_ns);

/* From a sample on; pure. */
void rsp_psi_slide(struct rsp_psi *psi, __u64 now_ns, __u64 total_ns, __u64 *ret_stall_ns,
		   __u64 *ret_since_ns);

#endif
