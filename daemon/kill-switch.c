/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See kill-switch.h. */
#include "daemon/kill-switch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/base/journal.h"
#include "daemon/log.h"

struct rsp_kill_switch {
	sd_event *event;
	const char *dir;
	rsp_kill_fn kill;
	void *userdata;
	bool is_on;
	struct rsp_pause pause;
	sd_event_source *end;
};

/* Uses CLOCK_REALTIME, because CLOCK_MONOTONIC begins at 0 when the machine boots. */
static uint64_t now_usec(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000 + (uint64_t)ts.tv_nsec / 1000;
}

static void read_file(struct rsp_kill_switch *k)
{
	int r = rsp_pause_read(k->dir, &k->pause);

	if (r < 0 && r != -ENOENT)
		rsp_log(LOG_WARNING, "%s/paused is ignored: %s", k->dir, strerror(-r));
	k->is_on = r == 0;
	if (!k->is_on || !k->pause.until_usec || k->pause.until_usec > now_usec())
		return;
	k->is_on = false;
	rsp_log_resumed(NULL);
	r = rsp_pause_remove(k->dir);
	if (r < 0)
		rsp_log(LOG_WARNING, "cannot remove %s/paused: %s", k->dir, strerror(-r));
}

int rsp_kill_switch_new(sd_event *event, const char *dir, rsp_kill_fn kill, void *userdata,
			struct rsp_kill_switch **ret)
{
	struct rsp_kill_switch *k = calloc(1, sizeof(*k));

	if (!k)
		return -ENOMEM;
	k->event = event;
	k->dir = dir;
	k->kill = kill;
	k->userdata = userdata;
	if (dir)
		read_file(k);
	*ret = k;
	return 0;
}

struct rsp_kill_switch *rsp_kill_switch_free(struct rsp_kill_switch *k)
{
	if (k)
		sd_event_source_disable_unref(k->end);
	free(k);
	return NULL;
}

static int on_end(sd_event_source *source, uint64_t usec, void *userdata)
{
	(void)source;
	(void)usec;
	(void)rsp_kill_switch_resume(userdata, NULL);
	return 0;
}

/* Uses CLOCK_REALTIME, so that the time in which the machine sleeps counts, too. */
static int await_end(struct rsp_kill_switch *k)
{
	k->end = sd_event_source_disable_unref(k->end);
	if (!k->pause.until_usec)
		return 0;
	return sd_event_add_time(k->event, &k->end, CLOCK_REALTIME, k->pause.until_usec, 0, on_end,
				 k);
}

int rsp_kill_switch_start(struct rsp_kill_switch *k)
{
	if (!k->is_on)
		return 0;
	rsp_log_still_paused(&k->pause);
	return await_end(k);
}

int rsp_kill_switch_pause(struct rsp_kill_switch *k, const struct rsp_peer *peer,
			  const char *reason, uint64_t for_ns, int *ret_unkept)
{
	uint64_t since_usec = k->is_on ? k->pause.since_usec : now_usec();
	int r;

	if (!rsp_pause_reason_is_valid(reason) || for_ns > RSP_PAUSE_MAX_NS)
		return -EINVAL;
	r = k->is_on ? 0 : k->kill(true, k->userdata);
	if (r < 0)
		return r;
	k->is_on = true;
	k->pause = (struct rsp_pause){
		.since_usec = since_usec,
		.until_usec = for_ns ? now_usec() + for_ns / 1000 : 0,
		.uid = peer->uid,
	};
	snprintf(k->pause.reason, sizeof(k->pause.reason), "%s", reason);
	*ret_unkept = k->dir ? rsp_pause_write(k->dir, &k->pause) : 0;
	rsp_log_paused(peer, &k->pause, *ret_unkept);
	return await_end(k);
}

/*
 * Removes the file first: if resuming then fails, the next start of rspd records. If the file
 * cannot be removed, recording stays paused, since the next start would pause it again.
 */
int rsp_kill_switch_resume(struct rsp_kill_switch *k, const struct rsp_peer *peer)
{
	int r = k->is_on && k->dir ? rsp_pause_remove(k->dir) : 0;

	if (r < 0)
		rsp_log(LOG_ERR, "recording stays paused: cannot remove %s/paused: %s", k->dir,
			strerror(-r));
	if (r < 0 || !k->is_on)
		return r;
	k->end = sd_event_source_disable_unref(k->end);
	k->is_on = false;
	rsp_log_resumed(peer);
	return k->kill(false, k->userdata);
}

bool rsp_kill_switch_is_on(const struct rsp_kill_switch *k)
{
	return k->is_on;
}

const struct rsp_pause *rsp_kill_switch_pause_of(const struct rsp_kill_switch *k)
{
	return k->is_on ? &k->pause : NULL;
}
