/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the recorder and its worker say to each other: one request, one reply, over a SOCK_SEQPACKET
 * socket that is the worker's stdin. A request carries two descriptors: the file, and an empty
 * memfd that the table is to be written to. The recorder trusts no reply.
 */
#ifndef RSP_DAEMON_WORKER_PROTOCOL_H
#define RSP_DAEMON_WORKER_PROTOCOL_H

#include "rsp/event.h"

enum { RSP_WORKER_FILE, RSP_WORKER_TABLE, RSP_WORKER_FD_CNT };

struct rsp_worker_request {
	__u32 number;
};

struct rsp_worker_reply {
	__u32 number;
	__s32 error;
	__u32 build_id_len;
	__u8 build_id[RSP_BUILD_ID_MAX];
};

#endif
