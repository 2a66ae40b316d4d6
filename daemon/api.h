/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam between the socket and the recorder: what io.rsp.Recorder asks of it, in the recorder's
 * own terms. The recorder sees no JSON and no connection; the socket sees no ring and no window.
 */
#ifndef RSP_DAEMON_API_H
#define RSP_DAEMON_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <systemd/sd-event.h>

#include "daemon/ability.h"
#include "daemon/capture-stats.h"
#include "lib/snapshot/window.h"

struct json_object;

struct rsp_status {
	uint64_t uptime_ns;
	const struct rsp_ability *abilities; /* read before the recorder is called again */
	size_t ability_cnt;
	struct rsp_window_stats window;
	struct rsp_capture_stats capture;
};

struct rsp_snapshot_request {
	pid_t pid;	     /* > 0; a tgid */
	uint64_t since_ns;   /* 0: from the beginning of the window */
	uint64_t until_ns;   /* UINT64_MAX: until now */
	const char *command; /* of `run`, else ""; valid during the call only */
	int32_t exit_status; /* as wait(2) reports it, -1: none */
	struct ucred peer;   /* who asks, by the kernel's word */
};

/* A Snapshot request that waits for its answer. */
struct rsp_call;

struct rsp_recorder_ops {
	void (*get_status)(void *ctx, struct rsp_status *ret);
	/*
	 * Begins a snapshot. 0: exactly one of rsp_snapshot_reply and rsp_snapshot_fail ends the
	 * call, now or later, whether or not the client is still there. -errno: refused, as
	 * rsp_snapshot_fail.
	 */
	int (*snapshot)(void *ctx, const struct rsp_snapshot_request *req, struct rsp_call *call);
};

/* Ends the call. Takes fd, a sealed memfd with a snapshot of size bytes. */
void rsp_snapshot_reply(struct rsp_call *call, const char *id, uint64_t size, int fd);
/* Ends the call. -ESRCH: no such process, -EBUSY, -ENOMEM; any other: its strerror. */
void rsp_snapshot_fail(struct rsp_call *call, int error);

/* [{"name", "chosen", "why", "ok"}, …]; NULL: no memory. */
struct json_object *rsp_abilities_to_json(const struct rsp_ability *abilities, size_t cnt);

/* --- the server ------------------------------------------------------------------------------- */

struct rsp_api;

/* ops and ctx must outlive it. 0 or -errno. */
int rsp_api_new(sd_event *event, const struct rsp_recorder_ops *ops, void *ctx,
		struct rsp_api **ret);
/* Removes socket and lock. Calls not yet ended die here: nothing may end them afterwards. */
struct rsp_api *rsp_api_free(struct rsp_api *api);

/*
 * Listens at path (mode 0660), makes its directory if that is missing, and replaces a socket nobody
 * serves. -EADDRINUSE: another recorder serves it.
 */
int rsp_api_listen(struct rsp_api *api, const char *path);
/* Private mode: serves the connected fd (taken, even on failure); when it closes the loop ends. */
int rsp_api_adopt(struct rsp_api *api, int fd);

#endif
