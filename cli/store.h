/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory of snapshots, one file each: ID.rsp, or ID.SLO.rsp if the recorder took it because a
 * limit was passed. Saving, listing, finding. Files with other names are none of its business.
 */
#ifndef RSP_CLI_STORE_H
#define RSP_CLI_STORE_H

#include <stddef.h>

#include "lib/snapshot/snapshot.h"

/* What is known of a snapshot file without reading its records. */
struct rsp_stored {
	char *path;
	uint64_t bytes;	  /* of the file */
	int64_t taken_ns; /* CLOCK_REALTIME at which its span ended; damaged: of the file */
	bool truncated;
	bool damaged;	      /* nothing in it can be read */
	struct rsp_meta meta; /* damaged: what the name of the file tells, id and SLO */
};

struct rsp_store_list {
	struct rsp_stored *v; /* oldest first */
	size_t cnt, cap;
};

/* 0 or -errno as rsp_snapshot_open_fd(); ret->path is left to the caller. */
int rsp_store_describe(int fd, struct rsp_stored *ret);

/* Damaged ones, too. 0 or -errno; a directory that does not exist holds no snapshots. */
int rsp_store_list(const char *dir, struct rsp_store_list *ret);
void rsp_store_list_done(struct rsp_store_list *list);

/*
 * The file that name means: a beginning of one stored snapshot's ID, or, if may_be_file, a path
 * (anything with a '/' or that exists). *ret_path is the caller's (free). -ENOENT; -ENOTUNIQ:
 * several IDs begin so.
 */
int rsp_store_find(const char *dir, const char *name, bool may_be_file, char **ret_path);

#endif
