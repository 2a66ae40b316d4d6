/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl serve [SNAPSHOT]: serves stored snapshots as pages to browsers on this machine, until
 * Ctrl-C. The URL contains a secret. Other users of the machine can connect, but see nothing
 * without the secret.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/browser.h"
#include "cli/output.h"
#include "cli/serve.h"
#include "cli/stored.h"
#include "lib/base/cleanup.h"

static volatile int stop;

static void on_signal(int signal)
{
	(void)signal;
	stop = 1;
}

static int show_url(const struct rsp_options *opt, const char *url)
{
	if (opt->open)
		return rsp_browser_open(url);
	printf("%s\n", url);
	return rsp_output_flush();
}

int rsp_verb_serve(const struct rsp_options *opt)
{
	const struct sigaction action = {.sa_handler = on_signal};
	_cleanup_free_ char *only = NULL;
	struct rsp_serve_http *http;
	int r = RSP_EXIT_OK;

	if (opt->arg_cnt)
		r = rsp_stored_find(opt, opt->args[0], true, &only);
	else if (access(opt->store, R_OK | X_OK) < 0)
		r = errno == EACCES
			    ? rsp_fail(-errno,
				       "cannot read the store %s: only root and members of group "
				       "rsp may; 'rspctl serve FILE' shows a snapshot of your own",
				       opt->store)
			    : rsp_fail(-errno, "cannot read the store %s: %m", opt->store);
	if (r)
		return r;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	r = rsp_serve_http_new(opt, only, (uint16_t)opt->http_port, &http);
	if (r < 0)
		return rsp_fail(r, "cannot serve on 127.0.0.1: %m");
	r = show_url(opt, rsp_serve_http_url(http));
	if (r == RSP_EXIT_OK) {
		int error = rsp_serve_http_run(http, &stop);

		if (error < 0)
			r = rsp_fail(error, "cannot serve any more: %m");
	}
	rsp_serve_http_free(http);
	return r;
}
