/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See places.h. For each place, the file contains the user ID that the process at this place last
 * passed to rsp_places_use().
 */
#include "daemon/base/places.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int rsp_places_new(void)
{
	int fd = memfd_create("rsp-places", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, RSP_PLACES_MAX * sizeof(uid_t)) < 0) {
		close(fd);
		return -errno;
	}
	return fd;
}

static struct flock lock_of(int place)
{
	return (struct flock){
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
}

int rsp_places_take(int places)
{
	for (int i = 0; i < RSP_PLACES_MAX; i++) {
		struct flock lock = lock_of(i);

		if (fcntl(places, F_SETLK, &lock) == 0)
			return i;
	}
	return -EBUSY;
}

static bool is_taken(int places, int place)
{
	struct flock lock = lock_of(place);

	return fcntl(places, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool rsp_places_use(int places, int place, uid_t uid)
{
	unsigned int others_cnt = 0;

	for (int i = 0; i < RSP_PLACES_MAX; i++) {
		uid_t other = 0;

		others_cnt += pread(places, &other, sizeof(other), i * (off_t)sizeof(other)) ==
				      sizeof(other) &&
			      other == uid && is_taken(places, i);
	}
	if (uid != 0 && others_cnt >= RSP_PLACES_MAX / 2)
		return false;
	return pwrite(places, &uid, sizeof(uid), place * (off_t)sizeof(uid)) == sizeof(uid);
}
