/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory of snapshots as the recorder keeps it: ID.rsp, and ID.SLO.rsp for what an SLO had
 * dumped. Writes whole files or none, deletes the oldest to stay within bounds. Opens none of
 * them. What waits for the disk is called by children of the recorder (dump.h).
 */
#ifndef RSP_DAEMON_STORE_H
#define RSP_DAEMON_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/snapshot/stored-name.h"

#define RSP_STORE_DIR "/var/lib/rsp/snapshots"

/* 0: no such bound. */
struct rsp_store_limits {
	uint64_t max_use_bytes;	  /* of all snapshots */
	uint64_t keep_free_bytes; /* of the file system */
	uint32_t max_files;
};

struct rsp_store_put {
	const char *dir;
	const char *id;			    /* hex digits */
	const char *slo;		    /* NULL: somebody asked for it */
	struct rsp_store_limits limits;	    /* of all */
	struct rsp_store_limits slo_limits; /* of those of this SLO */
	int fd;				    /* a memfd of size bytes */
	size_t size;
};

/*
 * Makes room by deleting the oldest (of the SLO first, where it is over its own bounds), writes,
 * syncs, renames, mode 0640, for the directory's group. *ret_path: free(); *ret_deleted_cnt: how
 * many had to go. 0; -E2BIG: it would not fit if it were alone; -ENOSPC: the file system is fuller
 * than keep_free_bytes allows and nothing is left to delete; -errno. On failure nothing new is
 * there.
 */
int rsp_store_put(const struct rsp_store_put *put, char **ret_path, unsigned int *ret_deleted_cnt);

/* What went wrong, of an error of rsp_store_put(), and what to do. */
const char *rsp_store_why(int error);

/* Removes what a crash left half written. */
void rsp_store_clean(const char *dir);

/* By a beginning of its ID that no other has. ret: which it was. 0; -ENOENT; -ENOTUNIQ; -errno. */
int rsp_store_delete(const char *dir, const char *id, struct rsp_stored_name *ret);

struct rsp_store_usage {
	uint64_t bytes, free_bytes; /* free: of the file system */
	uint32_t files;
};

int rsp_store_get_usage(const char *dir, struct rsp_store_usage *ret);

#endif
