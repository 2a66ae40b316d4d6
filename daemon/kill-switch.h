/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pauses recording at the request of a user, until somebody resumes it or its time is over. Keeps
 * the request over restarts (pause-file.h), and writes one journal entry at the beginning and one
 * at the end.
 */
#ifndef RSP_DAEMON_KILL_SWITCH_H
#define RSP_DAEMON_KILL_SWITCH_H

#include <systemd/sd-event.h>

#include "daemon/base/share.h"
#include "daemon/snapshots/pause-file.h"

struct rsp_kill_switch;

/* Halts recording, or lets it go on. -errno: recording cannot go on. */
typedef int (*rsp_kill_fn)(bool halts, void *userdata);

/*
 * dir: where the file is; NULL: the request is not kept. Reads the file, but does not
 * call kill: the caller starts paused if rsp_kill_switch_is_on(). 0 or -ENOMEM.
 */
int rsp_kill_switch_new(sd_event *event, const char *dir, rsp_kill_fn kill, void *userdata,
			struct rsp_kill_switch **ret);
struct rsp_kill_switch *rsp_kill_switch_free(struct rsp_kill_switch *k);

/* Logs that recording is paused from the start on, and resumes when the time is over. 0 or -errno.
 */
int rsp_kill_switch_start(struct rsp_kill_switch *k);

/*
 * Pauses for for_ns; 0: until resumed. Replaces an earlier request, but not its beginning. 0;
 * -EINVAL: invalid reason; -errno. *ret_unkept: 0, or the error that kept the request from being
 * stored: it then ends when rspd ends.
 */
int rsp_kill_switch_pause(struct rsp_kill_switch *k, const struct rsp_peer *peer,
			  const char *reason, uint64_t for_ns, int *ret_unkept);
/* 0, also if recording is not paused; -errno: the request stays, in the file, too. */
int rsp_kill_switch_resume(struct rsp_kill_switch *k, const struct rsp_peer *peer);

bool rsp_kill_switch_is_on(const struct rsp_kill_switch *k);
/* The request in force; NULL: recording is not paused. */
const struct rsp_pause *rsp_kill_switch_pause_of(const struct rsp_kill_switch *k);

#endif
