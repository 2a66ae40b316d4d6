/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts a private recorder: an rspd that serves only one rspctl, and ends when rspctl closes the
 * connection.
 */
#ifndef RSP_CLI_PRIVATE_RECORDER_H
#define RSP_CLI_PRIVATE_RECORDER_H

#include <sys/types.h>

#include "lib/client/client.h"

struct rsp_private_recorder {
	pid_t pid;  /* 0: there is no private recorder */
	int log_fd; /* memfd with the recorder's stderr */
};

/*
 * The recorder ends when the connection *ret_client closes. Reports errors, and returns an enum
 * rsp_exit.
 */
int rsp_private_recorder_start(struct rsp_private_recorder *ret, struct rsp_client **ret_client);

/*
 * The caller must have closed the connection. If the recorder failed, writes its error message to
 * buf. Returns 0 or -errno like rsp_rspd_status_to_errno().
 */
int rsp_private_recorder_wait(struct rsp_private_recorder *recorder, char *buf, size_t len);

#endif
