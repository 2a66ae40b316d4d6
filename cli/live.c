/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See live.h. */
#include "cli/live.h"

#include <errno.h>
#include <json-c/json.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options-parts.h"
#include "cli/prepare.h"
#include "cli/recent.h"
#include "cli/target.h"
#include "cli/when.h"
#include "lib/base/cleanup.h"
#include "lib/snapshot/decode.h"

/* rspd attaches its BPF programs in milliseconds, or in up to a second on a busy machine. */
#define WATCH_TIMEOUT_MS 30000

/*
 * Added to the time of --for: the recorder ends the watch after this sum, but at the latest after
 * RSP_FOR_MAX_NS. Usually rspctl ends the watch earlier.
 */
#define LIMIT_SLACK_NS 30000000000ULL

int rsp_live_check(const struct rsp_options *opt, const char *verb)
{
	if (opt->command && (opt->command != opt->args || !opt->arg_cnt))
		return rsp_misuse("'%s' needs either a snapshot or '--' and a command", verb);
	if (opt->command && opt->for_ns)
		return rsp_misuse(
			"--for cannot be combined with a command, which ends the recording");
	if (opt->for_ns && opt->arg_cnt)
		return rsp_misuse(
			"--for makes a new recording: it cannot be combined with a snapshot");
	if (rsp_live_is_meant(opt) && (opt->spanned || rsp_target_is_resolved(opt)))
		return rsp_misuse("choose the process of a new recording with --pid or --comm");
	if (opt->command && opt->pid)
		return rsp_misuse("give either --pid or a command");
	return 0;
}

/* --- the watch -------------------------------------------------------------------------------- */

static struct json_object *kind_names(__u32 kinds)
{
	struct json_object *names = json_object_new_array();

	for (__u32 kind = 1; kind < RSP_MEMORY_KIND_MAX; kind++)
		if (kinds & 1U << kind)
			json_object_array_add(names,
					      json_object_new_string(rsp_memory_kind_name(kind)));
	return names;
}

/* Returns 0 or -errno. */
static int request_watch(const struct rsp_recorder *rec, const struct rsp_options *opt, pid_t pid,
			 __u32 memory_kinds)
{
	struct json_object *parameters = json_object_new_object(), *reply;
	uint64_t limit_ns = opt->for_ns ? opt->for_ns + LIMIT_SLACK_NS : RSP_FOR_MAX_NS;
	int r;

	if (limit_ns > RSP_FOR_MAX_NS)
		limit_ns = RSP_FOR_MAX_NS;
	json_object_object_add(parameters, "syscalls", json_object_new_boolean(opt->syscalls));
	json_object_object_add(parameters, "limit_ns", json_object_new_int64((int64_t)limit_ns));
	if (memory_kinds) {
		json_object_object_add(parameters, "memory", kind_names(memory_kinds));
		json_object_object_add(parameters, "pid", json_object_new_int64(pid));
	}
	r = rsp_client_call(rec->client, "io.rsp.Recorder.Watch", parameters, WATCH_TIMEOUT_MS,
			    &reply, NULL);
	if (r == 0)
		json_object_put(reply);
	return r;
}

void rsp_live_ignore_budget(const struct rsp_recorder *rec, const struct rsp_options *opt)
{
	if (rec->private.pid == 0)
		(void)request_watch(rec, opt, 0, 0);
}

int rsp_live_watch(const struct rsp_recorder *rec, const struct rsp_options *opt, pid_t pid,
		   __u32 memory_kinds)
{
	int r = request_watch(rec, opt, pid, memory_kinds);

	if (r == 0 && memory_kinds & 1U << RSP_MEMORY_MALLOC)
		rsp_prepare_wait(rec->client);
	if (r == -EBUSY)
		return rsp_fail(r, "%s: try again when it has ended",
				opt->syscalls || memory_kinds
					? "another client is counting system calls or watching "
					  "memory"
					: "too many other recordings are in progress");
	if (r < 0 && memory_kinds)
		return rsp_fail(r, "the recorder cannot watch the memory of process %d: %s",
				(int)pid, rsp_client_error(rec->client, r));
	if (r < 0)
		return rsp_fail(r, "the recorder cannot count: %s",
				rsp_client_error(rec->client, r));
	return RSP_EXIT_OK;
}

/* --- the recording ---------------------------------------------------------------------------- */

struct recording {
	const struct rsp_options *opt;
	struct rsp_recorder *rec;
	__u32 memory_kinds;
};

static int begin_watch(pid_t pid, void *userdata)
{
	const struct recording *x = userdata;

	return rsp_live_watch(x->rec, x->opt, pid, x->memory_kinds);
}

/* Waits until ns have passed, the user presses Ctrl-C, or the recorder closes the connection. */
static void wait_for(const struct rsp_client *client, uint64_t ns)
{
	const struct timespec time = {.tv_sec = (time_t)(ns / 1000000000),
				      .tv_nsec = (long)(ns % 1000000000)};
	_cleanup_close_ int signal_fd = -1;
	struct signalfd_siginfo info;
	struct pollfd polled[2];
	sigset_t stop, old;

	sigemptyset(&stop);
	sigaddset(&stop, SIGINT);
	sigaddset(&stop, SIGTERM);
	sigprocmask(SIG_BLOCK, &stop, &old);
	signal_fd = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK);
	polled[0] = (struct pollfd){.fd = signal_fd, .events = POLLIN};
	/* poll() always reports POLLHUP */
	polled[1] = (struct pollfd){.fd = rsp_client_fd(client)};
	(void)ppoll(polled, 2, &time, NULL);
	/*
	 * Consume a pending SIGINT or SIGTERM, which would end rspctl when the signals are
	 * unblocked.
	 */
	(void)!read(signal_fd, &info, sizeof(info));
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static int record_command(struct recording *x, struct rsp_snapshot_params *params)
{
	const struct rsp_options *opt = x->opt;
	int r;

	rsp_prepare_begin(x->rec, opt->command);
	if (x->memory_kinds & 1U << RSP_MEMORY_MALLOC)
		rsp_prepare_map(opt->command);
	r = rsp_recorder_run(opt->command, opt->json != RSP_JSON_OFF, begin_watch, x, params);
	rsp_prepare_end(x->rec);
	return r;
}

static int record_time(struct recording *x, struct rsp_snapshot_params *params)
{
	int r = begin_watch(x->opt->pid, x);

	if (r)
		return r;
	params->since_ns = rsp_when_now_ns();
	wait_for(x->rec->client, x->opt->for_ns);
	params->until_ns = rsp_when_now_ns();
	params->pid = x->opt->pid ? x->opt->pid : getpid();
	return 0;
}

static int take(struct rsp_recorder *rec, const struct rsp_snapshot_params *params,
		struct rsp_fresh *ret)
{
	char reason[256];
	int r = rsp_fresh_take(rec->client, params, ret);

	if (r == 0)
		return RSP_EXIT_OK;
	snprintf(reason, sizeof(reason), "%s", rsp_client_error(rec->client, r));
	rsp_recorder_done(rec);
	return rsp_fail(r, "nothing was recorded: %s%s%s", reason, rec->exit_message[0] ? ": " : "",
			rec->exit_message);
}

int rsp_live_record(const struct rsp_options *opt, __u32 memory_kinds, struct rsp_fresh *ret)
{
	char line[sizeof(((struct rsp_meta *)NULL)->command)] = "";
	struct rsp_snapshot_params params = {.command = opt->command ? line : NULL,
					     .exit_status = -1};
	_cleanup_(rsp_recorder_done) struct rsp_recorder rec = {0};
	struct recording x = {opt, &rec, memory_kinds};
	int r;

	if (opt->command)
		rsp_command_line(opt->command, line, sizeof(line));
	r = rsp_recorder_open(opt, &rec);
	if (!r)
		r = opt->command ? record_command(&x, &params) : record_time(&x, &params);
	if (!r && memory_kinds & 1U << RSP_MEMORY_MALLOC)
		rsp_prepare_wait(rec.client);
	if (!r)
		r = take(&rec, &params, ret);
	if (!r)
		rsp_recorder_close(&rec);
	return r;
}
