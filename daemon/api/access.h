/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who is behind a socket. The kernel says who: nothing that is in a message is believed.
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

#endif
