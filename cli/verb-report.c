/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl report SNAPSHOT --view VIEW: shows a saved snapshot in one of the views. */
#include "cli/stored.h"
#include "lib/base/cleanup.h"

int rsp_verb_report(const struct rsp_options *opt)
{
	_cleanup_free_ char *path = NULL;
	int r;

	r = rsp_stored_find(opt, opt->args[0], true, &path);
	if (r)
		return r;
	return rsp_stored_report(opt, path, opt->args[0]);
}
