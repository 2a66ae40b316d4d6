/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface between the socket and the recorder: the calls of io.rsp.Recorder in the recorder's
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

#include "daemon/base/ability.h"
#include "daemon/capture/capture-stats.h"
#include "daemon/capture/watch-wish.h"
#include "daemon/containers/containers.h"
#include "daemon/governor/governor.h"
#include "daemon/snapshots/pause-file.h"
#include "daemon/base/share.h"
#include "daemon/slo/slo.h"
#include "daemon/snapshots/store.h"
#include "daemon/summaries/summaries.h"
#include "lib/snapshot/window.h"

struct rsp_snapshot_counts {
	uint64_t asked, breached; /* taken since the start, by cause */
	uint64_t failed;
	uint64_t in_progress;
};

struct rsp_status {
	uint64_t uptime_ns;
	const struct rsp_ability *abilities; /* valid until the next call of the recorder */
	size_t ability_cnt;
	struct rsp_window_stats window;
	struct rsp_capture_stats capture;
	struct rsp_containers_stats containers;
	struct rsp_cost_stats cost;
	struct rsp_snapshot_counts snapshots;
	struct rsp_summary_stats summaries;
	const char *summary_boot; /* as in struct rsp_summary_ring; NULL: "" */
	struct rsp_store_usage store;
	const struct rsp_slo_state *slos; /* valid as long as abilities */
	size_t slo_cnt;
	const struct rsp_pause *pause; /* by request; NULL: recording is not paused */
};

/* Selects a process. Exactly one field is set. */
struct rsp_target {
	pid_t pid; /* > 0; a process ID in the peer's pid namespace */
	/* NULL: not set. Each selects the process in it, or with this name, that ran most. */
	const char *unit, *cgroup, *comm, *container;
	uint16_t port; /* local, of TCP or UDP; the process that sent most from it */
	bool own;      /* the process of the peer's user that ran most */
};

struct rsp_snapshot_request {
	struct rsp_target target;
	uint64_t since_ns;   /* 0: from the beginning of the window */
	uint64_t until_ns;   /* UINT64_MAX: now; at most RSP_AFTER_MAX_NS in the future */
	const char *command; /* of `run`, else ""; all strings are valid only during the call */
	int32_t exit_status; /* as wait(2) reports it, -1: none */
	bool store;	     /* keep it in the store, too, if the peer is trusted */
	bool no_headline;    /* the peer needs no headline; a stored snapshot still gets one */
	struct rsp_peer peer;
};

#define RSP_AFTER_MAX_NS 600000000000ULL

/* The result of a snapshot. Strings and fd are valid during the call only; dup() fd to keep it. */
struct rsp_snapshot_result {
	const char *id;
	const char *path;     /* in the store; "": not stored */
	const char *unstored; /* why a requested store failed; else "" */
	const char *headline; /* first sentence of its report; "": there is none */
	int fd;		      /* a sealed memfd; for peers that are not trusted a pipe (dump.h) */
	uint64_t size;
	const char *candidates; /* on -ENOTUNIQ, when nothing else is set */
};

/*
 * Called once. error: 0; -ESRCH: no such process; -ESTALE: the window does not reach back so far;
 * -EACCES: not the peer's process; -ENOTUNIQ: in several containers; -EBUSY: too many at once;
 * -ENOMEM; other errors stand for their strerror().
 */
typedef void (*rsp_snapshot_done_fn)(int error, const struct rsp_snapshot_result *result,
				     void *userdata);

struct rsp_job; /* a snapshot in progress */

/* The newest records (tap.h). */
struct rsp_recent {
	int fd; /* a sealed memfd; the caller closes it */
	uint64_t size, position, now_ns;
	bool missed;
};

/*
 * The recorder's functions for the socket and the bus. Both check the peer's rights before they
 * call.
 */
struct rsp_recorder_ops {
	void (*get_status)(void *ctx, struct rsp_status *ret);
	/*
	 * Begins a snapshot. 0: the event loop calls done, unless the job is cancelled. -errno:
	 * refused; the errors of done. These functions return -ESHUTDOWN if they need records that
	 * are yet to come while recording is paused by request: snapshot, recent, trigger, mark and
	 * watch.
	 */
	int (*snapshot)(void *ctx, const struct rsp_snapshot_request *req,
			rsp_snapshot_done_fn done, void *userdata, struct rsp_job **ret);
	/* Cancels a snapshot because its client has disconnected. */
	void (*cancel)(void *ctx, struct rsp_job *job);
	/*
	 * Returns the records since a position that an earlier call returned. position 0: returns
	 * no records, and a position to go on from. 0 or -errno.
	 */
	int (*recent)(void *ctx, uint64_t position, struct rsp_recent *ret);
	/* Acts as if the SLO had been breached. 0 or -ENOENT. */
	int (*trigger)(void *ctx, const char *slo, const struct rsp_peer *peer);
	/* Marks this moment with a text (marks.h). 0; -EINVAL: invalid text; -EBUSY: too many. */
	int (*mark)(void *ctx, const char *text, const struct rsp_peer *peer);
	/*
	 * Called when a systemd unit has started, stopped or failed at at_ns, as type says
	 * (bus-units.h). NULL: the signals of systemd are not watched.
	 */
	void (*unit_changed)(void *ctx, enum rsp_mark_type type, const char *unit, __u64 at_ns);
	/*
	 * Builds the unwind tables of all files that process pid has mapped (0: all processes; < 0:
	 * builds nothing). Returns the number of tables that are not built yet.
	 */
	unsigned int (*prepare)(void *ctx, pid_t pid);
	/* Lowers the priority of the recorder's processes, or restores it. Only for a private
	 * recorder. */
	void (*stand_aside)(void *ctx, bool aside);
	/*
	 * Begins a watch (capture/watch.h), which lasts limit_ns at most. *ret_number is the number
	 * of the watch. 0; -EBUSY: another watch measures already, or there are too many; -ESRCH:
	 * there is no such process; -EOPNOTSUPP: the kernel rejected the programs; -errno.
	 */
	int (*watch)(void *ctx, const struct rsp_watch_wish *wish, uint64_t limit_ns,
		     unsigned int *ret_number);
	/* Ends the watch with that number, unless it has ended already. */
	void (*unwatch)(void *ctx, unsigned int number);
	/*
	 * Pauses recording for for_ns (0: until resumed), also over restarts (kill-switch.h). 0;
	 * -EINVAL: invalid reason; -errno. *ret_unkept: 0, or the error
	 * that kept the request from being stored; the pause then ends with this process.
	 */
	int (*pause)(void *ctx, const char *reason, uint64_t for_ns, const struct rsp_peer *peer,
		     int *ret_unkept);
	/* Ends a pause. 0, also if there is none; -errno. */
	int (*resume)(void *ctx, const struct rsp_peer *peer);
	/* Deletes a stored snapshot by the beginning of its ID. 0, -ENOENT, -ENOTUNIQ, -errno. */
	int (*delete)(void *ctx, const char *id, const struct rsp_peer *peer);
	/* Returns the newest summaries. */
	const struct rsp_summary_ring *(*summaries)(void *ctx);
	/* Returns whether untrusted users may take snapshots of their own processes. */
	bool (*users_may_ask)(void *ctx);
};

/* --- the server ------------------------------------------------------------------------------- */

struct rsp_api;

/*
 * ops and ctx must outlive it. guests: the event loop for untrusted peers (guests.h). 0 or -errno.
 */
int rsp_api_new(sd_event *event, sd_event *guests, const struct rsp_recorder_ops *ops, void *ctx,
		struct rsp_api **ret);
/* Removes the socket and its lock. Drops the calls in progress: nothing may end them afterwards. */
struct rsp_api *rsp_api_free(struct rsp_api *api);

/*
 * Listens at path with mode 0666, because the server checks each peer. Makes the directory if it is
 * missing, and replaces a socket that nobody serves. -EADDRINUSE: another recorder serves it.
 */
int rsp_api_listen(struct rsp_api *api, const char *path);
/* Serves a listening socket that systemd passed. Takes fd, even on failure. */
int rsp_api_listen_fd(struct rsp_api *api, int fd);
/*
 * Private mode: serves the connected fd, and ends the event loop when it closes. Takes fd, even on
 * failure.
 */
int rsp_api_adopt(struct rsp_api *api, int fd);

#endif
