/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See child.h. After rsp_child_abandon() of a running child, the event loop holds the only
 * reference to the child's event source.
 */
#include "daemon/base/child.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>

struct rsp_child {
	sd_event_source *source;
	void (*ended)(const siginfo_t *info, void *userdata); /* NULL: not needed */
	void *userdata;
	bool running;
};

static int on_exit_of_child(sd_event_source *source, const siginfo_t *info, void *userdata)
{
	struct rsp_child *child = userdata;

	child->running = false;
	if (sd_event_source_get_floating(source))
		return sd_event_source_set_floating(source, false); /* frees it */
	if (child->ended)
		child->ended(info, child->userdata);
	return 0;
}

int rsp_child_watch(sd_event *event, pid_t pid,
		    void (*ended)(const siginfo_t *info, void *userdata), void *userdata,
		    struct rsp_child **ret)
{
	struct rsp_child *child = malloc(sizeof(*child));
	int r = -ENOMEM;

	if (child) {
		*child = (struct rsp_child){.ended = ended, .userdata = userdata, .running = true};
		r = sd_event_add_child(event, &child->source, pid, WEXITED, on_exit_of_child,
				       child);
	}
	if (r < 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		free(child);
		return r;
	}
	sd_event_source_set_destroy_callback(child->source, free);
	*ret = child;
	return 0;
}

void rsp_child_set_ended(struct rsp_child *child,
			 void (*ended)(const siginfo_t *info, void *userdata), void *userdata)
{
	child->ended = ended;
	child->userdata = userdata;
}

void rsp_child_kill(struct rsp_child *child)
{
	if (child->running)
		sd_event_source_send_child_signal(child->source, SIGKILL, NULL, 0);
}

struct rsp_child *rsp_child_abandon(struct rsp_child *child)
{
	sd_event_source *source;

	if (!child)
		return NULL;
	source = child->source;
	rsp_child_kill(child);
	if (child->running)
		sd_event_source_set_floating(source, true);
	sd_event_source_unref(source); /* frees source, unless the loop must still reap the child */
	return NULL;
}
