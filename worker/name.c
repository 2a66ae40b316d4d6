/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the names of the functions in a snapshot's user stacks. Other processes open the files of
 * the binaries for the worker. The worker checks that each file is the right one.
 */
#include <stdlib.h>
#include <unistd.h>

#include "daemon/base/message.h"
#include "lib/base/cleanup.h"
#include "lib/snapshot/snapshot-format.h"
#include "lib/symbols/symbolize.h"
#include "worker/commands.h"
#include "worker/inlet.h"

/* --- requests for files ----------------------------------------------------------------------- */

int rsp_worker_open_by_request(const struct rsp_file_request *file,
			       const struct rsp_ev_binary *binary, void *userdata)
{
	const struct rsp_worker_request *request = userdata;
	struct rsp_worker_message message = {
		.says = RSP_WORKER_REQUESTS_FILE, .number = request->number, .file = *file};
	int fds[RSP_MESSAGE_FD_MAX], r;
	struct rsp_worker_file answer;

	r = rsp_message_send(STDIN_FILENO, &message, sizeof(message), NULL, 0, 0);
	if (r == 0)
		r = rsp_message_receive(STDIN_FILENO, &answer, sizeof(answer), fds);
	/* rspd has ended, so the worker ends, too */
	if (r < 0)
		_exit(EXIT_FAILURE);
	return answer.error < 0 ? answer.error : rsp_inlet_take(answer.number);
}

/* --- the snapshot ----------------------------------------------------------------------------- */

int rsp_command_name(const struct rsp_worker_request *request, const int fds[RSP_WORKER_FD_MAX],
		     struct rsp_worker_message *reply)
{
	const struct rsp_files files = {.open = rsp_worker_open_by_request,
					.userdata = (void *)request};
	const struct rsp_symbolize_options how = {.files = &files};
	_cleanup_free_ void *section = NULL;
	size_t len;
	int r;

	r = rsp_symbolize_snapshot(fds[RSP_WORKER_INPUT], &how, &section, &len);
	return r < 0 ? r : rsp_write_all(fds[RSP_WORKER_OUTPUT], section, len);
}
