/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Identifies the peer of a socket by the kernel's data, never by the content of a message. */
#ifndef RSP_DAEMON_ACCESS_H
#define RSP_DAEMON_ACCESS_H

#include <linux/types.h>

#include "daemon/base/share.h"

/* Members of this group see everything, including stored snapshots. */
#define RSP_GROUP "rsp"

/*
 * Returns the ID of group rsp, or (gid_t)-1 if there is no such group. Reads the system's user
 * database, so call it once, at start.
 */
gid_t rsp_access_group(void);

/* group: from rsp_access_group(). Returns 0 or -errno. */
int rsp_access_of_socket(int fd, gid_t group, struct rsp_peer *ret);

#endif
