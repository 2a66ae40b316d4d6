/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl html [SNAPSHOT] -o FILE | --open: draws a saved snapshot as a page for a browser. */
#include <stdio.h>
#include <unistd.h>

#include "cli/browser.h"
#include "cli/pipeline.h"
#include "cli/stored.h"
#include "lib/base/cleanup.h"

static int make(const struct rsp_options *opt, const char *output)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_close_ int fd = -1;
	int r = rsp_stored_choose(opt, &path);

	if (r == 0)
		r = rsp_stored_open(path, &fd);
	return r ? r : rsp_pipeline_html(fd, path, opt, output);
}

static int make_and_open(const struct rsp_options *opt)
{
	_cleanup_free_ char *name = NULL;
	int r = opt->output ? RSP_EXIT_OK : rsp_browser_name(&name), opened;
	const char *page = name ? name : opt->output;

	if (!r)
		r = make(opt, page);
	if (r != RSP_EXIT_OK && r != RSP_EXIT_LOSSY) {
		rsp_browser_forget(name);
		return r;
	}
	opened = rsp_browser_open(page, page);
	return opened ? opened : r;
}

int rsp_verb_html(const struct rsp_options *opt)
{
	if (opt->open)
		return make_and_open(opt);
	if (!opt->output && isatty(STDOUT_FILENO)) {
		rsp_fail(
			0,
			"a page cannot be shown on a terminal: name a file with -o, or show the page "
			"in a browser with --open");
		return RSP_EXIT_USAGE;
	}
	return make(opt, opt->output);
}
