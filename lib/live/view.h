/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One look at what happens now, as plain data without pointers: a process without rights makes it,
 * in memory that it shares with the process that shows it.
 */
#ifndef RSP_LIB_LIVE_VIEW_H
#define RSP_LIB_LIVE_VIEW_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define RSP_LIVE_ROWS 200

/* Where the time of threads goes. */
enum rsp_live_category {
	RSP_LIVE_CPU,
	RSP_LIVE_QUEUE, /* wants a CPU */
	RSP_LIVE_DISK,
	RSP_LIVE_LOCK, /* futex */
	RSP_LIVE_NET,  /* socket */
	RSP_LIVE_OTHER,
	RSP_LIVE_IDLE, /* waits for work, sleeps (inferred) */
	RSP_LIVE_CATEGORIES,
};

/* "cpu", "queue", … */
const char *rsp_live_category_name(enum rsp_live_category cat);

struct rsp_live_function {
	char name[160];
	char module[48];
	char comm[16];		  /* "": of all processes */
	__u32 tgid;		  /* 0: of all, or of several */
	__u64 now_cnt, total_cnt; /* samples: since the last look, since the start or reset */
};

struct rsp_live_waiter {
	__u32 tgid, tid;
	char comm[16];
	char call[32];	  /* "futex", "page fault"; "": unknown */
	char object[128]; /* file, peer */
	char place[96];	  /* user function */
	/*
	 * Whom it waits for, and whom that one waits for, …: "php-fpm [12] ← mysqld [7] (on CPU)".
	 * "" if unknown. Inferred from whoever ended such waits before.
	 */
	char whom[192];
	__u64 ns;
	__u8 category; /* enum rsp_live_category */
	bool is_idle;  /* waits for work (inferred) */
	bool at_least; /* since before the records began, or across a time without records */
};

/* The requests to one port of one process. */
struct rsp_live_server {
	char comm[16];
	char where[64]; /* ":80", path of a unix socket */
	__u32 tgid;	/* 0: unknown */
	__u64 in_flight_cnt, oldest_ns;
	__u64 answered_cnt, sum_ns, max_ns; /* since the last look: time to the first byte */
};

struct rsp_live_process {
	char comm[16]; /* "": by cgroup */
	__u32 tgid;
	__u32 thread_cnt;
	__u64 cgroup_id;
	__u64 cat_ns[RSP_LIVE_CATEGORIES]; /* since the last look */
};

struct rsp_live_view {
	__u64 now_ns;
	__u64 span_ns;		   /* since the last look */
	__u64 seen_ns;		   /* of it, with records */
	__u64 event_cnt, lost_cnt; /* since the last look */
	__u64 now_sample_cnt, total_sample_cnt;
	__u32 thread_cnt, process_cnt; /* alive */
	__u32 waiter_cnt;	       /* including those without a row */
	__u32 in_flight_cnt;
	__u64 cat_ns[RSP_LIVE_CATEGORIES]; /* of all */
	__u32 function_rows, waiter_rows, server_rows, process_rows;
	struct rsp_live_function functions[RSP_LIVE_ROWS]; /* most samples now first */
	struct rsp_live_waiter waiters[RSP_LIVE_ROWS];	   /* longest first */
	struct rsp_live_server servers[RSP_LIVE_ROWS];	   /* most in flight first */
	struct rsp_live_process processes[RSP_LIVE_ROWS];  /* most CPU time first */
};

/*
 * Makes a view fit to be shown, although a process made it that may have been taken over: counts
 * are within bounds, strings end and are clean (lib/base/text.h).
 */
void rsp_live_view_clean(struct rsp_live_view *view);

#endif
