/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface between the socket and the recorder: the calls of io.rsp.Recorder as C functions
 * and types. The recorder handles no JSON and no connections. The socket's code accesses no ring,
 * and not the window: the newest records, which the recorder keeps in memory.
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

/*
 * The recorder's functions for the socket and the bus. Before each call, the socket and the bus
 * check the peer's rights.
 */
struct rsp_recorder_ops {
	void (*get_status)(void *ctx, struct rsp_status *ret);
	/*
	 * Begins a snapshot. If it returns 0, the event loop will call done, unless the job is
	 * cancelled. Returns -errno if the recorder refuses the request, with the same meanings as
	 * the error of done.
	 *
	 * While recording is paused by request, the functions snapshot, recent, trigger, mark and
	 * watch return -ESHUTDOWN if they need records that are yet to come.
	 */
	int (*snapshot)(void *ctx, const struct rsp_snapshot_request *req,
			rsp_snapshot_done_fn done, void *userdata, struct rsp_job **ret);
	/* Cancels a snapshot because its client has disconnected. */
	void (*cancel)(void *ctx, struct rsp_job *job);
	/*
	 * Returns the records after a position that an earlier call returned. For position 0,
	 * returns no records, but a position for the next call. Returns 0 or -errno.
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
	 * Called when a systemd unit has started, stopped or failed (type), at at_ns (bus-units.h).
	 * If this is NULL, the recorder does not watch units.
	 */
	void (*unit_changed)(void *ctx, enum rsp_mark_type type, const char *unit, __u64 at_ns);
	/*
	 * Requests the unwind tables of all files that process pid, or any process if pid is 0, has
	 * mapped. If pid is negative, requests no tables. Returns the result of
	 * rsp_capture_unprepared().
	 */
	unsigned int (*prepare)(void *ctx, pid_t pid);
	/*
	 * Lowers the priority of the recorder's processes, or restores it. Only a private recorder
	 * (rsp_api_adopt()) does this.
	 */
	void (*stand_aside)(void *ctx, bool aside);
	/*
	 * Begins a watch (capture/watch.h), which lasts limit_ns at most. *ret_number is the number
	 * of the watch. Returns 0; -EBUSY: the watch counts calls or watches memory, and another
	 * watch already does so, or there are too many watches; -ESRCH: the process does not exist;
	 * -EOPNOTSUPP: the kernel rejected the programs; -errno.
	 */
	int (*watch)(void *ctx, const struct rsp_watch_request *request, uint64_t limit_ns,
		     unsigned int *ret_number);
	/* Ends the watch with that number, unless it has ended already. */
	void (*unwatch)(void *ctx, unsigned int number);
	/*
	 * Pauses recording for for_ns or, if for_ns is 0, until a client resumes it. The pause
	 * survives restarts (kill-switch.h). Returns 0; -EINVAL: invalid reason; -errno.
	 * *ret_unkept: 0, or the error that prevented storing the request; the pause then ends when
	 * rspd ends.
	 */
	int (*pause)(void *ctx, const char *reason, uint64_t for_ns, const struct rsp_peer *peer,
		     int *ret_unkept);
	/* Ends a pause. Returns 0, also if recording is not paused; -errno. */
	int (*resume)(void *ctx, const struct rsp_peer *peer);
	/*
	 * Deletes the stored snapshot whose ID begins with id. Returns 0; -ENOENT: no snapshot has
	 * such an ID; -ENOTUNIQ: several snapshots have such IDs; -errno.
	 */
	int (*delete)(void *ctx, const char *id, const struct rsp_peer *peer);
	/* Returns the newest summaries. */
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
 * Makes a listening socket at path with mode 0666, because the server checks each peer. Makes the
 * directory if it is missing, and replaces a socket that no recorder serves. Returns 0;
 * -EADDRINUSE: another recorder serves the socket; -errno.
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
