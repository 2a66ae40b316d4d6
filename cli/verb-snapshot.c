/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl snapshot --pid N: the recent past of a process, saved and explained. */
#include <errno.h>
#include <time.h>

#include "cli/fresh.h"
#include "cli/service.h"
#include "lib/base/cleanup.h"

int rsp_verb_snapshot(const struct rsp_options *opt)
{
	struct rsp_snapshot_wish wish = {.pid = opt->pid, .exit_status = -1};
	_cleanup_close_ int fd = -1;
	struct rsp_client *client;
	struct timespec now;
	int r;

	if (opt->pid == 0) {
		rsp_fail(0, "of which process? Say so with --pid=PID");
		return RSP_EXIT_USAGE;
	}
	r = rsp_service_connect(opt, &client);
	if (r)
		return r;
	clock_gettime(CLOCK_MONOTONIC, &now);
	wish.until_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	wish.since_ns = wish.until_ns > opt->last_ns ? wish.until_ns - opt->last_ns : 0;
	r = rsp_fresh_take(client, &wish, &fd);
	if (r == -ESRCH)
		r = rsp_fail(r,
			     "the recorder knows no process %d: it has not run while it was "
			     "recorded",
			     opt->pid);
	else if (r < 0)
		r = rsp_fail(r, "no snapshot of process %d: %s", opt->pid,
			     rsp_client_error(client, r));
	else
		r = rsp_fresh_present(fd, opt, true);
	rsp_client_free(client);
	return r;
}
