/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See access.h. */
#include "access.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/cleanup.h"

/* Users remembered at once; more than that ask at once from no machine that has a group rsp. */
#define USER_MAX 64

/* A snapshot costs the machine some hundred milliseconds of one CPU. */
#define BURST_CNT   5
#define INTERVAL_NS 2000000000ULL /* in which one more is allowed */

gid_t rsp_access_group(void)
{
	const struct group *group = getgrnam(RSP_GROUP);

	return group ? group->gr_gid : (gid_t)-1;
}

/* Supplementary groups as they were when the peer connected. */
static int is_in_group(int fd, gid_t group, bool *ret)
{
	_cleanup_free_ gid_t *groups = NULL;
	socklen_t len = 0;

	*ret = false;
	if (group == (gid_t)-1)
		return 0;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, NULL, &len) < 0 && errno != ERANGE)
		return -errno;
	if (!len)
		return 0;
	groups = malloc(len);
	if (!groups)
		return -ENOMEM;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &len) < 0)
		return -errno;
	for (size_t i = 0; i < len / sizeof(*groups); i++)
		*ret |= groups[i] == group;
	return 0;
}

int rsp_access_of_socket(int fd, gid_t group, struct rsp_peer *ret)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);
	bool member;
	int r;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) < 0)
		return -errno;
	r = is_in_group(fd, group, &member);
	if (r < 0)
		return r;
	*ret = (struct rsp_peer){
		.pid = cred.pid,
		.uid = cred.uid,
		.trusted = cred.uid == 0 || cred.uid == geteuid() || member || cred.gid == group,
	};
	return 0;
}

/* --- quota ------------------------------------------------------------------------------------ */

struct user {
	uid_t uid;
	unsigned int in_progress;
	__u64 since_ns; /* the time at which the bucket would have been empty; a full one: long ago
			 */
};

struct rsp_quota {
	struct user users[USER_MAX];
	size_t cnt;
};

int rsp_quota_new(struct rsp_quota **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

struct rsp_quota *rsp_quota_free(struct rsp_quota *q)
{
	free(q);
	return NULL;
}

static struct user *find(struct rsp_quota *q, uid_t uid)
{
	for (size_t i = 0; i < q->cnt; i++)
		if (q->users[i].uid == uid)
			return &q->users[i];
	return NULL;
}

/* Whoever has nothing in progress and a full bucket is as good as unknown. */
static struct user *find_place(struct rsp_quota *q, __u64 now_ns)
{
	if (q->cnt < USER_MAX)
		return &q->users[q->cnt++];
	for (size_t i = 0; i < q->cnt; i++) {
		const struct user *u = &q->users[i];

		if (!u->in_progress && u->since_ns + BURST_CNT * INTERVAL_NS <= now_ns)
			return &q->users[i];
	}
	return NULL;
}

int rsp_quota_take(struct rsp_quota *q, uid_t uid, __u64 now_ns)
{
	struct user *u = find(q, uid);

	if (!u) {
		u = find_place(q, now_ns);
		if (!u)
			return -EBUSY;
		*u = (struct user){.uid = uid};
	}
	if (now_ns > u->since_ns + BURST_CNT * INTERVAL_NS)
		u->since_ns = now_ns - BURST_CNT * INTERVAL_NS;
	if (u->in_progress || u->since_ns + INTERVAL_NS > now_ns)
		return -EBUSY;
	u->since_ns += INTERVAL_NS;
	u->in_progress++;
	return 0;
}

void rsp_quota_give(struct rsp_quota *q, uid_t uid)
{
	struct user *u = find(q, uid);

	if (u && u->in_progress)
		u->in_progress--;
}
