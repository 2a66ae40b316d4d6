/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watches a child process: reports its end, and reaps it even if the report is no longer needed. */
#ifndef RSP_DAEMON_CHILD_H
#define RSP_DAEMON_CHILD_H

#include <systemd/sd-event.h>

struct rsp_child;

/* SIGCHLD must be blocked. On failure, kills and reaps the process. */
int rsp_child_watch(sd_event *event, pid_t pid,
		    void (*ended)(const siginfo_t *info, void *userdata), void *userdata,
		    struct rsp_child **ret);

void rsp_child_set_ended(struct rsp_child *child,
			 void (*ended)(const siginfo_t *info, void *userdata), void *userdata);

/*
 * Kills the process; ended is called when it ends. If a file system blocks the process, the process
 * may never end.
 */
void rsp_child_kill(struct rsp_child *child);

/*
 * Kills the process, and does not report its end. The event loop reaps the process. Accepts NULL.
 */
struct rsp_child *rsp_child_abandon(struct rsp_child *child);

#endif
