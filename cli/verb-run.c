/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl run -- CMD ARG…: records a command from its start to its end, and explains the recording.
 * The recorder is the service if it answers, or else a private one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/fresh.h"
#include "cli/live.h"
#include "cli/prepare.h"
#include "cli/recorder.h"
#include "lib/base/cleanup.h"

static int take_snapshot(const struct rsp_options *opt, struct rsp_recorder *rec,
			 const struct rsp_snapshot_params *params, struct rsp_fresh *ret)
{
	char reason[256];
	int r;

	r = rsp_fresh_take(rec->client, params, ret);
	if (r == 0) {
		rsp_recorder_close(rec);
		return RSP_EXIT_OK;
	}
	snprintf(reason, sizeof(reason), "%s", rsp_client_error(rec->client, r));
	rsp_recorder_done(rec);
	return rsp_fail(r, "'%s' was not recorded: %s%s%s", opt->args[0], reason,
			rec->exit_message[0] ? ": " : "", rec->exit_message);
}

struct running {
	const struct rsp_options *opt;
	const struct rsp_recorder *rec;
};

static int begin_watch(pid_t pid, void *userdata)
{
	const struct running *x = userdata;

	if (x->opt->memory_kinds)
		return rsp_live_watch(x->rec, x->opt, pid, x->opt->memory_kinds);
	rsp_live_ignore_budget(x->rec, x->opt);
	return RSP_EXIT_OK;
}

int rsp_verb_run(const struct rsp_options *opt)
{
	char line[sizeof(((struct rsp_meta *)NULL)->command)];
	struct rsp_snapshot_params params = {.command = line};
	_cleanup_(rsp_recorder_done) struct rsp_recorder rec = {0};
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	struct running x = {opt, &rec};
	int r;

	rsp_command_line(opt->args, line, sizeof(line));
	r = rsp_recorder_open(opt, &rec);
	if (r)
		return r;
	rsp_prepare_begin(&rec, opt->args);
	if (opt->memory_kinds & 1U << RSP_MEMORY_MALLOC)
		rsp_prepare_map(opt->args);
	r = rsp_recorder_run(opt->args, opt->json != RSP_JSON_OFF, begin_watch, &x, &params);
	if (r)
		return r;
	rsp_prepare_end(&rec);
	if (opt->memory_kinds & 1U << RSP_MEMORY_MALLOC)
		rsp_prepare_wait(rec.client);
	r = take_snapshot(opt, &rec, &params, &fresh);
	if (r)
		return r;
	return rsp_fresh_present(&fresh, opt);
}
