/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose turn it is where clients want more than there is. A share counts the places of a table that
 * clients fill: some are kept for trusted peers, and of the rest no user has more than a few. A
 * rate is what one user may ask for in a while (a token bucket each). Neither ever waits: whoever
 * comes too late is refused.
 */
#ifndef RSP_DAEMON_SHARE_H
#define RSP_DAEMON_SHARE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Who asks, by the kernel's word. */
struct rsp_peer {
	pid_t pid;
	uid_t uid;
	bool trusted; /* root, or of group rsp: may see and do everything */
};

#define RSP_SHARE_PLACES_MAX 64

struct rsp_share {
	unsigned int places;   /* at most RSP_SHARE_PLACES_MAX */
	unsigned int reserved; /* of them for trusted peers */
	unsigned int per_user; /* of others */

	unsigned int taken, guest_cnt; /* guests: peers that are not trusted */
	struct rsp_share_user {
		uid_t uid;
		unsigned int cnt;
	} users[RSP_SHARE_PLACES_MAX]; /* guests that have any */
	size_t user_cnt;
};

/* 0; -EBUSY: no place is left, or none for guests, or this user has enough. */
int rsp_share_take(struct rsp_share *s, const struct rsp_peer *peer);
/* A place that the peer took. */
void rsp_share_give(struct rsp_share *s, const struct rsp_peer *peer);

/* Users remembered at once; beyond that the one that has been idle longest is forgotten. */
#define RSP_RATE_USERS 256

struct rsp_rate {
	unsigned int burst;
	__u64 interval_ns; /* in which one more is allowed */

	struct rsp_rate_user {
		uid_t uid;
		__u64 since_ns; /* when the bucket would have been empty; full: long ago */
		__u64 used_ns;
	} users[RSP_RATE_USERS];
	size_t user_cnt;
};

/* 0; -EBUSY: too many of late. Trusted peers may ask for as much as they like. */
int rsp_rate_take(struct rsp_rate *rate, const struct rsp_peer *peer, __u64 now_ns);

#endif
