/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl snapshot: saves and explains the recent past of a process, and the near future if asked.
 * By default it is the process of this user that ran most.
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
