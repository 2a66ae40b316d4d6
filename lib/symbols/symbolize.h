/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace's user stacks -> a SYMBOLS section. Reads files that strangers wrote: runs with the
 * rights of whoever asks, or with none at all, never with the recorder's. Each binary is opened
 * once and each distinct place in it named once.
 */
#ifndef RSP_LIB_SYMBOLIZE_H
#define RSP_LIB_SYMBOLIZE_H

#include <stddef.h>

#include "lib/trace/trace.h"

struct rsp_files;

struct rsp_symbolize_options {
	const struct rsp_files *files; /* who opens binaries; NULL: this process itself */
	bool dirs;	/* files has directories of debug files that the user named */
	bool servers;	/* files can ask servers for debug files */
	bool elsewhere; /* the trace may be of another machine: only build-ids tell what is what */
	bool keep;	/* the trace's own names where they are better (merge.h) */
};

/*
 * Names every user stack of the trace. *ret: a SYMBOLS section (free). A function without a name is
 * called by where in its file it begins, "libfoo.so+0x1230". So is each place by itself in files
 * that are gone, changed (build-id, else device and inode, differ or are not known) or broken; an
 * address in no known file is in module "[jit]" by name if its process says (jit.h), else "0x7f12…"
 * of module "?". 0, -ENOMEM, -E2BIG.
 */
int rsp_symbolize_user(const struct rsp_trace *trace, const struct rsp_symbolize_options *options,
		       void **ret, size_t *ret_len);

/* The same for the snapshot in fd; errors also as of rsp_snapshot_open_fd() and rsp_trace_new(). */
int rsp_symbolize_snapshot(int fd, const struct rsp_symbolize_options *options, void **ret,
			   size_t *ret_len);

#endif
