/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a spool: the data in the names of its batches, including batches that have been
 * removed.
 */
#ifndef RSP_EXPORT_SPOOL_STATE_H
#define RSP_EXPORT_SPOOL_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define RSP_SPOOL_BOOT_BYTES   33
#define RSP_SPOOL_ID_BYTES     40
#define RSP_SPOOL_NAME_BYTES   128
#define RSP_SPOOL_SNAPSHOT_MAX 16384 /* maximum number of remembered snapshots */

#define RSP_SPOOL_STATE_BYTES_MAX (2 << 20)

/* The last summary that was read; boot is "" if none was read. */
struct rsp_spool_cursor {
	char boot[RSP_SPOOL_BOOT_BYTES]; /* hexadecimal digits */
	uint64_t number;
};

/* A day (UTC): spooled bytes, and batches left out because of MaxDaily=. */
struct rsp_spool_day {
	uint32_t date; /* day as a number, like 20261127 */
	uint64_t bytes;
	uint64_t left_out_cnt; /* batches */
};

struct rsp_spool_state {
	uint64_t seq; /* largest sequence number of any batch */
	struct rsp_spool_cursor cursor;
	struct rsp_spool_day day;
	struct {
		struct rsp_spool_id {
			char text[RSP_SPOOL_ID_BYTES];
		} * v;
		size_t cnt, cap;
	} snapshots;
};

void rsp_spool_state_done(struct rsp_spool_state *s);
/* Returns 0, -EBADMSG or -ENOMEM. */
int rsp_spool_state_parse(const char *text, struct rsp_spool_state *s);
/* The caller frees *ret. Returns 0 or -ENOMEM. */
int rsp_spool_state_format(const struct rsp_spool_state *s, char **ret);

bool rsp_spool_state_has(const struct rsp_spool_state *s, const char *id);
void rsp_spool_state_forget(struct rsp_spool_state *s,
			    bool (*exists)(const char *id, void *userdata), void *userdata);

/*
 * Reserves memory, so that the next rsp_spool_state_take() cannot return -ENOMEM or -ENOSPC.
 * Returns 0, -ENOMEM, or -ENOSPC if there are too many snapshots.
 */
int rsp_spool_state_reserve(struct rsp_spool_state *s);
/*
 * Does nothing if the state already contains the batch. Returns 0, -EBADMSG if the name is not that
 * of a batch, -ENOMEM or -ENOSPC.
 */
int rsp_spool_state_take(struct rsp_spool_state *s, const char *name, uint64_t bytes,
			 uint32_t date);

bool rsp_spool_name_is_valid(const char *name);
bool rsp_spool_name_is_snapshot(const char *name);

/* The day of t (UTC) is a number like 20261127. */
uint32_t rsp_spool_date_of(time_t t);

#endif
