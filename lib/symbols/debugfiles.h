/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where distributions and people keep what strip took from a binary. Looks in the directories that
 * the user named, then in /usr/lib/debug of the binary's process and of this machine, and gives a
 * file away only if it is proved to belong to the binary.
 */
#ifndef RSP_LIB_DEBUGFILES_H
#define RSP_LIB_DEBUGFILES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/files/files.h"
#include "rsp/event.h"

struct rsp_debugfiles;

/*
 * files and dirs outlive it; files are asked for what is not in dirs. Of dirs each may be laid out
 * by build-id, as /usr/lib/debug is, or hold files of any name, unstripped binaries among them.
 * servers: ask those of $DEBUGINFOD_URLS for what is nowhere else, however long that takes. 0,
 * -ENOMEM; -errno: one of dirs cannot be read.
 */
int rsp_debugfiles_new(const struct rsp_files *files, const char *const *dirs, size_t dir_cnt,
		       bool servers, struct rsp_debugfiles **ret);
struct rsp_debugfiles *rsp_debugfiles_free(struct rsp_debugfiles *d);

/* A binary, by whatever is known of it. */
struct rsp_debug_wish {
	const struct rsp_ev_binary *binary; /* its path, and whose root may hold the file, too */
	const __u8 *build_id;
	size_t build_id_len;
	const char *link; /* of its .gnu_debuglink; NULL: none */
	__u32 link_crc;
};

/* A file descriptor (the caller closes it), or -ENOENT. */
int rsp_debugfiles_open(const struct rsp_debugfiles *d, const struct rsp_debug_wish *wish);

/* What a debug file's .gnu_debugaltlink means; wish: the name and build-id from there. The same. */
int rsp_debugfiles_open_alt(const struct rsp_debugfiles *d, const struct rsp_debug_wish *wish);

#endif
