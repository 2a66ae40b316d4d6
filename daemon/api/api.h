/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam between the socket and the recorder: what io.rsp.Recorder asks of
 * it, in the recorder's own terms. The recorder sees no JSON and no connection;
 * the socket sees no ring and no window.
 */
#ifndef RSP_DAEMON_API_H
#define RSP_DAEMON_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <systemd/sd-event.h>

#include "daemon/capture/ability.h"
#include "daemon/capture/capture-stats.h"
#include "daemon/governor/governor.h"
#include "daemon/share.h"
#include "daemon/slo/slo.h"
#include "daemon/snapshots/store.h"
#include "lib/snapshot/window.h"

struct rsp_snapshot_counts {
	uint64_t asked, breached; /* taken since the start, by what caused them */
	uint64_t failed;
	uint64_t in_progress;
};

struct rsp_status {
	uint64_t uptime_ns;
	const struct rsp_ability *abilities; /* read before the recorder is called again */
	size_t ability_cnt;
	struct rsp_window_stats window;
	struct rsp_capture_stats capture;
	struct rsp_cost_stats cost;
	struct rsp_snapshot_counts snapshots;
	struct rsp_store_usage store;
	const struct rsp_slo_state *slos; /* as abilities */
	size_t slo_cnt;
};

/* Of which process: exactly one is given. */
struct rsp_target {
	pid_t pid;			  /* > 0; a tgid, as the peer's pid namespace counts */
	const char *unit, *cgroup, *comm; /* NULL: not given; the process of it that ran last */
	uint16_t port; /* TCP or UDP, local; the process that last sent from it */
};

struct rsp_snapshot_request {
	struct rsp_target target;
	uint64_t since_ns;   /* 0: from the beginning of the window */
	uint64_t until_ns;   /* UINT64_MAX: until now; may lie ahead, at most
				RSP_AFTER_MAX_NS */
	const char *command; /* of `run`, else ""; strings are valid during the call only */
	int32_t exit_status; /* as wait(2) reports it, -1: none */
	bool store;	     /* keep it in the store, too, if the peer is trusted */
	bool no_headline;    /* the peer needs no headline; a stored snapshot still gets one */
	struct rsp_peer peer;
};

#define RSP_AFTER_MAX_NS 600000000000ULL

/* What a snapshot became. Strings and fd are valid during the call; dup() to
 * keep. */
struct rsp_snapshot_result {
	const char *id;
	const char *path;     /* in the store; "": not stored */
	const char *unstored; /* why not, though it was asked for; "": it is, or was not */
	const char *headline; /* its report's first sentence; "": it could not be made */
	int fd;		      /* a sealed memfd; for peers that are not trusted a pipe (dump.h) */
	uint64_t size;
};

/*
 * Called once. error: 0, or -ESRCH: no such process; -ESTALE: the window does
 * not reach so far back; -EACCES: not the peer's; -EBUSY: too many at once;
 * -ENOMEM; any other: its strerror.
 */
typedef void (*rsp_snapshot_done_fn)(int error, const struct rsp_snapshot_result *result,
				     void *userdata);

struct rsp_job; /* a snapshot in the making */

/* The newest records (tap.h). */
struct rsp_recent {
	int fd; /* a sealed memfd; the caller closes it */
	uint64_t size, position, now_ns;
	bool missed;
};

/* What socket and bus may ask of the recorder; both have asked for the peer's
 * rights before. */
struct rsp_recorder_ops {
	void (*get_status)(void *ctx, struct rsp_status *ret);
	/*
	 * Begins a snapshot. 0: done will be called from the event loop, unless it is
	 * cancelled; -errno: refused, as to done.
	 */
	int (*snapshot)(void *ctx, const struct rsp_snapshot_request *req,
			rsp_snapshot_done_fn done, void *userdata, struct rsp_job **ret);
	/* Whoever asked has gone: what was begun for them ends. */
	void (*cancel)(void *ctx, struct rsp_job *job);
	/*
	 * Returns the records since a position that an earlier call returned. position 0: returns
	 * no records, and a position to go on from. 0 or -errno.
	 */
	int (*recent)(void *ctx, uint64_t position, struct rsp_recent *ret);
	/* As if the SLO had been breached. 0, or -ENOENT. */
	int (*trigger)(void *ctx, const char *slo, const struct rsp_peer *peer);
	/* Marks this moment with a text (marks.h). 0; -EINVAL: invalid text; -EBUSY: too many. */
	int (*mark)(void *ctx, const char *text, const struct rsp_peer *peer);
	/*
	 * Called when a systemd unit has started, stopped or failed at at_ns, as type says
	 * (bus-units.h). NULL: the signals of systemd are not watched.
	 */
	void (*unit_changed)(void *ctx, enum rsp_mark_type type, const char *unit, __u64 at_ns);
	/* Has unwind tables made of what the process has mapped, 0: of all that is mapped. How many
	 * are not made yet; pid < 0: only that. */
	unsigned int (*prepare)(void *ctx, pid_t pid);
	/* Lowers the priority of the recorder's processes, or restores it. Only for a private
	 * recorder. */
	void (*stand_aside)(void *ctx, bool aside);
	/*
	 * Begins a watch (capture/watch.h), which lasts limit_ns at most. calls: also counts system
	 * calls. *ret_number is the number of the watch. 0; -EBUSY: there is a watch already;
	 * -EOPNOTSUPP: the kernel rejected the programs; -errno.
	 */
	int (*watch)(void *ctx, bool calls, uint64_t limit_ns, unsigned int *ret_number);
	/* Ends the watch with that number, unless it has ended already. */
	void (*unwatch)(void *ctx, unsigned int number);
	/* From the store, by the beginning of its ID. 0, -ENOENT, -ENOTUNIQ, -errno. */
	int (*delete)(void *ctx, const char *id, const struct rsp_peer *peer);
	/* Whether other users than trusted ones may ask for snapshots of their own
	 * processes. */
	bool (*users_may_ask)(void *ctx);
};

/* --- the server
 * -------------------------------------------------------------------------------
 */

struct rsp_api;

/*
 * ops and ctx must outlive it. guests: the loop for peers that are not trusted (guests.h). 0 or
 * -errno.
 */
int rsp_api_new(sd_event *event, sd_event *guests, const struct rsp_recorder_ops *ops, void *ctx,
		struct rsp_api **ret);
/* Removes socket and lock. Calls not yet ended die here: nothing may end them
 * afterwards. */
struct rsp_api *rsp_api_free(struct rsp_api *api);

/*
 * Listens at path (mode 0666: who asks is looked at), makes its directory if
 * that is missing, and replaces a socket nobody serves. -EADDRINUSE: another
 * recorder serves it.
 */
int rsp_api_listen(struct rsp_api *api, const char *path);
/* Serves a listening socket that systemd holds for us; taken, even on failure.
 */
int rsp_api_listen_fd(struct rsp_api *api, int fd);
/* Private mode: serves the connected fd (taken, even on failure); when it
 * closes the loop ends. */
int rsp_api_adopt(struct rsp_api *api, int fd);

#endif
