/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits the places (such as connections) and the requests of each client. A struct rsp_share
 * counts places: some are reserved for trusted peers, and each untrusted user gets only a few of
 * the others. A struct rsp_rate limits the requests of each untrusted user with a token bucket.
 */
#ifndef RSP_DAEMON_SHARE_H
#define RSP_DAEMON_SHARE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A client, as identified by the kernel. */
struct rsp_peer {
	pid_t pid;
	uid_t uid;
	/*
	 * root, rspd's user, a member of group rsp, or allowed by polkit: may see and do everything
	 */
	bool trusted;
};

#define RSP_SHARE_PLACES_MAX 64

struct rsp_share {
	unsigned int places;   /* at most RSP_SHARE_PLACES_MAX */
	unsigned int reserved; /* part of places that is reserved for trusted peers */
	unsigned int per_user; /* maximum number of places of one untrusted user */

	unsigned int taken, guest_cnt; /* guests: untrusted peers */
	struct rsp_share_user {
		uid_t uid;
		unsigned int cnt;
	} users[RSP_SHARE_PLACES_MAX]; /* untrusted users that have places */
	size_t user_cnt;
};

/* Returns 0; -EBUSY: no place is free for this peer, or the user has reached the limit. */
int rsp_share_take(struct rsp_share *s, const struct rsp_peer *peer);
void rsp_share_give(struct rsp_share *s, const struct rsp_peer *peer);

/*
 * Maximum number of users in a struct rsp_rate. A further user replaces the user whose last request
 * is oldest.
 */
#define RSP_RATE_USERS 256

struct rsp_rate {
	unsigned int burst;
	__u64 interval_ns; /* the bucket gets a token at this interval */

	struct rsp_rate_user {
		uid_t uid;
		/*
		 * the bucket contains one token for each interval_ns since this time, at most burst
		 */
		__u64 since_ns;
		__u64 used_ns;
	} users[RSP_RATE_USERS];
	size_t user_cnt;
};

/* Returns 0; -EBUSY: too many requests recently. For trusted peers there is no limit. */
int rsp_rate_take(struct rsp_rate *rate, const struct rsp_peer *peer, __u64 now_ns);

#endif
