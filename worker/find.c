/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the file offsets of functions in an ELF file: of one function by its name, or of the
 * functions of an allocator.
 */
#include <string.h>

#include "lib/symbols/allocator.h"
#include "lib/symbols/functions.h"
#include "worker/commands.h"

int rsp_command_find(const struct rsp_worker_request *request, const int fds[RSP_WORKER_FD_MAX],
		     struct rsp_worker_message *reply)
{
	__u64 file_off = 0;
	int r = rsp_functions_find(fds[RSP_WORKER_INPUT], request->name, &file_off);

	reply->file_off = file_off;
	return r;
}

int rsp_command_allocator(const struct rsp_worker_request *request,
			  const int fds[RSP_WORKER_FD_MAX], struct rsp_worker_message *reply)
{
	__u64 offsets[RSP_ALLOC_CNT];
	int r = rsp_allocator_find(fds[RSP_WORKER_INPUT], offsets);

	if (r == 0)
		memcpy(reply->offsets, offsets, sizeof(offsets));
	return r;
}
