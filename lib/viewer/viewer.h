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
 * Explains the process of interest, and other processes as long as the file stays small. snap: the
 * snapshot of the trace; the function changes its META temporarily. If must_occur is set, a
 * snapshot without the process of interest is an error (-ESRCH). *ret_lossy: whether records were
 * lost. Returns 0, -ESRCH, -ENOMEM, -E2BIG, or -errno of the stream.
 */
int rsp_viewer_write(struct rsp_snapshot *snap, const struct rsp_trace *trace, bool must_occur,
		     FILE *out, bool *ret_lossy);

#endif
