/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window, as it is this instant -> a snapshot with names, and with a headline, perhaps cut down
 * to what one user may see, perhaps stored. A child of the recorder does all of it, while recording
 * goes on: it freezes (freeze.h), has analysed (analysis.h), stores (store.h). What it waits for,
 * disks and other people's file systems, the recorder does not wait for.
 */
#ifndef RSP_DAEMON_DUMP_H
#define RSP_DAEMON_DUMP_H

#include <systemd/sd-event.h>

#include "analysis.h"
#include "daemon/capture/binaries.h"
#include "store.h"
#include "lib/snapshot/snapshot.h"
#include "lib/snapshot/window.h"

struct rsp_dump;

/* Who, if no pid is given (choose.h); all empty: nobody, whoever suffered most is chosen (PSI). */
struct rsp_wanted {
	char *unit;	 /* malloc; of systemd, whose cgroup is yet to be found (jobs.h) */
	char *cgroup;	 /* malloc; its path */
	__u64 cgroup_id; /* its id when it was asked for: it may be another's, or gone, by the dump
			  */
	__u64 *cgroup_ids; /* of it and those below; filled in by the child that makes the dump */
	size_t cgroup_cnt;
	char comm[16];
	__u16 port;
};

struct rsp_dump_request {
	struct rsp_meta meta; /* what is known; target_pid as pidns counts, 0: by wanted */
	__u32 pidns;	      /* inode number of a pid namespace */
	struct rsp_wanted wanted;
	__u64 events_since_ns; /* at most meta.since_ns */
	bool own_only;	       /* refuse what is not uid's, and redact the rest */
	uid_t uid;
	int broker_places; /* as of struct rsp_analysis_request */
	bool no_headline;  /* no headline unless the snapshot is stored */
	bool store;
	struct rsp_store_put put; /* fd, size and id are filled in */
};

struct rsp_dump_result {
	int fd; /* a sealed memfd, or with own_only the reading end of a pipe; valid during the call
		 */
	size_t size;
	char headline[RSP_HEADLINE_MAX];
	char path[512];		   /* "": not stored */
	int store_error;	   /* -errno: it was to be stored, and could not be */
	int analysis_error;	   /* -errno: it has no names, for want of the worker */
	unsigned int left_out_cnt; /* files that were not read, for want of time */
	unsigned int deleted_cnt;  /* snapshots that had to make room */
	__u32 target_pid;
};

/*
 * error: 0 or -errno, as to rsp_snapshot_done_fn (api.h); of a child that was killed -ETIMEDOUT if
 * it waited too long, -ENOMEM if by SIGKILL, else -EIO. Called once, unless it was cancelled.
 */
typedef void (*rsp_dump_fn)(int error, const struct rsp_dump_result *result, void *userdata);

/*
 * The memory of a memfd stays on our account for as long as a client keeps it. So whoever asks with
 * own_only gets a pipe, which the child writes: it has RSP_HANDOVER_S, and then the rest is gone.
 */
#define RSP_HANDOVER_S 30

/*
 * The request is needed during the call only; the window stays the caller's. ended: called when the
 * child holds no memory any more, which may be before done returns, or long after; also when it is
 * cancelled, but not on failure; dump is invalid from then on. NULL: nobody cares.
 */
int rsp_dump_start(sd_event *event, struct rsp_window *win, const struct rsp_binaries *binaries,
		   const struct rsp_dump_request *req, rsp_dump_fn done, void *userdata,
		   void (*ended)(void *userdata), void *ended_userdata, struct rsp_dump **ret);
void rsp_dump_cancel(struct rsp_dump *dump);

/* Why there is no snapshot, or no analysis of it. */
const char *rsp_dump_why(int error);

#endif
