/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ELF file and the name of a function -> where in the file it begins. */
#include "commands.h"
#include "lib/symbols/functions.h"

int rsp_command_find(const struct rsp_worker_request *request, const int fds[RSP_WORKER_FD_MAX],
		     struct rsp_worker_message *reply)
{
	__u64 file_off = 0;
	int r = rsp_functions_find(fds[RSP_WORKER_INPUT], request->name, &file_off);

	reply->file_off = file_off;
	return r;
}
