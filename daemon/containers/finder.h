/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process rspd-names finds the names of containers (states.h). For each container, rspd-names
 * starts a child that reads the files, because a user's file system may block the reader forever.
 */
#ifndef RSP_DAEMON_FINDER_H
#define RSP_DAEMON_FINDER_H

#include "rsp/event.h"

#define RSP_CONTAINER_PATH_MAX 1024

struct rsp_container_found {
	int error; /* 0; -E2BIG: see left_out_cnt; other -errno: no names */
	/* containers or cgroups that were ignored because of a limit; error is then -E2BIG */
	__u32 left_out_cnt;
	char path[RSP_CONTAINER_PATH_MAX]; /* path of the container's cgroup */
	struct rsp_ev_container names;	   /* only set if error is 0 */
};

/* Ends when the process with the PID parent ends. */
_Noreturn void rsp_finder_run(int socket, int parent);

#endif
