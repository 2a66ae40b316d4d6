/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl snapshot: saves and explains the recent past of a process and, with --after, its near
 * future. The default process is the process of this user that left a CPU most often.
 */
#include "cli/fresh.h"
#include "cli/recent.h"
#include "lib/base/cleanup.h"

int rsp_verb_snapshot(const struct rsp_options *opt)
{
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	int r = rsp_recent_take(opt, !opt->output, &fresh);

	return r ? r : rsp_fresh_present(&fresh, opt);
}
