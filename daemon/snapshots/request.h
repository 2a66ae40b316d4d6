/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A client's request for a snapshot, and its result. */
#ifndef RSP_DAEMON_REQUEST_H
#define RSP_DAEMON_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "daemon/base/share.h"

/* Exactly one field is set. */
struct rsp_target {
	pid_t pid; /* a process ID in the peer's PID namespace; 0: not set */
	/*
	 * NULL: not set. If several processes match, the process that left a CPU most often is
	 * selected.
	 */
	const char *unit, *cgroup, *comm, *container;
	uint16_t port; /* a local port of TCP or UDP; selects the process that sent most from it */
	bool own;      /* selects the process of the peer's user that left a CPU most often */
};

struct rsp_snapshot_request {
	struct rsp_target target;
	uint64_t since_ns; /* 0: from the beginning of the window */
	uint64_t until_ns; /* UINT64_MAX: now; at most RSP_AFTER_MAX_NS in the future */
	/* All strings are valid only during the call. */
	const char *command;
	int32_t exit_status; /* as wait(2) reports it; -1: no command */
	bool store;	     /* also keep the snapshot in the store, if the peer is trusted */
	bool no_headline;    /* the peer needs no headline; a stored snapshot still gets one */
	struct rsp_peer peer;
};

#define RSP_AFTER_MAX_NS 600000000000ULL

/* Strings and fd are valid during the call only; dup() fd to keep it. */
struct rsp_snapshot_result {
	const char *id;
	const char *path;     /* path in the store; "": not stored */
	const char *unstored; /* reason why the requested storing failed; otherwise "" */
	const char *headline; /* first sentence of the snapshot's report; "": no headline */
	int fd;		      /* a sealed memfd; a pipe for untrusted peers (dump.h) */
	uint64_t size;
	/* only on -ENOTUNIQ: the containers to choose from; the other fields are then not set */
	const char *candidates;
};

/*
 * Called once. error: 0; -ESRCH: no such process; -ESTALE: the whole span is older than the window;
 * -EACCES: not the peer's process; -ENOTUNIQ: processes of several containers match; -EBUSY: too
 * many snapshots at once; -ENOMEM; another -errno: see strerror().
 */
typedef void (*rsp_snapshot_done_fn)(int error, const struct rsp_snapshot_result *result,
				     void *userdata);

struct rsp_job; /* a snapshot in progress */

#endif
