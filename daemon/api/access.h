/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who is behind a socket, and how much they may ask for. The kernel says who: nothing that is in a
 * message is believed.
 */
#ifndef RSP_DAEMON_ACCESS_H
#define RSP_DAEMON_ACCESS_H

#include <linux/types.h>

#include "api.h"

/* Its members see everything, and what is stored. */
#define RSP_GROUP "rsp"

/* Of group rsp; (gid_t)-1: there is none. Asks the system's user database: once, at start. */
gid_t rsp_access_group(void);

/* group: as above. 0 or -errno: nothing is known of the peer. */
int rsp_access_of_socket(int fd, gid_t group, struct rsp_peer *ret);

/* Snapshots that users ask for, each of them for itself; trusted peers are not counted. */
struct rsp_quota;

int rsp_quota_new(struct rsp_quota **ret);
struct rsp_quota *rsp_quota_free(struct rsp_quota *q);

/* 0, and one more is in progress; -EBUSY: one is already, or there were too many lately. */
int rsp_quota_take(struct rsp_quota *q, uid_t uid, __u64 now_ns);
/* It is no longer in progress. */
void rsp_quota_give(struct rsp_quota *q, uid_t uid);

#endif
