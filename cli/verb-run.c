/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl run -- CMD ARG…: records a command from its start to its end and explains it. The recorder
 * is the service if it answers, else a private one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/command.h"
#include "cli/fresh.h"
#include "cli/prepare.h"
#include "cli/private-recorder.h"
#include "lib/base/cleanup.h"

#define PING_TIMEOUT_MS 5000

struct recorder {
	struct rsp_client *client;
	struct rsp_private_recorder private;
	char last_words[512]; /* of a private one that ended badly */
};

static int recorder_open(const struct rsp_options *opt, struct recorder *rec)
{
	if (rsp_client_connect(opt->socket, &rec->client) == 0) {
		if (rsp_client_ping(rec->client, PING_TIMEOUT_MS) == 0)
			return RSP_EXIT_OK;
		rec->client = rsp_client_free(rec->client);
	}
	return rsp_private_recorder_start(&rec->private, &rec->client);
}

/* A private recorder begins to clean up, and we need not watch it yet. */
static void recorder_close(struct recorder *rec)
{
	rec->client = rsp_client_free(rec->client);
}

static void recorder_done(struct recorder *rec)
{
	recorder_close(rec);
	if (rec->private.pid > 0)
		rsp_private_recorder_wait(&rec->private, rec->last_words, sizeof(rec->last_words));
	rec->private.pid = 0;
}

static void tell_exit_status(const char *name, int status)
{
	if (WIFSIGNALED(status))
		rsp_warn("'%s' was killed by signal %d (%s)", name, WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != 0)
		rsp_warn("'%s' exited with status %d", name, WEXITSTATUS(status));
}

static int run_command(const struct rsp_options *opt, struct rsp_snapshot_wish *wish)
{
	struct rsp_command command;
	int r;

	r = rsp_command_fork(opt->args, opt->json != RSP_JSON_OFF, &command);
	if (r == 0)
		r = rsp_command_release(&command, &wish->since_ns);
	if (r < 0) {
		rsp_fail(r, "cannot run '%s': %m", opt->args[0]);
		return RSP_EXIT_FAILURE;
	}
	rsp_command_wait(&command, &wish->exit_status, &wish->until_ns);
	tell_exit_status(opt->args[0], wish->exit_status);
	wish->pid = command.pid;
	return RSP_EXIT_OK;
}

static int take_snapshot(const struct rsp_options *opt, struct recorder *rec,
			 const struct rsp_snapshot_wish *wish, struct rsp_fresh *ret)
{
	char reason[256];
	int r;

	r = rsp_fresh_take(rec->client, wish, ret);
	if (r == 0) {
		recorder_close(rec);
		return RSP_EXIT_OK;
	}
	snprintf(reason, sizeof(reason), "%s", rsp_client_error(rec->client, r));
	recorder_done(rec);
	return rsp_fail(r, "'%s' was not recorded: %s%s%s", opt->args[0], reason,
			rec->last_words[0] ? ": " : "", rec->last_words);
}

int rsp_verb_run(const struct rsp_options *opt)
{
	char line[sizeof(((struct rsp_meta *)NULL)->command)];
	struct rsp_snapshot_wish wish = {.command = line};
	_cleanup_(recorder_done) struct recorder rec = {0};
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	int r;

	rsp_command_line(opt->args, line, sizeof(line));
	r = recorder_open(opt, &rec);
	if (r)
		return r;
	if (rec.private.pid > 0) {
		rsp_prepare(rec.client, opt->args);
		rsp_prepare_aside(rec.client, true);
	}
	r = run_command(opt, &wish);
	if (r)
		return r;
	if (rec.private.pid > 0)
		rsp_prepare_aside(rec.client, false);
	r = take_snapshot(opt, &rec, &wish, &fresh);
	if (r)
		return r;
	return rsp_fresh_present(&fresh, opt);
}
