/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface between the socket and the recorder: the calls of io.rsp.Recorder as C functions
 * and types.
 */
#ifndef RSP_DAEMON_API_H
#define RSP_DAEMON_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <systemd/sd-event.h>

#include "daemon/api/status.h"
#include "daemon/base/share.h"
#include "daemon/capture/watch-request.h"
#include "daemon/snapshots/request.h"
#include "rsp/event.h"

/* The newest records, from the tap (tap.h). */
struct rsp_recent {
	int fd; /* a sealed memfd; the caller closes it */
	uint64_t size, position, now_ns;
	bool missed;
};

/* The recorder's functions for the socket and the bus, which check the peer's rights. */
struct rsp_recorder_ops {
	void (*get_status)(void *ctx, struct rsp_status *ret);
	/*
	 * Begins a snapshot. If it returns 0, the event loop will call done, unless the job is
	 * cancelled. Errors have the same meanings as the error of done.
	 *
	 * While recording is paused by request, the functions snapshot, recent, trigger, mark and
	 * watch return -ESHUTDOWN if they need later records.
	 */
	int (*snapshot)(void *ctx, const struct rsp_snapshot_request *req,
			rsp_snapshot_done_fn done, void *userdata, struct rsp_job **ret);
	void (*cancel)(void *ctx, struct rsp_job *job);
	/*
	 * Returns the records after a position that an earlier call returned; see rsp_tap_read().
	 * Returns 0 or -errno.
	 */
	int (*recent)(void *ctx, uint64_t position, struct rsp_recent *ret);
	/* Acts as if the SLO had been breached. Returns 0; -ENOENT: there is no such SLO. */
	int (*trigger)(void *ctx, const char *slo, const struct rsp_peer *peer);
	/*
	 * Marks this moment with a text (machine/marks.h). Returns 0; -EINVAL: invalid text;
	 * -EBUSY: too many marks.
	 */
	int (*mark)(void *ctx, const char *text, const struct rsp_peer *peer);
	/*
	 * Called when a systemd unit has started, stopped or failed (type), at at_ns. NULL: units
	 * are not watched.
	 */
	void (*unit_changed)(void *ctx, enum rsp_mark_type type, const char *unit, __u64 at_ns);
	/*
	 * Requests the unwind tables of the files that process pid has mapped; 0: all processes;
	 * negative: none. Returns the result of rsp_capture_unprepared().
	 */
	unsigned int (*prepare)(void *ctx, pid_t pid);
	/*
	 * Lowers the priority of the recorder's processes, or restores it. Only a private recorder
	 * (rsp_api_adopt()) does this.
	 */
	void (*stand_aside)(void *ctx, bool aside);
	/* Begins a watch, which lasts limit_ns at most. For the errors, see rsp_watches_begin(). */
	int (*watch)(void *ctx, const struct rsp_watch_request *request, uint64_t limit_ns,
		     unsigned int *ret_number);
	/* Ends the watch with that number, unless it has ended already. */
	void (*unwatch)(void *ctx, unsigned int number);
	/* See rsp_kill_switch_pause(). */
	int (*pause)(void *ctx, const char *reason, uint64_t for_ns, const struct rsp_peer *peer,
		     int *ret_unkept);
	/* See rsp_kill_switch_resume(). */
	int (*resume)(void *ctx, const struct rsp_peer *peer);
	/*
	 * Deletes the stored snapshot whose ID begins with id. Returns 0; -ENOENT: no snapshot has
	 * such an ID; -ENOTUNIQ: several snapshots have such IDs; -errno.
	 */
	int (*delete)(void *ctx, const char *id, const struct rsp_peer *peer);
	const struct rsp_summary_ring *(*summaries)(void *ctx);
	/* Returns whether untrusted users may take snapshots of their own processes. */
	bool (*users_may_ask)(void *ctx);
};

/* --- the server ------------------------------------------------------------------------------- */

struct rsp_api;

/*
 * ops and ctx must outlive *ret. guests: the event loop for untrusted peers (guests.h). Returns 0
 * or -errno.
 */
int rsp_api_new(sd_event *event, sd_event *guests, const struct rsp_recorder_ops *ops, void *ctx,
		struct rsp_api **ret);
/*
 * Removes the socket and its lock. Drops the calls in progress: do not answer these calls
 * afterwards.
 */
struct rsp_api *rsp_api_free(struct rsp_api *api);

/*
 * Listens at path with mode 0666, because the server checks each peer. Replaces a socket that no
 * recorder serves. Returns 0; -EADDRINUSE: another recorder serves the socket; -errno.
 */
int rsp_api_listen(struct rsp_api *api, const char *path);
/* Serves a listening socket that systemd passed. Takes ownership of fd, even on failure. */
int rsp_api_listen_fd(struct rsp_api *api, int fd);
/*
 * Private mode: serves the connected fd, and ends the event loop when the connection closes. Takes
 * ownership of fd, even on failure.
 */
int rsp_api_adopt(struct rsp_api *api, int fd);

#endif
