/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the file in which a container runtime keeps the name of a container. The file must be
 * regular, and must belong to the owner of the container's cgroup. Otherwise a user could make a
 * cgroup with the ID of another user's container and learn its name. rsp-worker reads a copy of the
 * file.
 */
#ifndef RSP_DAEMON_STATES_H
#define RSP_DAEMON_STATES_H

#include <sys/types.h>

#include "lib/snapshot/container.h"

/*
 * Finds the names of a container; blocks, possibly forever, since users can mount file systems on
 * their directories. owner: the owner of the container's cgroup. In *ret, sets only the names.
 * Returns 0; -ENOENT: no file contains a name of the container; -errno.
 */
int rsp_states_name(const struct rsp_container *c, uid_t owner, struct rsp_ev_container *ret);

#endif
