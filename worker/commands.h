/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of rsp-worker (daemon/worker/worker-protocol.h). */
#ifndef RSP_WORKER_COMMANDS_H
#define RSP_WORKER_COMMANDS_H

#include "daemon/worker/worker-protocol.h"

struct rsp_ev_binary;
/* A callback of struct rsp_files. userdata: the request of the command. */
int rsp_worker_open_by_request(const struct rsp_file_request *file,
			       const struct rsp_ev_binary *binary, void *userdata);

/* Returns 0 or -errno, which becomes reply->error, and sets the other members of the reply. */
typedef int rsp_command(const struct rsp_worker_request *request, const int fds[RSP_WORKER_FD_MAX],
			struct rsp_worker_message *reply);

rsp_command rsp_command_unwind, rsp_command_cut, rsp_command_name, rsp_command_headline,
	rsp_command_find, rsp_command_allocator, rsp_command_summary, rsp_command_container;

#endif
