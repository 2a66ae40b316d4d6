/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl explain [SNAPSHOT]: explains why the process of a saved snapshot was slow. The default is
 * the newest snapshot.
 */
#include "cli/stored.h"
#include "lib/base/cleanup.h"

static int explain_newest(const struct rsp_options *opt)
{
	_cleanup_(rsp_store_list_done) struct rsp_store_list list = {0};
	size_t i;
	int r;

	r = rsp_stored_list(opt, &list);
	if (r)
		return r;
	/*
	 * Skip damaged snapshots. If all are damaged, the oldest is opened, which reports the
	 * error.
	 */
	for (i = list.cnt - 1; i > 0 && list.v[i].damaged; i--)
		;
	return rsp_stored_report(opt, list.v[i].path, list.v[i].meta.id);
}

int rsp_verb_explain(const struct rsp_options *opt)
{
	return opt->arg_cnt ? rsp_verb_report(opt) : explain_newest(opt);
}
