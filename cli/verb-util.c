/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl util [SNAPSHOT]: shows how CPUs, processes and tasks spent a span. The verb reads a saved
 * snapshot or the recent past, as other verbs do. With --for, or with a command after "--", the
 * verb records from now on; then the recorder can count system calls, too.
 */
#include <errno.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/document.h"
#include "cli/fresh.h"
#include "cli/options-parts.h"
#include "cli/output.h"
#include "cli/prepare.h"
#include "cli/recorder.h"
#include "cli/source.h"
#include "cli/when.h"
#include "lib/base/cleanup.h"
#include "lib/report/util-report.h"

/* Attaching the programs takes milliseconds, or up to a second on a busy machine. */
#define WATCH_TIMEOUT_MS 30000

/* If rspctl does not end the watch, the recorder ends it this long after the requested time. */
#define LIMIT_SLACK_NS 30000000000ULL

/* --- the report ------------------------------------------------------------------------------- */

/* Set before the sandbox starts, because the process in it may not query the terminal. */
static struct {
	unsigned int width;
	bool colour;
} terminal;

static int write_report(const struct rsp_opened *opened, const struct rsp_options *opt, FILE *out,
			bool *lossy)
{
	const struct rsp_util_options how = {
		.pid = opt->pid || opt->of_target ? opened->snap->meta.target_pid : 0,
		.descendants = opt->command != NULL,
		.comm = opt->unit || opt->cgroup || opt->port ? NULL : opt->comm,
		.by_cpu = opt->by_cpu,
		.row_max = opt->chain_max,
		.json = opt->json != RSP_JSON_OFF,
		.pretty = opt->json == RSP_JSON_PRETTY,
		.colour = terminal.colour,
		.width = terminal.width,
	};

	return rsp_util_report(opened->trace, &how, out, lossy);
}

static const struct rsp_document document = {
	.write = write_report,
	.noun = "report",
	.verb = "show",
};

static int report(int fd, const char *name, const struct rsp_options *opt)
{
	terminal.width = rsp_output_width();
	terminal.colour = rsp_output_wants_colour();
	return rsp_document_make(&document, fd, name, opt, NULL);
}

static int of_source(const struct rsp_options *opt)
{
	_cleanup_(rsp_source_done) struct rsp_source source = RSP_SOURCE_NONE;
	struct rsp_options all = *opt;
	int r = rsp_source_open(opt, &source);

	if (r)
		return r;
	all.of_target = opt->unit || opt->cgroup || opt->port || (source.is_recent && opt->pid);
	if (source.is_recent)
		all.pid = 0;
	return report(source.fd, source.name, &all);
}

/* --- from now on ------------------------------------------------------------------------------ */

static int begin_watch(struct rsp_recorder *rec, const struct rsp_options *opt)
{
	struct json_object *parameters = json_object_new_object(), *reply;
	uint64_t limit_ns = opt->command ? RSP_FOR_MAX_NS : opt->for_ns + LIMIT_SLACK_NS;
	int r;

	if (limit_ns > RSP_FOR_MAX_NS)
		limit_ns = RSP_FOR_MAX_NS;
	json_object_object_add(parameters, "syscalls", json_object_new_boolean(opt->syscalls));
	json_object_object_add(parameters, "limit_ns", json_object_new_int64((int64_t)limit_ns));
	r = rsp_client_call(rec->client, "io.rsp.Recorder.Watch", parameters, WATCH_TIMEOUT_MS,
			    &reply, NULL);
	if (r == 0)
		json_object_put(reply);
	else if (r == -EBUSY)
		return rsp_fail(r, "the recorder counts for somebody else: try again in a while");
	else
		return rsp_fail(r, "the recorder cannot count: %s",
				rsp_client_error(rec->client, r));
	return RSP_EXIT_OK;
}

/* Waits for the time to pass, or until Ctrl-C. */
static void wait_for(uint64_t ns)
{
	const struct timespec time = {.tv_sec = (time_t)(ns / 1000000000),
				      .tv_nsec = (long)(ns % 1000000000)};
	sigset_t stop, old;

	sigemptyset(&stop);
	sigaddset(&stop, SIGINT);
	sigaddset(&stop, SIGTERM);
	sigprocmask(SIG_BLOCK, &stop, &old);
	(void)sigtimedwait(&stop, NULL, &time);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static int record(const struct rsp_options *opt, struct rsp_recorder *rec,
		  struct rsp_snapshot_wish *wish)
{
	bool prepares = opt->command && rec->private.pid > 0;
	int r;

	if (prepares)
		rsp_prepare(rec->client, opt->command);
	r = begin_watch(rec, opt);
	if (r)
		return r;
	if (prepares)
		rsp_prepare_aside(rec->client, true);
	if (opt->command) {
		r = rsp_recorder_run(opt->command, opt->json != RSP_JSON_OFF, wish);
	} else {
		wish->since_ns = rsp_when_now_ns();
		wait_for(opt->for_ns);
		wish->until_ns = rsp_when_now_ns();
		wish->pid = opt->pid ? opt->pid : getpid();
	}
	if (prepares)
		rsp_prepare_aside(rec->client, false);
	return r;
}

static int take(const struct rsp_options *opt, struct rsp_recorder *rec,
		const struct rsp_snapshot_wish *wish, struct rsp_fresh *ret)
{
	char reason[256];
	int r = rsp_fresh_take(rec->client, wish, ret);

	if (r == 0)
		return RSP_EXIT_OK;
	snprintf(reason, sizeof(reason), "%s", rsp_client_error(rec->client, r));
	rsp_recorder_done(rec);
	return rsp_fail(r, "nothing was recorded: %s%s%s", reason, rec->last_words[0] ? ": " : "",
			rec->last_words);
}

static int live(const struct rsp_options *opt)
{
	char line[sizeof(((struct rsp_meta *)NULL)->command)] = "";
	struct rsp_snapshot_wish wish = {.command = opt->command ? line : NULL, .exit_status = -1};
	_cleanup_(rsp_recorder_done) struct rsp_recorder rec = {0};
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	struct rsp_options all = *opt;
	int r;

	if (opt->command)
		rsp_command_line(opt->command, line, sizeof(line));
	r = rsp_recorder_open(opt, &rec);
	if (!r)
		r = record(opt, &rec, &wish);
	if (!r)
		r = take(opt, &rec, &wish, &fresh);
	if (r)
		return r;
	rsp_recorder_close(&rec);
	all.of_target = opt->pid || (opt->command && !opt->whole);
	all.pid = 0;
	all.whole = false;
	r = report(fresh.fd, "what was recorded", &all);
	if (opt->output) {
		int saved = rsp_fresh_save(fresh.fd, opt->output);

		if (saved < 0)
			return rsp_fail(saved, "cannot save the snapshot as %s: %m", opt->output);
		rsp_warn("saved as %s", opt->output);
	}
	return r;
}

/* --- the verb --------------------------------------------------------------------------------- */

static int check(const struct rsp_options *opt)
{
	bool is_live = opt->for_ns || opt->command;

	if (opt->command && (opt->command != opt->args || !opt->arg_cnt))
		return rsp_misuse("'util' needs either a snapshot or '--' and a command");
	if (opt->command && opt->for_ns)
		return rsp_misuse("--for is the time without a command");
	if (opt->for_ns && opt->arg_cnt)
		return rsp_misuse("a snapshot has its span: --for records anew");
	if (is_live && (opt->spanned || opt->unit || opt->cgroup || opt->port))
		return rsp_misuse("what is recorded from now on is chosen by --pid or --comm");
	if (opt->command && opt->pid)
		return rsp_misuse("--pid and a command are two things to choose from");
	if (opt->syscalls && !is_live && !opt->arg_cnt)
		return rsp_misuse("system calls are counted from now on: say how long with --for, "
				  "or give a command behind '--'");
	if (opt->output && !is_live)
		return rsp_misuse("--output saves what is recorded with --for or a command");
	return 0;
}

int rsp_verb_util(const struct rsp_options *opt)
{
	int r = check(opt);

	if (r)
		return r;
	return opt->for_ns || opt->command ? live(opt) : of_source(opt);
}
