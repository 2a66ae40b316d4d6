/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a snapshot to one HTML file: the viewer of web/ with the recording in it.
 * docs/viewer-format.md describes the file.
 */
#ifndef RSP_LIB_VIEWER_H
#define RSP_LIB_VIEWER_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/trace/trace.h"

/*
 * Writes the file to out. Explains the process of interest, and other processes as long as the file
 * stays small. snap: the snapshot of the trace. The function temporarily changes the process of
 * interest in META of snap. If must_occur is set and the snapshot does not contain the process of
 * interest, returns -ESRCH instead of showing the machine. Sets *ret_lossy to whether records were
 * lost. Returns 0, -ESRCH, -ENOMEM, -E2BIG, or -errno of the stream.
 */
int rsp_viewer_write(struct rsp_snapshot *snap, const struct rsp_trace *trace, bool must_occur,
		     FILE *out, bool *ret_lossy);

#endif
