/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a section SYMBOLS for the user stacks of a trace. Reads untrusted files, so it must run
 * with the rights of the client or without any rights, never with the recorder's.
 */
#ifndef RSP_LIB_SYMBOLIZE_H
#define RSP_LIB_SYMBOLIZE_H

#include <stddef.h>

#include "lib/trace/trace.h"

struct rsp_files;

struct rsp_symbolize_options {
	const struct rsp_files *files; /* opens binaries; NULL: this process opens them */
	bool dirs;	/* files has directories of debug files that the user named */
	bool servers;	/* files can ask servers for debug files */
	bool elsewhere; /* the trace may be from another machine: only build-ids identify files */
	bool keep;	/* keep the names in the trace if they are better (merge.h) */
};

/*
 * Names every user stack of the trace. *ret: a section SYMBOLS, which the caller frees. Returns 0,
 * -ENOMEM or -E2BIG. Places without a symbol:
 * - A function without a name is shown as its offset in the file: "libfoo.so+0x1230".
 * - If the file no longer exists, is damaged or has changed, each place is shown as its own offset.
 *   A file has changed if its build-id, or without build-id its device and inode, differ or are
 *   unknown.
 * - An address in no known file gets its name from the process (jit.h), with module "[jit]". If
 *   there is no such name, it is shown as "0x7f12…", with module "?".
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
