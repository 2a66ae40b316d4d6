/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl explain [SNAPSHOT]: why the process of a saved snapshot was slow; by default the newest.
 */
#include "cli/stored.h"
#include "lib/base/cleanup.h"

static int explain_newest(const struct rsp_options *opt)
{
	_cleanup_(rsp_store_list_done) struct rsp_store_list list = {0};
	const struct rsp_stored *newest;
	int r;

	r = rsp_stored_list(opt, &list);
	if (r)
		return r;
	newest = &list.v[list.cnt - 1];
	return rsp_stored_report(opt, newest->path, newest->meta.id);
}

int rsp_verb_explain(const struct rsp_options *opt)
{
	return opt->arg_cnt ? rsp_verb_report(opt) : explain_newest(opt);
}
