/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorder of our own for as long as we need it, where no service runs. */
#ifndef RSP_CLI_PRIVATE_RECORDER_H
#define RSP_CLI_PRIVATE_RECORDER_H

#include <sys/types.h>

#include "cli/client.h"

struct rsp_private_recorder {
	pid_t pid;  /* 0: there is none */
	int log_fd; /* what it says on its stderr */
};

/*
 * Starts one and waits until it records. *ret_client: the connection to it; when that is closed the
 * recorder leaves. Tells the user what failed and returns an enum rsp_exit.
 */
int rsp_private_recorder_start(struct rsp_private_recorder *ret, struct rsp_client **ret_client);

/*
 * Waits for its end; the connection is closed by now. The last words it had are put into buf,
 * unless it ended well. Returns 0 or -errno as rsp_rspd_status_to_errno().
 */
int rsp_private_recorder_wait(struct rsp_private_recorder *recorder, char *buf, size_t len);

#endif
