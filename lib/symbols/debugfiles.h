/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where distributions and people keep what strip took from a binary. Looks in the directories that
 * the user named, then in /usr/lib/debug of the binary's process and of this machine, then asks
 * servers; and gives a file away only if it is proved to belong to the binary. Opens nothing
 * itself.
 */
#ifndef RSP_LIB_DEBUGFILES_H
#define RSP_LIB_DEBUGFILES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/files/files.h"
#include "rsp/event.h"

struct rsp_debugfiles;

/*
 * files outlives it, and opens all that is looked at. dirs, servers: it has directories that the
 * user named, it can ask servers for what is nowhere else. 0, -ENOMEM.
 */
int rsp_debugfiles_new(const struct rsp_files *files, bool dirs, bool servers,
		       struct rsp_debugfiles **ret);
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
