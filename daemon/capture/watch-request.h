/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSP_DAEMON_WATCH_REQUEST_H
#define RSP_DAEMON_WATCH_REQUEST_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>

struct rsp_watch_request {
	bool calls;	    /* count the system calls of all threads */
	__u32 memory_kinds; /* set of enum rsp_memory_kind */
	pid_t pid;	    /* the process whose memory to watch, with its descendants */
};

#endif
