/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See image.h. */
#include "daemon/snapshots/image.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/privileges.h"
#include "lib/base/cleanup.h"

/* A snapshot can be requested again, but without the recorder the window would be lost. */
static void prefer_oom_kill(void)
{
	_cleanup_close_ int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd >= 0)
		(void)!write(fd, "1000", 4);
}

void rsp_image_begin(pid_t parent, uint64_t privileges, const char *name)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* the parent ended before the prctl() */
		_exit(EXIT_FAILURE);
	if (rsp_privileges_keep(privileges) < 0)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_NAME, name);
	prefer_oom_kill();
}

int rsp_image_seal(int fd, size_t *ret_size)
{
	struct stat st;

	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0 ||
	    fstat(fd, &st) < 0)
		return -errno;
	*ret_size = (size_t)st.st_size;
	return 0;
}
