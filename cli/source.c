/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See source.h. */
#include "cli/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/recent.h"
#include "cli/stored.h"
#include "cli/target.h"
#include "lib/base/cleanup.h"

static int open_newest(const struct rsp_options *opt, struct rsp_source *source)
{
	int r = rsp_stored_newest(opt, &source->name);

	return r ? r : rsp_stored_open(source->name, &source->fd);
}

static int open_named(const struct rsp_options *opt, struct rsp_source *source)
{
	int r;

	if (opt->spanned || opt->unit || opt->cgroup || opt->port) {
		rsp_fail(0, "a saved snapshot has its span: choose its processes with --pid, "
			    "--container or --comm");
		return RSP_EXIT_USAGE;
	}
	r = rsp_stored_find(opt, opt->args[0], true, &source->name);
	return r ? r : rsp_stored_open(source->name, &source->fd);
}

static int open_recent(const struct rsp_options *opt, struct rsp_source *source)
{
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	int r = rsp_recent_take(opt, false, &fresh);

	if (r)
		return r;
	source->is_recent = true;
	source->name = strdup("the recording");
	if (!source->name)
		return rsp_fail(-ENOMEM, "cannot read the recording: %m");
	source->fd = rsp_take_fd(&fresh.fd);
	return RSP_EXIT_OK;
}

/*
 * Only root and group rsp may read the store; for other users, the default is their own recent
 * past.
 */
static bool is_store_closed(const struct rsp_options *opt)
{
	return access(opt->store, R_OK | X_OK) < 0 && errno == EACCES;
}

int rsp_source_open(const struct rsp_options *opt, struct rsp_source *ret)
{
	_cleanup_(rsp_source_done) struct rsp_source source = RSP_SOURCE_NONE;
	int r;

	if (opt->arg_cnt)
		r = open_named(opt, &source);
	else if (opt->spanned || rsp_target_cnt(opt) || is_store_closed(opt))
		r = open_recent(opt, &source);
	else
		r = open_newest(opt, &source);
	if (r)
		return r;
	*ret = source;
	source = (struct rsp_source)RSP_SOURCE_NONE;
	return RSP_EXIT_OK;
}

void rsp_source_done(struct rsp_source *source)
{
	if (source->fd >= 0)
		close(source->fd);
	free(source->name);
}
