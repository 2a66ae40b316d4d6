/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl explain [SNAPSHOT]: explains why the process of a saved snapshot was slow. rspctl report
 * [SNAPSHOT] --view VIEW: shows the process in another view.
 */
#include "cli/stored.h"
#include "lib/base/cleanup.h"

int rsp_verb_report(const struct rsp_options *opt)
{
	_cleanup_free_ char *path = NULL;
	char name[RSP_STORED_ID_COLS + 1];
	int r = rsp_stored_choose(opt, &path);

	if (r)
		return r;
	return rsp_stored_report(opt, path,
				 opt->arg_cnt ? opt->args[0] : rsp_stored_name(path, name));
}
