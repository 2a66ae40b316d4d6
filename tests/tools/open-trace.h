/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a snapshot file as a trace. */
#ifndef RSP_TESTS_OPEN_TRACE_H
#define RSP_TESTS_OPEN_TRACE_H

#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/trace/trace.h"

static inline struct rsp_trace *open_trace(const char *path)
{
	struct rsp_snapshot *snap;
	struct rsp_trace *trace;
	int fd = open(path, O_RDONLY | O_CLOEXEC), r;

	if (fd < 0)
		err(1, "%s", path);
	r = rsp_snapshot_open_fd(fd, &snap);
	if (r == 0)
		r = rsp_trace_new(snap, &trace);
	if (r < 0)
		errx(1, "%s: %s", path, strerror(-r));
	close(fd);
	return trace;
}

static inline void close_trace(struct rsp_trace *trace)
{
	struct rsp_snapshot *snap = (struct rsp_snapshot *)trace->snap;

	rsp_trace_free(trace);
	rsp_snapshot_free(snap);
}

#endif
