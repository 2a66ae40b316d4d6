/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view of the present, as plain data without pointers: an unprivileged process writes the view
 * into shared memory, and another process shows the view. The last look is the previous call of
 * rsp_live_look().
 */
#ifndef RSP_LIB_LIVE_VIEW_H
#define RSP_LIB_LIVE_VIEW_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define RSP_LIVE_ROWS 200

enum rsp_live_category {
	RSP_LIVE_CPU,
	RSP_LIVE_QUEUE, /* waits for a CPU */
	RSP_LIVE_DISK,
	RSP_LIVE_LOCK, /* futex */
	RSP_LIVE_NET,  /* socket */
	RSP_LIVE_OTHER,
	RSP_LIVE_IDLE, /* waits for work (inferred), sleeps, or is in an unknown state */
	RSP_LIVE_CATEGORIES,
};

const char *rsp_live_category_name(enum rsp_live_category cat);

struct rsp_live_function {
	char name[160];
	char module[48];
	char comm[16];		  /* "": several processes, or unknown */
	__u32 tgid;		  /* 0: several processes, or unknown */
	__u64 now_cnt, total_cnt; /* samples since the last look, and since the start or reset */
};

struct rsp_live_waiter {
	__u32 tgid, tid;
	char comm[16];
	char call[32];	  /* like "futex" or "page fault"; "": unknown */
	char object[128]; /* file or peer */
	char place[96];	  /* function of the program */
	/*
	 * The thread that ends this wait, then the thread that ends the wait of that thread, and so
	 * on (inferred). Without a thread: "disk", the address of a peer, or "" if the wait is
	 * unexplained.
	 */
	char awaited[192];
	__u64 ns;
	__u8 category; /* enum rsp_live_category */
	bool is_idle;  /* waits for work (inferred) */
	/* the wait may be longer than ns, because records of its beginning may be missing */
	bool at_least;
};

/* The requests to one port or unix socket of one process. */
struct rsp_live_server {
	char comm[16];
	char where[64]; /* like ":80", or the path of a unix socket */
	__u32 tgid;	/* 0: unknown */
	__u64 in_flight_cnt, oldest_ns;
	/*
	 * number of answers since the last look; sum and maximum of their times to the first byte
	 */
	__u64 answered_cnt, sum_ns, max_ns;
};

struct rsp_live_process {
	char comm[16]; /* "": the row is a cgroup */
	__u32 tgid;    /* 0: the row is a cgroup */
	__u32 thread_cnt;
	__u64 cgroup_id;
	__u64 cat_ns[RSP_LIVE_CATEGORIES]; /* times since the last look */
};

struct rsp_live_view {
	__u64 now_ns;
	__u64 span_ns;		   /* time since the last look */
	__u64 seen_ns;		   /* the part of span_ns without pauses of the recorder */
	__u64 event_cnt, lost_cnt; /* since the last look */
	__u64 now_sample_cnt, total_sample_cnt;
	__u32 thread_cnt, process_cnt; /* number of threads and processes that are alive */
	__u32 waiter_cnt;	       /* number of waiters, with or without a row */
	__u32 in_flight_cnt;
	__u64 cat_ns[RSP_LIVE_CATEGORIES]; /* sums over all processes */
	__u32 function_rows, waiter_rows, server_rows, process_rows;
	struct rsp_live_function functions[RSP_LIVE_ROWS]; /* most now_cnt first */
	struct rsp_live_waiter waiters[RSP_LIVE_ROWS];	   /* longest first */
	struct rsp_live_server servers[RSP_LIVE_ROWS];	   /* most requests in flight first */
	struct rsp_live_process processes[RSP_LIVE_ROWS];  /* most CPU time first */
};

/*
 * An attacker may control the process that made the view. This function limits the numbers of rows,
 * and terminates and cleans strings (lib/base/text.h).
 */
void rsp_live_view_clean(struct rsp_live_view *view);

#endif
