/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pauses recording at the request of a user, until a user resumes it or the requested duration has
 * passed. The request survives a restart of rspd (snapshots/pause-file.h).
 */
#ifndef RSP_DAEMON_KILL_SWITCH_H
#define RSP_DAEMON_KILL_SWITCH_H

#include <systemd/sd-event.h>

#include "daemon/base/share.h"
#include "daemon/snapshots/pause-file.h"

struct rsp_kill_switch;

/* Halts recording, or resumes it. Returns 0; -errno: recording cannot resume. */
typedef int (*rsp_kill_fn)(bool halts, void *userdata);

/*
 * dir: directory of the file, or NULL if requests are not kept. Does not call kill: if
 * rsp_kill_switch_is_on() returns true, the caller must start paused. Returns 0 or -ENOMEM.
 */
int rsp_kill_switch_new(sd_event *event, const char *dir, rsp_kill_fn kill, void *userdata,
			struct rsp_kill_switch **ret);
struct rsp_kill_switch *rsp_kill_switch_free(struct rsp_kill_switch *k);

/* Does nothing if recording is not paused. Returns 0 or -errno. */
int rsp_kill_switch_start(struct rsp_kill_switch *k);

/*
 * Pauses recording for for_ns or, if for_ns is 0, until a client resumes it. If recording is paused
 * already, replaces the request, but keeps the time at which the pause began. Returns 0; -EINVAL:
 * invalid reason or duration; -errno. *ret_unkept: 0, or the error that prevented storing the
 * request.
 */
int rsp_kill_switch_pause(struct rsp_kill_switch *k, const struct rsp_peer *peer,
			  const char *reason, uint64_t for_ns, int *ret_unkept);
/*
 * Returns 0, also if recording is not paused; -errno: the file cannot be removed, and the pause
 * continues; or the error of kill.
 */
int rsp_kill_switch_resume(struct rsp_kill_switch *k, const struct rsp_peer *peer);

bool rsp_kill_switch_is_on(const struct rsp_kill_switch *k);
/* Returns NULL if recording is not paused. */
const struct rsp_pause *rsp_kill_switch_pause_of(const struct rsp_kill_switch *k);

#endif
