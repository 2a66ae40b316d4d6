/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See recorder.h. */
#include "cli/recorder.h"

#include <errno.h>
#include <json-c/json.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/command.h"
#include "cli/paused.h"
#include "cli/save.h"
#include "lib/base/json.h"

#define STATUS_TIMEOUT_MS 5000

/* Checks a file before the recording begins, because some recordings cannot be repeated. */
static int check_file(const char *path)
{
	int r = path ? rsp_save_check(path) : 0;

	return r < 0 ? rsp_fail(r, "cannot save a file as %s: %m: name another file", path)
		     : RSP_EXIT_OK;
}

int rsp_recorder_open(const struct rsp_options *opt, struct rsp_recorder *rec)
{
	_cleanup_json_ struct json_object *status = NULL;
	char paused[RSP_PAUSED_TEXT_MAX];
	int r = check_file(opt->output);

	if (!r)
		r = check_file(opt->html);
	if (r)
		return r;
	if (rsp_client_connect(opt->socket, &rec->client) == 0) {
		if (rsp_client_call(rec->client, "io.rsp.Recorder.GetStatus",
				    json_object_new_object(), STATUS_TIMEOUT_MS, &status,
				    NULL) == 0)
			return rsp_paused_text(status, paused)
				       ? rsp_fail(-ESHUTDOWN, "%s; 'rspctl resume' resumes it",
						  paused)
				       : RSP_EXIT_OK;
		rec->client = rsp_client_free(rec->client);
	}
	return rsp_private_recorder_start(&rec->private, &rec->client);
}

void rsp_recorder_close(struct rsp_recorder *rec)
{
	rec->client = rsp_client_free(rec->client);
}

void rsp_recorder_done(struct rsp_recorder *rec)
{
	rsp_recorder_close(rec);
	if (rec->private.pid > 0)
		rsp_private_recorder_wait(&rec->private, rec->exit_message,
					  sizeof(rec->exit_message));
	rec->private.pid = 0;
}

static void warn_of_exit_status(const char *name, int status)
{
	if (WIFSIGNALED(status))
		rsp_warn("'%s' was killed by signal %d (%s)", name, WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != 0)
		rsp_warn("'%s' exited with status %d", name, WEXITSTATUS(status));
}

int rsp_recorder_run(char *const argv[], bool stdout_to_stderr,
		     int (*ready)(pid_t pid, void *userdata), void *userdata,
		     struct rsp_snapshot_params *params)
{
	struct rsp_command command;
	int r, ready_exit = 0;

	r = rsp_command_fork(argv, stdout_to_stderr, &command);
	if (r == 0 && ready)
		ready_exit = ready(command.pid, userdata);
	if (ready_exit) {
		rsp_command_abandon(&command);
		return ready_exit;
	}
	if (r == 0)
		r = rsp_command_release(&command, &params->since_ns);
	if (r < 0) {
		rsp_fail(r, "cannot run '%s': %m", argv[0]);
		return RSP_EXIT_FAILURE;
	}
	rsp_command_wait(&command, &params->exit_status, &params->until_ns);
	warn_of_exit_status(argv[0], params->exit_status);
	params->pid = command.pid;
	return RSP_EXIT_OK;
}
