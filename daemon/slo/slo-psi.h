/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads pressure stall information of the machine or a cgroup, and computes the stall time within a
 * sliding span.
 */
#ifndef RSP_DAEMON_SLO_PSI_H
#define RSP_DAEMON_SLO_PSI_H

#include <linux/types.h>
#include <stdbool.h>

#include "rsp/slo.h"

#define RSP_PSI_SAMPLE_CNT 10

/* A configured span of 0 means one second. */
struct rsp_psi {
	int fd; /* -1: not open */
	bool full;
	__u64 step_ns;
	struct rsp_psi_sample {
		__u64 number; /* number of a tenth of the span, counted from time 0 of the clock */
		__u64 ts_ns, total_ns;
	} samples[RSP_PSI_SAMPLE_CNT]; /* the first reading in each tenth of the span */
};

void rsp_psi_init(struct rsp_psi *psi, bool full, __u64 span_ns);
void rsp_psi_done(struct rsp_psi *psi);

/*
 * cgroup_fd: directory of a cgroup, or -1 for the whole machine. Returns 0; -ENOENT: there is no
 * such file; -errno.
 */
int rsp_psi_open(struct rsp_psi *psi, int cgroup_fd, enum rsp_slo_resource resource);

/*
 * *ret_since_ns is at most one span before now_ns. Returns 0; -ENODEV: no file is open, or the
 * cgroup is gone (the file is then closed); -errno.
 */
int rsp_psi_read(struct rsp_psi *psi, __u64 now_ns, __u64 *ret_stall_ns, __u64 *ret_since_ns);

void rsp_psi_slide(struct rsp_psi *psi, __u64 now_ns, __u64 total_ns, __u64 *ret_stall_ns,
		   __u64 *ret_since_ns);

#endif
