/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * closed run|undumpable|capable FILE:
 *
 *	run		prints its PID, then sleeps in a loop
 *	undumpable	makes itself undumpable, so that other processes of its user may not trace
 *			it, then works like run
 *	capable FILE	gives the program FILE a capability
 */
#include <err.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/xattr.h>
#include <unistd.h>

static int make_capable(const char *path)
{
	const struct vfs_cap_data data = {
		.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
		.data[0].permitted = 1 << CAP_DAC_READ_SEARCH,
	};

	if (setxattr(path, "security.capability", &data, XATTR_CAPS_SZ_2, 0) < 0)
		err(1, "%s", path);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "capable") == 0)
		return make_capable(argv[2]);
	if (argc == 2 && strcmp(argv[1], "undumpable") == 0)
		prctl(PR_SET_DUMPABLE, 0);
	else if (argc != 2 || strcmp(argv[1], "run") != 0)
		errx(2, "usage: closed run|undumpable|capable FILE");
	alarm(240); /* in case the test was interrupted */
	printf("%d\n", (int)getpid());
	fflush(stdout);
	for (;;)
		usleep(1000);
}
