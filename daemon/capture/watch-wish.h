/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The wishes of a client for a watch (watch.h). */
#ifndef RSP_DAEMON_WATCH_WISH_H
#define RSP_DAEMON_WATCH_WISH_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>

struct rsp_watch_wish {
	bool calls;	    /* count the system calls of all threads */
	__u32 memory_kinds; /* set of enum rsp_memory_kind */
	pid_t pid;	    /* process whose memory is watched, with its descendants */
};

#endif
