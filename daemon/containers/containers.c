/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See containers.h. A machine has some hundred containers, so searching a list is fast enough. */
#include "daemon/containers/containers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/base/child.h"
#include "daemon/base/journal.h"
#include "daemon/base/message.h"
#include "daemon/containers/finder.h"
#include "lib/snapshot/container.h"

/* An entry takes some 600 bytes. A busy machine starts some 2,000 containers in an hour. */
#define NAMED_MAX 2048

struct named {
	TAILQ_ENTRY(named) link;
	struct rsp_ev_container names;
	char path[];
};

struct rsp_containers {
	TAILQ_HEAD(named_list, named) list; /* oldest first */
	int socket;
	sd_event_source *found;
	struct rsp_child *child;
	struct rsp_containers_stats stats;
};

/* --- the list --------------------------------------------------------------------------------- */

static void drop(struct rsp_containers *c, struct named *named)
{
	TAILQ_REMOVE(&c->list, named, link);
	c->stats.cnt--;
	free(named);
}

static int add(struct rsp_containers *c, const struct rsp_container_found *found)
{
	struct named *named = calloc(1, sizeof(*named) + strlen(found->path) + 1);

	if (!named)
		return -ENOMEM;
	named->names = found->names;
	strcpy(named->path, found->path);
	if (c->stats.cnt == NAMED_MAX) {
		drop(c, TAILQ_FIRST(&c->list));
		c->stats.dropped_cnt++;
	}
	TAILQ_INSERT_TAIL(&c->list, named, link);
	c->stats.cnt++;
	return 0;
}

/* Searches the newest entries first, because an earlier container may have had the same path. */
const struct rsp_ev_container *rsp_containers_find(const struct rsp_containers *c, const char *path,
						   size_t len)
{
	static const char cut[] = "...";
	bool is_cut = len >= strlen(cut) && memcmp(path, cut, strlen(cut)) == 0;
	const struct named *named;

	path += is_cut ? strlen(cut) : 0;
	len -= is_cut ? strlen(cut) : 0;
	TAILQ_FOREACH_REVERSE(named, &c->list, named_list, link)
	{
		size_t own = strlen(named->path);

		if ((is_cut ? own >= len : own == len) &&
		    memcmp(named->path + own - len, path, len) == 0)
			return &named->names;
	}
	return NULL;
}

void rsp_containers_get_stats(const struct rsp_containers *c, struct rsp_containers_stats *ret)
{
	*ret = c->stats;
}

/* --- the finder ------------------------------------------------------------------------------- */

static bool is_ok(const struct rsp_container_found *found)
{
	const struct rsp_ev_container *names = &found->names;

	return memchr(found->path, '\0', sizeof(found->path)) &&
	       memchr(names->name, '\0', sizeof(names->name)) &&
	       memchr(names->pod, '\0', sizeof(names->pod)) &&
	       memchr(names->name_space, '\0', sizeof(names->name_space));
}

static int on_found(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct rsp_containers *c = userdata;
	int fds[RSP_MESSAGE_FD_MAX];
	struct rsp_container_found found;
	int r = rsp_message_receive(fd, &found, sizeof(found), fds);

	if (r == -EPIPE) /* on_end() will be called when the process has ended */
		return sd_event_source_set_enabled(source, SD_EVENT_OFF);
	if (r < 0 || !is_ok(&found))
		return 0;
	if (found.error == -E2BIG)
		c->stats.left_out_cnt += found.left_out_cnt;
	else if (found.error < 0 || add(c, &found) < 0)
		c->stats.unnamed_cnt++;
	return 0;
}

static void on_end(const siginfo_t *info, void *userdata)
{
	struct rsp_containers *c = userdata;

	c->child = rsp_child_abandon(c->child);
	rsp_log(LOG_ERR, "the process that finds the names of containers has died: containers that "
			 "start later have no names");
}

/* --- start and end ---------------------------------------------------------------------------- */

static int start(struct rsp_containers *c, sd_event *event)
{
	pid_t parent = getpid(), pid;
	int fds[2], r;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		rsp_finder_run(fds[1], parent);
	r = pid < 0 ? -errno : 0;
	close(fds[1]);
	c->socket = fds[0];
	if (r == 0)
		r = rsp_child_watch(event, pid, on_end, c, &c->child);
	if (r == 0)
		r = sd_event_add_io(event, &c->found, c->socket, EPOLLIN, on_found, c);
	return r < 0 ? r : 0;
}

int rsp_containers_new(sd_event *event, struct rsp_containers **ret)
{
	struct rsp_containers *c = calloc(1, sizeof(*c));
	int r;

	if (!c)
		return -ENOMEM;
	TAILQ_INIT(&c->list);
	c->socket = -1;
	r = start(c, event);
	if (r < 0)
		rsp_containers_free(c);
	else
		*ret = c;
	return r;
}

struct rsp_containers *rsp_containers_free(struct rsp_containers *c)
{
	if (!c)
		return NULL;
	rsp_child_abandon(c->child);
	sd_event_source_disable_unref(c->found);
	if (c->socket >= 0)
		close(c->socket);
	while (!TAILQ_EMPTY(&c->list))
		drop(c, TAILQ_FIRST(&c->list));
	free(c);
	return NULL;
}
