/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl serve [SNAPSHOT]: serves stored snapshots as pages to browsers on this machine, until
 * Ctrl-C. The URL contains a secret. Other users of the machine can connect, but see nothing
 * without the secret.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
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

/* Writes a page that leads to the URL. */
static int write_page(const char *page, const char *url)
{
	FILE *f = fopen(page, "wxe");
	bool failed;

	if (!f)
		return rsp_fail(-errno, "cannot make %s: %m", page);
	fprintf(f,
		"<!DOCTYPE html><meta charset=\"utf-8\"><title>RSP</title>"
		"<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n",
		url);
	failed = ferror(f);
	return fclose(f) || failed ? rsp_fail(0, "cannot write %s", page) : RSP_EXIT_OK;
}

/*
 * With --open, the browser gets a private page that leads to the URL. Its path is *ret_page, which
 * the caller removes. The browser does not get the URL itself, because other users can read the
 * arguments of programs.
 */
static int show_url(const struct rsp_options *opt, const char *url, char **ret_page)
{
	int r;

	if (!opt->open) {
		printf("%s\n", url);
		return rsp_output_flush();
	}
	r = rsp_browser_name(ret_page);
	if (r == RSP_EXIT_OK)
		r = write_page(*ret_page, url);
	return r == RSP_EXIT_OK ? rsp_browser_open(url, *ret_page) : r;
}

static void remove_page(const char *page)
{
	if (page)
		(void)unlink(page);
	rsp_browser_forget(page);
}

int rsp_verb_serve(const struct rsp_options *opt)
{
	const struct sigaction action = {.sa_handler = on_signal};
	_cleanup_free_ char *only = NULL, *page = NULL;
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
	r = show_url(opt, rsp_serve_http_url(http), &page);
	if (r == RSP_EXIT_OK) {
		int error = rsp_serve_http_run(http, &stop);

		if (error < 0)
			r = rsp_fail(error, "cannot serve any more: %m");
	}
	rsp_serve_http_free(http);
	remove_page(page);
	return r;
}
