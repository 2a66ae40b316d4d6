/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder's directory of snapshots: ID.rsp, or ID.SLO.rsp for a snapshot of an SLO. Writes
 * files completely or not at all, and deletes the oldest files to stay within the limits.
 */
#ifndef RSP_DAEMON_STORE_H
#define RSP_DAEMON_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/snapshot/stored-name.h"

#define RSP_STORE_DIR "/var/lib/rsp/snapshots"

/* Limits of the store. 0 means no limit. */
struct rsp_store_limits {
	uint64_t max_use_bytes;	  /* limit for the size of all snapshots */
	uint64_t keep_free_bytes; /* free space of the file system to leave */
	uint32_t max_files;
};

struct rsp_store_put {
	const char *dir;
	const char *id;			    /* hex digits */
	const char *slo;		    /* NULL: a client requested it */
	struct rsp_store_limits limits;	    /* for all snapshots */
	struct rsp_store_limits slo_limits; /* for the snapshots of this SLO */
	int fd;				    /* a memfd of size bytes */
	size_t size;
};

/*
 * Deletes the oldest snapshots to make room. If the SLO exceeds its own limits, deletes the SLO's
 * snapshots first. The caller frees *ret_path. Returns 0; -E2BIG: the file would not fit even
 * alone; -ENOSPC: deleting all other snapshots would not leave keep_free_bytes; -errno. On failure
 * there is no new file.
 */
int rsp_store_put(const struct rsp_store_put *put, char **ret_path, unsigned int *ret_deleted_cnt);

const char *rsp_store_error_text(int error);

/*
 * Creates the missing directories of the path. Parents get mode 0755, like /var/lib. Returns 0 or
 * -errno.
 */
int rsp_store_make(const char *path);

/* Removes incomplete files that a crash left. */
void rsp_store_clean(const char *dir);

/*
 * Deletes the only snapshot whose ID begins with id. Returns 0; -ENOENT: there is no such snapshot;
 * -ENOTUNIQ: there are several such snapshots; -errno.
 */
int rsp_store_delete(const char *dir, const char *id, struct rsp_stored_name *ret);

struct rsp_store_usage {
	uint64_t bytes, free_bytes; /* free space of the file system */
	uint32_t files;
};

int rsp_store_get_usage(const char *dir, struct rsp_store_usage *ret);

#endif
