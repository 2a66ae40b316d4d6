/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A number of places, each held by a process until it has ended, even by one that hangs and that
 * nobody can kill: what bounds how many of those there are, whoever started them. A place is a lock
 * on a byte of a file, which the kernel drops when the process ends.
 */
#ifndef RSP_DAEMON_PLACES_H
#define RSP_DAEMON_PLACES_H

#include <stdbool.h>
#include <sys/types.h>

#define RSP_PLACES_MAX 12

/* A descriptor for rsp_places_take(), the caller's; or -errno. */
int rsp_places_new(void);

/*
 * By the process that holds it. places should be the last of its descriptors, as those are closed
 * in their order when it ends. The number of the place; -EBUSY: all are taken.
 */
int rsp_places_take(int places);

/*
 * What the process at the place does next is for a file of this user. False: too many others do so
 * for the same one, who is not root.
 */
bool rsp_places_use(int places, int place, uid_t uid);

#endif
