/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See share.h. */
#include "daemon/base/share.h"

#include <errno.h>

/* --- places ----------------------------------------------------------------------------------- */

static struct rsp_share_user *find_holder(struct rsp_share *s, uid_t uid)
{
	for (size_t i = 0; i < s->user_cnt; i++)
		if (s->users[i].uid == uid)
			return &s->users[i];
	return NULL;
}

int rsp_share_take(struct rsp_share *s, const struct rsp_peer *peer)
{
	struct rsp_share_user *user = peer->trusted ? NULL : find_holder(s, peer->uid);

	if (s->taken >= s->places)
		return -EBUSY;
	if (!peer->trusted) {
		if (s->guest_cnt + s->reserved >= s->places || (user && user->cnt >= s->per_user))
			return -EBUSY;
		if (!user) {
			user = &s->users[s->user_cnt++];
			*user = (struct rsp_share_user){.uid = peer->uid};
		}
		user->cnt++;
		s->guest_cnt++;
	}
	s->taken++;
	return 0;
}

void rsp_share_give(struct rsp_share *s, const struct rsp_peer *peer)
{
	struct rsp_share_user *user = peer->trusted ? NULL : find_holder(s, peer->uid);

	if (user) {
		if (!--user->cnt)
			*user = s->users[--s->user_cnt];
		s->guest_cnt--;
	}
	s->taken--;
}

/* --- rates ------------------------------------------------------------------------------------ */

static struct rsp_rate_user *find_user(struct rsp_rate *rate, uid_t uid)
{
	struct rsp_rate_user *idlest = &rate->users[0];

	for (size_t i = 0; i < rate->user_cnt; i++) {
		struct rsp_rate_user *u = &rate->users[i];

		if (u->uid == uid)
			return u;
		if (u->used_ns < idlest->used_ns)
			idlest = u;
	}
	if (rate->user_cnt < RSP_RATE_USERS)
		idlest = &rate->users[rate->user_cnt++];
	*idlest = (struct rsp_rate_user){.uid = uid};
	return idlest;
}

int rsp_rate_take(struct rsp_rate *rate, const struct rsp_peer *peer, __u64 now_ns)
{
	__u64 full_ns = rate->burst * rate->interval_ns;
	struct rsp_rate_user *u;

	if (peer->trusted)
		return 0;
	u = find_user(rate, peer->uid);
	u->used_ns = now_ns;
	if (now_ns > u->since_ns + full_ns)
		u->since_ns = now_ns - full_ns;
	if (u->since_ns + rate->interval_ns > now_ns)
		return -EBUSY;
	u->since_ns += rate->interval_ns;
	return 0;
}
