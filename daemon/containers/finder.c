/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See finder.h. */
#include "daemon/containers/finder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <systemd/sd-event.h>
#include <unistd.h>

#include "daemon/base/cgroups.h"
#include "daemon/base/child.h"
#include "daemon/base/clock.h"
#include "daemon/base/message.h"
#include "daemon/base/privileges.h"
#include "daemon/base/share.h"
#include "daemon/containers/states.h"
#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/snapshot/container.h"

/* Each watch takes some 1 KiB in the kernel, and users can make any number of cgroups. */
#define WATCHES_MAX	  8192
#define WATCHES_USERS_MAX 1024

#define PENDING_MAX	  1024
#define PENDING_USERS_MAX 256

#define RUNNING_MAX	  4
#define RUNNING_USERS_MAX 3

/* Time limit for a child in seconds. */
#define CHILD_S 20

/* For each user except root. */
#define BURST	    20
#define INTERVAL_NS 1000000000ULL
#define RETRY_US    500000

/*
 * When the list is full, the finder empties it: by then, the cgroups of nearly all containers in
 * the list are gone.
 */
#define SEEN_MAX 65536

struct pending {
	TAILQ_ENTRY(pending) link;
	uid_t owner;
	char path[RSP_CONTAINER_PATH_MAX];
};

struct running {
	struct finder *finder;
	struct rsp_child *child; /* NULL: free */
	uid_t owner;
	char path[RSP_CONTAINER_PATH_MAX];
};

struct finder {
	sd_event *event;
	int socket;
	sd_event_source *retry;
	struct rsp_idmap seen;	  /* IDs of the cgroups of containers */
	struct rsp_idmap watched; /* keys: IDs of the other cgroups; values: struct watch * */
	unsigned int watched_users_cnt;
	TAILQ_HEAD(pending_list, pending) pending;
	unsigned int pending_cnt, pending_users_cnt;
	struct running running[RUNNING_MAX];
	struct rsp_rate rate;
};

struct watch {
	struct finder *finder;
	__u64 id;
	bool of_user;
	sd_event_source *source;
	char path[];
};

/* --- messages --------------------------------------------------------------------------------- */

static void send_found(int socket, const struct rsp_container_found *found)
{
	(void)rsp_message_send(socket, found, sizeof(*found), NULL, 0, 0);
}

static void send_left_out(const struct finder *f)
{
	send_found(f->socket, &(struct rsp_container_found){.error = -E2BIG, .left_out_cnt = 1});
}

static void send_failure(const struct finder *f, const char *path, int error)
{
	struct rsp_container_found found = {.error = error};

	snprintf(found.path, sizeof(found.path), "%s", path);
	send_found(f->socket, &found);
}

/* --- in a process for one container ----------------------------------------------------------- */

static void expect_alarm(void)
{
	sigset_t alarm_only;

	sigemptyset(&alarm_only);
	sigaddset(&alarm_only, SIGALRM);
	signal(SIGALRM, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &alarm_only, NULL);
	alarm(CHILD_S);
}

static _Noreturn void name_container(int socket, const struct running *of)
{
	struct rsp_container_found found = {0};
	struct rsp_container container;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	expect_alarm();
	memcpy(found.path, of->path, sizeof(found.path));
	rsp_container_of_path(of->path, &container, NULL);
	found.error = rsp_states_name(&container, of->owner, &found.names);
	send_found(socket, &found);
	_exit(EXIT_SUCCESS);
}

/* --- the queue -------------------------------------------------------------------------------- */

static void start_some(struct finder *f);

/*
 * If the child exited by itself, it has sent its result. Otherwise this function sends -ETIMEDOUT.
 */
static void on_end(const siginfo_t *info, void *userdata)
{
	struct running *running = userdata;

	running->child = rsp_child_abandon(running->child);
	if (info->si_code != CLD_EXITED)
		send_failure(running->finder, running->path, -ETIMEDOUT);
	start_some(running->finder);
}

static struct running *free_place(struct finder *f, uid_t owner)
{
	struct running *place = NULL;
	unsigned int users_cnt = 0;

	for (size_t i = 0; i < RUNNING_MAX; i++) {
		struct running *running = &f->running[i];

		if (!running->child)
			place = running;
		else if (owner && running->owner == owner)
			return NULL;
		else
			users_cnt += running->owner != 0;
	}
	return owner && users_cnt >= RUNNING_USERS_MAX ? NULL : place;
}

static bool may_start(struct finder *f, uid_t owner)
{
	const struct rsp_peer peer = {.uid = owner, .trusted = owner == 0};

	return rsp_rate_take(&f->rate, &peer, rsp_now_ns()) == 0;
}

static void start(struct finder *f, struct running *place, const struct pending *pending)
{
	pid_t pid;
	int r;

	*place = (struct running){.finder = f, .owner = pending->owner};
	memcpy(place->path, pending->path, sizeof(place->path));
	pid = fork();
	if (pid == 0)
		name_container(f->socket, place);
	r = pid < 0 ? -errno : rsp_child_watch(f->event, pid, on_end, place, &place->child);
	if (r < 0)
		send_failure(f, pending->path, r);
}

static void drop(struct finder *f, struct pending *pending)
{
	TAILQ_REMOVE(&f->pending, pending, link);
	f->pending_cnt--;
	f->pending_users_cnt -= pending->owner != 0;
	free(pending);
}

static void start_some(struct finder *f)
{
	struct pending *pending = TAILQ_FIRST(&f->pending), *next;

	for (; pending; pending = next) {
		struct running *place = free_place(f, pending->owner);

		next = TAILQ_NEXT(pending, link);
		if (!place || !may_start(f, pending->owner))
			continue;
		start(f, place, pending);
		drop(f, pending);
	}
	if (f->pending_cnt) {
		(void)sd_event_source_set_time_relative(f->retry, RETRY_US);
		(void)sd_event_source_set_enabled(f->retry, SD_EVENT_ONESHOT);
	}
}

static int on_retry(sd_event_source *source, uint64_t us, void *userdata)
{
	start_some(userdata);
	return 0;
}

static int add_pending(struct finder *f, const char *path, uid_t owner)
{
	struct pending *pending;

	if (f->pending_cnt == PENDING_MAX || strlen(path) >= sizeof(pending->path) ||
	    (owner && f->pending_users_cnt == PENDING_USERS_MAX))
		return -E2BIG;
	pending = calloc(1, sizeof(*pending));
	if (!pending)
		return -ENOMEM;
	pending->owner = owner;
	strcpy(pending->path, path);
	TAILQ_INSERT_TAIL(&f->pending, pending, link);
	f->pending_cnt++;
	f->pending_users_cnt += owner != 0;
	return 0;
}

/* --- cgroups ---------------------------------------------------------------------------------- */

static int see(__u64 id, const char *path, void *userdata);

static void unwatch(struct watch *watch)
{
	struct finder *f = watch->finder;

	rsp_idmap_remove(&f->watched, watch->id);
	f->watched_users_cnt -= watch->of_user;
	sd_event_source_disable_unref(watch->source);
	free(watch);
}

/*
 * Cgroups may have been made in a new directory before it was watched, so walks all directories
 * below it. If events were lost, walks the whole hierarchy.
 */
static int on_change(sd_event_source *source, const struct inotify_event *change, void *userdata)
{
	struct watch *watch = userdata;
	struct finder *f = watch->finder;
	char path[PATH_MAX];

	if (change->mask & (IN_DELETE_SELF | IN_IGNORED)) {
		unwatch(watch);
		return 0;
	}
	if (change->mask & IN_Q_OVERFLOW)
		(void)rsp_cgroups_walk("/", see, f);
	else if (change->mask & IN_ISDIR &&
		 snprintf(path, sizeof(path), "%s/%s", strcmp(watch->path, "/") ? watch->path : "",
			  change->name) < (int)sizeof(path))
		(void)rsp_cgroups_walk(path, see, f);
	start_some(f);
	return 0;
}

static int watch_cgroup(struct finder *f, __u64 id, const char *path, const char *dir, bool of_user)
{
	struct watch *watch;
	int r;

	if (f->watched.cnt >= WATCHES_MAX || (of_user && f->watched_users_cnt >= WATCHES_USERS_MAX))
		return -E2BIG;
	watch = calloc(1, sizeof(*watch) + strlen(path) + 1);
	if (!watch)
		return -ENOMEM;
	*watch = (struct watch){.finder = f, .id = id, .of_user = of_user};
	strcpy(watch->path, path);
	f->watched_users_cnt += of_user;
	r = rsp_idmap_put(&f->watched, id, (uintptr_t)watch);
	if (r == 0)
		r = sd_event_add_inotify(f->event, &watch->source, dir,
					 IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_ONLYDIR,
					 on_change, watch);
	if (r < 0)
		unwatch(watch);
	return r < 0 ? r : 0;
}

static int see_container(struct finder *f, __u64 id, const char *path, uid_t owner)
{
	int r;

	if (f->seen.cnt >= SEEN_MAX)
		rsp_idmap_done(&f->seen);
	r = rsp_idmap_put(&f->seen, id, 0);
	return r < 0 ? r : add_pending(f, path, owner);
}

/*
 * Ignores containers within a container: their runtime runs in the outer container, and rspd does
 * not read its files.
 */
static int see(__u64 id, const char *path, void *userdata)
{
	struct finder *f = userdata;
	_cleanup_free_ char *dir = NULL;
	struct rsp_container c;
	struct stat st;
	size_t len;
	bool is_container = rsp_container_of_path(path, &c, &len);
	int r;

	if ((is_container && (path[len] || !*c.id)) ||
	    rsp_idmap_get(is_container ? &f->seen : &f->watched, id, &(uint64_t){0}))
		return 0;
	r = rsp_cgroups_directory(path, &dir);
	if (r < 0 || stat(dir, &st) < 0) /* gone already */
		return 0;
	r = is_container ? see_container(f, id, path, st.st_uid)
			 : watch_cgroup(f, id, path, dir, st.st_uid != 0);
	if (r < 0 && r != -ENOENT)
		send_left_out(f);
	return 0;
}

/* --- start ------------------------------------------------------------------------------------ */

static int begin(struct finder *f)
{
	int r = sd_event_new(&f->event);

	if (r >= 0)
		r = sd_event_add_time_relative(f->event, &f->retry, CLOCK_MONOTONIC, RETRY_US, 0,
					       on_retry, f);
	if (r < 0)
		return r;
	(void)rsp_cgroups_walk("/", see, f); /* fails if there is no cgroup v2 */
	start_some(f);
	return sd_event_loop(f->event);
}

_Noreturn void rsp_finder_run(int socket, int parent)
{
	struct finder f = {.socket = STDIN_FILENO,
			   .rate = {.burst = BURST, .interval_ns = INTERVAL_NS}};

	TAILQ_INIT(&f.pending);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* the parent ended before the prctl() */
		_exit(EXIT_FAILURE);
	if (rsp_privileges_keep(RSP_PRIVILEGES_OPEN) < 0)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_NAME, "rspd-names");
	/* Names can wait until the CPUs have nothing else to do. */
	(void)setpriority(PRIO_PROCESS, 0, 19);
	if (dup2(socket, STDIN_FILENO) < 0 || close_range(STDERR_FILENO + 1, ~0U, 0) < 0)
		_exit(EXIT_FAILURE);
	(void)begin(&f);
	_exit(EXIT_FAILURE);
}
