/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A spool contains the batches that wait for one sink, as files in a directory, and the sink's
 * cursor: the last summary that was read from the recorder. Even if the process ends at any moment,
 * a batch is in the spool exactly once, and stays there until it is removed.
 *
 * 0000000000000012-BOOT-FIRST-LAST: a batch with the summaries FIRST to LAST. BOOT identifies the
 * start of the recorder that made them.
 * 0000000000000013-snapshot-ID: a batch with a stored snapshot.
 * state: the data in the names of batches that have been removed.
 *
 * The name of a batch contains the range of its summaries, so one rename() both adds the batch and
 * moves the cursor. Before the last batch in the spool, or a batch with a snapshot, is removed, the
 * data in its name is saved in "state".
 */
#ifndef RSP_EXPORT_SPOOL_H
#define RSP_EXPORT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export/spool-state.h"

#define RSP_SPOOL_BATCH_BYTES_MAX (64 << 20)

struct rsp_spool_batch {
	char name[RSP_SPOOL_NAME_BYTES]; /* file name; the part after the first '-' is unique */
	uint64_t bytes;
};

struct rsp_spool;

/*
 * Creates the directory if it is missing. Returns 0, -EBADMSG if the state is damaged, or another
 * -errno.
 */
int rsp_spool_open(const char *dir, struct rsp_spool **ret);
/* Does not change the disk. If the directory is missing, the spool is empty. */
int rsp_spool_peek(const char *dir, struct rsp_spool **ret);
struct rsp_spool *rsp_spool_free(struct rsp_spool *s);

const struct rsp_spool_cursor *rsp_spool_cursor(const struct rsp_spool *s);
bool rsp_spool_has_snapshot(const struct rsp_spool *s, const char *id);
struct rsp_spool_day *rsp_spool_day(struct rsp_spool *s);

/*
 * boot: the start of the recorder that made the summaries. first, last: the numbers of the first
 * and the last summary. id: the snapshot's ID.
 */
struct rsp_spool_content {
	const char *boot; /* NULL: a snapshot */
	uint64_t first, last;
	const char *id;
};

/* Adds a batch and moves the cursor. Returns 0; after -errno, nothing has changed. */
int rsp_spool_put(struct rsp_spool *s, const struct rsp_spool_content *content, const void *bytes,
		  size_t len);
/* Moves the cursor, or notes the ID of the snapshot, without a batch. Returns 0 or -errno. */
int rsp_spool_pass(struct rsp_spool *s, const struct rsp_spool_content *content);
/* Removes the IDs of snapshots that no longer exist. */
void rsp_spool_forget(struct rsp_spool *s, bool (*exists)(const char *id, void *userdata),
		      void *userdata);

/* The batches in the spool, oldest first. */
size_t rsp_spool_cnt(const struct rsp_spool *s);
uint64_t rsp_spool_bytes(const struct rsp_spool *s);
const struct rsp_spool_batch *rsp_spool_oldest(const struct rsp_spool *s); /* NULL: none */
const struct rsp_spool_batch *rsp_spool_at(const struct rsp_spool *s, size_t i);
/*
 * The caller frees *ret_bytes. Returns 0, -EBADMSG if the file has another length, or another
 * -errno.
 */
int rsp_spool_read(const struct rsp_spool *s, const struct rsp_spool_batch *batch,
		   char **ret_bytes);
/* Returns 0; after -errno, the batch is still there. */
int rsp_spool_remove_oldest(struct rsp_spool *s);

#endif
