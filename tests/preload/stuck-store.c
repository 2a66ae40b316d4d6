// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Preloaded into rspd (LD_PRELOAD): while the file $RSP_TEST_STUCK exists, fstatvfs() does not
 * return, as if the store's disk were stuck.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

int fstatvfs(int fd, struct statvfs *ret)
{
	const char *stuck = getenv("RSP_TEST_STUCK");
	int (*real)(int, struct statvfs *) = dlsym(RTLD_NEXT, "fstatvfs");

	while (stuck && access(stuck, F_OK) == 0)
		usleep(10000);
	if (real)
		return real(fd, ret);
	errno = ENOSYS;
	return -1;
}
