/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the use of the store, for the status. A thread reads the directory, because the disk may
 * hang.
 */
#ifndef RSP_DAEMON_USAGE_H
#define RSP_DAEMON_USAGE_H

#include "daemon/snapshots/store.h"

struct rsp_usage;

/* dir must outlive *ret. Returns 0 or -ENOMEM. */
int rsp_usage_new(const char *dir, struct rsp_usage **ret);
/* If the thread still waits for the disk, does not free the memory that the thread uses. */
struct rsp_usage *rsp_usage_free(struct rsp_usage *u);

/*
 * Waits up to 20 ms for the disk. If the disk takes longer, returns the last result, or all 0 if
 * there is no result yet.
 */
void rsp_usage_get(struct rsp_usage *u, struct rsp_store_usage *ret);

/* Call it after the store has changed. */
void rsp_usage_changed(struct rsp_usage *u);

#endif
