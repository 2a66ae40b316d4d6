/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A snapshot -> one HTML file that shows it: the viewer of web/ with the recording in it.
 * docs/viewer-format.md tells what of the recording, and how it is written.
 */
#ifndef RSP_LIB_VIEWER_H
#define RSP_LIB_VIEWER_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/trace/trace.h"

/*
 * Explains the process of interest, and others as far as the file stays small, and writes the file
 * to out. snap: that of the trace; whom its META is about changes meanwhile. must_occur: without
 * the process of interest there is no page, but -ESRCH; else what the machine did is shown.
 * *ret_lossy: records are missing from what is shown. 0; -ENOMEM; -E2BIG; -errno of the stream.
 */
int rsp_viewer_write(struct rsp_snapshot *snap, const struct rsp_trace *trace, bool must_occur,
		     FILE *out, bool *ret_lossy);

#endif
