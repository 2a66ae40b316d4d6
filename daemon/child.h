/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that was started -> its end is heard of, and it is reaped, even if nobody cares then.
 */
#ifndef RSP_DAEMON_CHILD_H
#define RSP_DAEMON_CHILD_H

#include <systemd/sd-event.h>

struct rsp_child;

/* SIGCHLD must be blocked. On failure the process is killed and reaped. */
int rsp_child_watch(sd_event *event, pid_t pid,
		    void (*ended)(const siginfo_t *info, void *userdata), void *userdata,
		    struct rsp_child **ret);

void rsp_child_set_ended(struct rsp_child *child,
			 void (*ended)(const siginfo_t *info, void *userdata), void *userdata);

/* It ends soon, or never, if a file system does not let it; then ended is called. */
void rsp_child_kill(struct rsp_child *child);

/* It is killed; whenever it ends, which may be never, the event loop reaps it. Accepts NULL. */
struct rsp_child *rsp_child_let_go(struct rsp_child *child);

#endif
