/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl html SNAPSHOT -o FILE: a saved snapshot as pictures, in a file for a browser. */
#include <stdio.h>
#include <unistd.h>

#include "cli/pipeline.h"
#include "cli/stored.h"
#include "lib/base/cleanup.h"

int rsp_verb_html(const struct rsp_options *opt)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_close_ int fd = -1;
	int r;

	if (!opt->output && isatty(STDOUT_FILENO)) {
		rsp_fail(0, "a page is not for a terminal: name a file for it with -o");
		return RSP_EXIT_USAGE;
	}
	r = rsp_stored_find(opt, opt->args[0], true, &path);
	if (r == 0)
		r = rsp_stored_open(path, &fd);
	return r ? r : rsp_pipeline_html(fd, path, opt, opt->output);
}
