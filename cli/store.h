/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists and finds the snapshots in a directory. The files are called ID.rsp, or ID.SLO.rsp if an
 * SLO triggered the snapshot.
 */
#ifndef RSP_CLI_STORE_H
#define RSP_CLI_STORE_H

#include <stddef.h>

#include "lib/snapshot/snapshot.h"

/* The description of a snapshot file, without its records. */
struct rsp_stored {
	char *path;
	uint64_t bytes;	  /* of the file */
	int64_t taken_ns; /* end of the span, CLOCK_REALTIME; of a damaged file: its mtime */
	bool truncated;
	bool damaged;	      /* the file cannot be read as a snapshot */
	struct rsp_meta meta; /* of a damaged file: only the ID and the SLO, from the file name */
};

struct rsp_store_list {
	struct rsp_stored *v; /* oldest first */
	size_t cnt, cap;
};

/*
 * Describes the snapshot in fd, except ret->path. Returns 0, or -errno like rsp_snapshot_open_fd().
 */
int rsp_store_describe(int fd, struct rsp_stored *ret);

/*
 * Lists the snapshots in dir, including damaged ones. If dir does not exist, the list is empty.
 * Returns 0 or -errno.
 */
int rsp_store_list(const char *dir, struct rsp_store_list *ret);
void rsp_store_list_done(struct rsp_store_list *list);

/*
 * name is a prefix of the ID of a stored snapshot. If may_be_file, name may also be a path: any
 * name that contains '/' or names an existing file. The caller frees *ret_path. Returns 0, -ENOENT
 * if there is no such snapshot, -ENOTUNIQ if several IDs begin with name, or another -errno.
 */
int rsp_store_find(const char *dir, const char *name, bool may_be_file, char **ret_path);

#endif
