/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See access.h. */
#include "daemon/api/access.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/cleanup.h"

gid_t rsp_access_group(void)
{
	const struct group *group = getgrnam(RSP_GROUP);

	return group ? group->gr_gid : (gid_t)-1;
}

/* Sets *ret to whether the peer of fd had this supplementary group when it connected. */
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
