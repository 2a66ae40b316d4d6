/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rsp-worker MEMORY_BYTES FILE_BYTES: reads untrusted files for rspd. rspd starts the worker and
 * sends requests over its stdin (daemon/worker/worker-protocol.h).
 *
 * A hostile file may take control of this process. But the process has no capabilities, and can
 * create neither children nor executable memory. It can only read the files that it was given,
 * write to the current memfd, and send wrong replies to rspd.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/base/message.h"
#include "lib/sandbox/sandbox.h"
#include "worker/commands.h"

static const struct {
	rsp_command *run;
	int fd_cnt;
} commands[RSP_WORKER_COMMAND_MAX] = {
	[RSP_WORKER_UNWIND] = {rsp_command_unwind, 1},
	[RSP_WORKER_CUT] = {rsp_command_cut, 2},
	[RSP_WORKER_NAME] = {rsp_command_name, 2},
	[RSP_WORKER_HEADLINE] = {rsp_command_headline, 1},
	[RSP_WORKER_FIND] = {rsp_command_find, 1},
	[RSP_WORKER_ALLOCATOR] = {rsp_command_allocator, 1},
	[RSP_WORKER_SUMMARY] = {rsp_command_summary, 2},
	[RSP_WORKER_CONTAINER] = {rsp_command_container, 1},
};

static __u32 number; /* number of the current request */

/* Runs in a signal handler, so it must not wait: if the socket is full, it drops the report. */
static void report_forbidden(int nr, void *userdata)
{
	static unsigned int cnt;
	const struct rsp_worker_message message = {
		.says = RSP_WORKER_FORBIDDEN, .number = number, .syscall = nr};

	if (cnt++ < RSP_WORKER_FORBIDDEN_MAX)
		(void)rsp_message_send(STDIN_FILENO, &message, sizeof(message), NULL, 0,
				       MSG_DONTWAIT);
}

static int serve(const struct rsp_worker_request *request, const int fds[RSP_WORKER_FD_MAX])
{
	struct rsp_worker_message reply = {.says = RSP_WORKER_DONE, .number = request->number};

	number = request->number;
	rsp_sandbox_limit_cpu(request->cpu_s);
	reply.error = commands[request->command].run(request, fds, &reply);
	rsp_sandbox_limit_cpu(0);
	return rsp_message_send(STDIN_FILENO, &reply, sizeof(reply), NULL, 0, 0);
}

static bool request_ok(const struct rsp_worker_request *request, const int fds[RSP_WORKER_FD_MAX])
{
	if (!request->command || request->command >= RSP_WORKER_COMMAND_MAX ||
	    strnlen(request->name, sizeof(request->name)) == sizeof(request->name))
		return false;
	for (int i = 0; i < commands[request->command].fd_cnt; i++)
		if (fds[i] < 0)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	int fds[RSP_MESSAGE_FD_MAX], status = EXIT_SUCCESS;
	struct rsp_worker_request request;

	if (argc != 3) {
		fputs("rsp-worker: rspd starts this, and nobody else can use it\n", stderr);
		return 2;
	}
	if (rsp_sandbox_enter(strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10),
			      report_forbidden, NULL) < 0)
		return EXIT_FAILURE;
	while (status == EXIT_SUCCESS &&
	       rsp_message_receive(STDIN_FILENO, &request, sizeof(request), fds) == 0) {
		if (!request_ok(&request, fds) || serve(&request, fds) < 0)
			status = EXIT_FAILURE;
		for (int i = 0; i < RSP_MESSAGE_FD_MAX; i++)
			if (fds[i] >= 0)
				close(fds[i]);
	}
	/* The sandbox may forbid system calls that libraries make at exit. */
	_exit(status);
}
