/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How full the store is, for the status. A thread looks, since anybody may ask for the status and
 * the disk may not answer: the recorder must not wait for it.
 */
#ifndef RSP_DAEMON_USAGE_H
#define RSP_DAEMON_USAGE_H

#include "store.h"

struct rsp_usage;

/* dir must outlive it. -ENOMEM */
int rsp_usage_new(const char *dir, struct rsp_usage **ret);
/* A thread that still waits for the disk keeps its memory. */
struct rsp_usage *rsp_usage_free(struct rsp_usage *u);

/*
 * What the disk answers within some milliseconds, else what it answered last; all 0: it never did.
 * What was found less than a tenth of a second ago is not looked for again.
 */
void rsp_usage_get(struct rsp_usage *u, struct rsp_store_usage *ret);

/* The store has changed: look again. */
void rsp_usage_changed(struct rsp_usage *u);

#endif
