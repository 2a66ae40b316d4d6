/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the debug file of a stripped binary in the usual places. Returns only a file whose build-id
 * or checksum proves that it belongs to the binary. This module opens files only with struct
 * rsp_files.
 */
#ifndef RSP_LIB_DEBUGFILES_H
#define RSP_LIB_DEBUGFILES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/files/files.h"
#include "rsp/event.h"

struct rsp_debugfiles;

/*
 * files: opens all files, and must outlive *ret. dirs: `files` also searches directories that the
 * user named. servers: `files` also downloads files. Returns 0 or -ENOMEM.
 */
int rsp_debugfiles_new(const struct rsp_files *files, bool dirs, bool servers,
		       struct rsp_debugfiles **ret);
struct rsp_debugfiles *rsp_debugfiles_free(struct rsp_debugfiles *d);

struct rsp_debug_request {
	/* the root of its process may contain the debug file */
	const struct rsp_ev_binary *binary;
	const __u8 *build_id;
	size_t build_id_len;
	const char *link; /* name in the binary's .gnu_debuglink; NULL: there is none */
	__u32 link_crc;
};

/*
 * Finds the debug file of a binary. Returns a file descriptor, which the caller closes, or -ENOENT.
 */
int rsp_debugfiles_open(const struct rsp_debugfiles *d, const struct rsp_debug_request *request);

/*
 * Like rsp_debugfiles_open(), for the file to which the .gnu_debugaltlink of a debug file refers.
 */
int rsp_debugfiles_open_alt(const struct rsp_debugfiles *d,
			    const struct rsp_debug_request *request);

#endif
