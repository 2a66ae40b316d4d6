/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a SYMBOLS section for the user stacks of a trace. Reads untrusted files, so it must run
 * with the rights of the client or with none at all, never with the recorder's. Opens each binary
 * once, and names each distinct place in it once.
 */
#ifndef RSP_LIB_SYMBOLIZE_H
#define RSP_LIB_SYMBOLIZE_H

#include <stddef.h>

#include "lib/trace/trace.h"

struct rsp_files;

struct rsp_symbolize_options {
	const struct rsp_files *files; /* opens binaries; NULL: this process does it */
	bool dirs;	/* files has directories of debug files that the user named */
	bool servers;	/* files can ask servers for debug files */
	bool elsewhere; /* the trace may be from another machine: only build-ids identify files */
	bool keep;	/* keep the names in the trace if they are better (merge.h) */
};

/*
 * Names every user stack of the trace. *ret: a SYMBOLS section (free). A function without a name is
 * shown as its offset in the file, "libfoo.so+0x1230". In a file that is gone, changed (build-id,
 * or else device and inode, differ or are unknown) or damaged, each place is shown by its own
 * offset. An address in no known file gets the name from its process, with module "[jit]", if there
 * is one (jit.h), else "0x7f12…" with module "?". 0, -ENOMEM, -E2BIG.
 */
int rsp_symbolize_user(const struct rsp_trace *trace, const struct rsp_symbolize_options *options,
		       void **ret, size_t *ret_len);

/*
 * Like rsp_symbolize_user(), for the snapshot in fd. Also returns the errors of
 * rsp_snapshot_open_fd() and rsp_trace_new().
 */
int rsp_symbolize_snapshot(int fd, const struct rsp_symbolize_options *options, void **ret,
			   size_t *ret_len);

#endif
