/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits the number of processes that may hang. Each process holds a place until it has ended, even
 * if it cannot be killed. A place is a lock on a byte of a file, which the kernel drops when the
 * process ends.
 */
#ifndef RSP_DAEMON_PLACES_H
#define RSP_DAEMON_PLACES_H

#include <stdbool.h>
#include <sys/types.h>

#define RSP_PLACES_MAX 12

/* Makes a file with free places. Returns its descriptor, which the caller must close, or -errno. */
int rsp_places_new(void);

/*
 * places should be the highest descriptor: when the process ends, the kernel closes descriptors in
 * order, and closing places frees the place. Returns the number of the place; -EBUSY: all places
 * are taken.
 */
int rsp_places_take(int places);

/*
 * Notes that the process at this place now works on a file of the user uid. Returns false if too
 * many other processes work on files of the same user, or if the user ID cannot be written. Root
 * has no such limit.
 */
bool rsp_places_use(int places, int place, uid_t uid);

#endif
