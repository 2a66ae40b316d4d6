/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists and finds the snapshots in a directory: files named ID.rsp, or ID.SLO.rsp if an SLO
 * triggered the snapshot. Files with other names are ignored.
 */
#ifndef RSP_CLI_STORE_H
#define RSP_CLI_STORE_H

#include <stddef.h>

#include "lib/snapshot/snapshot.h"

/* The description of a snapshot file, made without reading its records. */
struct rsp_stored {
	char *path;
	uint64_t bytes;	  /* of the file */
	int64_t taken_ns; /* CLOCK_REALTIME of the end of its span; damaged: of the file */
	bool truncated;
	bool damaged;	      /* nothing in it can be read */
	struct rsp_meta meta; /* damaged: only ID and SLO, from the file name */
};

struct rsp_store_list {
	struct rsp_stored *v; /* oldest first */
	size_t cnt, cap;
};

/*
 * Describes the snapshot in fd, except ret->path. Returns 0, or -errno as rsp_snapshot_open_fd().
 */
int rsp_store_describe(int fd, struct rsp_stored *ret);

/*
 * Lists the snapshots in dir, including damaged ones. If dir does not exist, the list is empty.
 * Returns 0 or -errno.
 */
int rsp_store_list(const char *dir, struct rsp_store_list *ret);
void rsp_store_list_done(struct rsp_store_list *list);

/*
 * Finds the file of a snapshot. name: the beginning of a stored snapshot's ID or, if may_be_file, a
 * path (with a '/', or of an existing file). The caller frees *ret_path. Returns 0, -errno,
 * -ENOENT, or -ENOTUNIQ if several IDs begin with name.
 */
int rsp_store_find(const char *dir, const char *name, bool may_be_file, char **ret_path);

#endif
