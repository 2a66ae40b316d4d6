/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executable mappings -> MMAP records, so that addresses of processes long gone can be named.
 * Living ones are read from /proc/PID/maps once; new ones come from perf's mmap2 records, which
 * every kernel writes before the mapping can be run, with the build-id where the kernel can (5.12).
 */
#ifndef RSP_DAEMON_MAPPINGS_H
#define RSP_DAEMON_MAPPINGS_H

#include <stddef.h>

#include "capture.h"

struct rsp_mappings;

/* Adds to the ladder what it can; that may be nothing. 0 or -errno. */
int rsp_mappings_new(struct rsp_ladder *ladder, int cpu_cnt, rsp_sink_fn sink, void *userdata,
		     struct rsp_mappings **ret);
struct rsp_mappings *rsp_mappings_free(struct rsp_mappings *m);

void rsp_mappings_drain(struct rsp_mappings *m);
/* Those of all living processes, as of now. 0 or -errno. */
int rsp_mappings_census(struct rsp_mappings *m);

#endif
