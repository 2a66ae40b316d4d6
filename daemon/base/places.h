/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A limited number of places. A process holds a place until it has ended, even if it hangs and
 * cannot be killed. So the places limit the number of such processes, whoever started them. A place
 * is a lock on a byte of a file, which the kernel drops when the process ends.
 */
#ifndef RSP_DAEMON_PLACES_H
#define RSP_DAEMON_PLACES_H

#include <stdbool.h>
#include <sys/types.h>

#define RSP_PLACES_MAX 12

/* Returns a descriptor for rsp_places_take(), which the caller must close; or -errno. */
int rsp_places_new(void);

/*
 * Called by the process that will hold the place. places should be its last descriptor, since the
 * kernel closes descriptors in order when the process ends. Returns the number of the place;
 * -EBUSY: all are taken.
 */
int rsp_places_take(int places);

/*
 * Notes that the process at this place works on a file of this user from now on. Returns false if
 * too many other processes do so for the same user, unless the user is root.
 */
bool rsp_places_use(int places, int place, uid_t uid);

#endif
