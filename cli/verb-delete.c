/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl delete ID: removes one snapshot from the store, and nothing that lies elsewhere. */
#include <errno.h>
#include <unistd.h>

#include "cli/stored.h"
#include "lib/base/cleanup.h"

int rsp_verb_delete(const struct rsp_options *opt)
{
	_cleanup_free_ char *path = NULL;
	int r;

	r = rsp_stored_find(opt, opt->args[0], false, &path);
	if (r)
		return r;
	if (unlink(path) < 0)
		return rsp_fail(-errno, "cannot delete %s: %m", path);
	return RSP_EXIT_OK;
}
