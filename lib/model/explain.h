/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model -> the explanation of one process: where its time went (categories that add up), whom it
 * waited for (chains), who took part (processes). Findings and reports are made of this alone.
 */
#ifndef RSP_LIB_EXPLAIN_H
#define RSP_LIB_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "clock.h"
#include "survey.h"
#include "lib/trace/trace.h"

struct rsp_model;

/* Where a nanosecond went. Order is the order of reports; keys in rsp_category_key(). */
enum rsp_category {
	RSP_CAT_RUNNING_SAMPLED,
	RSP_CAT_RUNNING_UNSAMPLED,
	RSP_CAT_DISK_ACTIVE,
	RSP_CAT_DISK_QUEUED,
	RSP_CAT_NETWORK,
	RSP_CAT_RUNQUEUE,
	RSP_CAT_HARDWARE,
	RSP_CAT_PREEMPTED,
	RSP_CAT_KERNEL,
	RSP_CAT_SLEEP,
	RSP_CAT_TIMEOUT,
	RSP_CAT_STOPPED,
	RSP_CAT_IDLE,
	RSP_CAT_OTHER_PATH,
	RSP_CAT_LOST,
	RSP_CAT_UNRECORDED,
	RSP_CAT_EDGE,
	RSP_CAT_UNACCOUNTED,
	RSP_CAT_MAX,
};

const char *rsp_category_key(enum rsp_category cat);  /* "disk_active" */
const char *rsp_category_text(enum rsp_category cat); /* "waiting for the disk to answer" */

enum rsp_hop_kind {
	RSP_HOP_BLOCKED, /* waits for the next hop */
	RSP_HOP_LEAF,	 /* the last: its category says what it did */
};

enum rsp_hop_flags {
	RSP_HOP_INFERRED = 1 << 0, /* the stack was not taken then: that of the switch that ended
				      the run or, if ESTIMATED, a sample's of another run */
	RSP_HOP_AT_LEAST = 1 << 1, /* cut by an edge of the window */
	RSP_HOP_KTHREAD = 1 << 2,
	RSP_HOP_SHORTENED = 1 << 3, /* too many chains: hops before it and its stack are left out */
	/* RUNQUEUE: its cgroup's CPU quota was used up; object: cgroup. DISK_QUEUED without why: a
	 * cgroup's I/O limit held its request back; behind: cgroup. Else why tells */
	RSP_HOP_THROTTLED = 1 << 4,
	RSP_HOP_ESTIMATED = 1 << 5, /* samples of other runs of the thread or process tell */
	RSP_HOP_POLLS = 1 << 6,	    /* BLOCKED: in a loop of timeouts, for the next hop: inferred */
};

/* The reason for a delay in the kernel itself, or for an inference. See rsp_why_key(),
 * rsp_why_text(). */
enum rsp_why {
	RSP_WHY_NONE,
	/* NETWORK: a sender on this host kept the data back until the peer acknowledged what it
	 * had sent before (Nagle's algorithm), and peers delay acknowledgements */
	RSP_WHY_NAGLE,
	RSP_WHY_RETRANSMIT, /* NETWORK: nothing acknowledged a segment, so TCP sent it again */
	RSP_WHY_CONNECT,    /* NETWORK: nothing answered a SYN; behind: whose port it is */
	RSP_WHY_UNANSWERED, /* TIMEOUT: the peer had not answered by then */
	RSP_WHY_WINDOW,	    /* BLOCKED: it writes, and the next hop does not read */
	RSP_WHY_RECLAIM,    /* any: it frees memory to get some; behind: the cgroup at its limit, if
			       one */
	/* DISK_QUEUED, THROTTLED: too many pages are written and not on the disk yet */
	RSP_WHY_DIRTY_PAGES,
	RSP_WHY_IO_SHARE,    /* DISK_QUEUED, THROTTLED: its cgroup used up its share of the disk */
	RSP_WHY_MEMORY_HIGH, /* KERNEL, THROTTLED: its cgroup uses more than memory.high */
	RSP_WHY_SWAP,	     /* DISK_ACTIVE, DISK_QUEUED: a page comes back from swap */
	RSP_WHY_FROZEN,	     /* STOPPED: its cgroup is frozen, or the whole machine goes to sleep */
	RSP_WHY_UNSEEN,	     /* TIMEOUT, inferred: its end was not recorded (unseen.h) */
	RSP_WHY_RESTS,	     /* IDLE, inferred: its process did next to nothing (idle.h) */
	RSP_WHY_MAX,
};

const char *rsp_why_key(enum rsp_why why);  /* "nagle"; "" of NONE */
const char *rsp_why_text(enum rsp_why why); /* "held back by TCP (Nagle, delayed ACK)"; "" */

struct rsp_hop {
	enum rsp_hop_kind kind;
	enum rsp_category category; /* of a LEAF */
	enum rsp_why why;
	unsigned int flags; /* enum rsp_hop_flags */
	__u32 tgid, tid;    /* of the heaviest instance */
	__u32 task_cnt;	    /* distinct threads merged into this hop */
	const char *comm;   /* all strings: owned by the explanation */
	const char *object; /* what it blocks on, file, host:port, handler, who had the CPU; "" */
	/* See enum rsp_why. DISK_QUEUED: whose request was ahead in the queue, or the cgroup.
	 * TIMEOUT, SLEEP: who was done already, whom the thread polled for (inferred). Else, and if
	 * unknown, "". */
	const char *behind;
	const char *syscall;	  /* "read", "page fault", "" */
	struct rsp_frame *frames; /* leaf first */
	size_t frame_cnt;
};

/* Whether samples name the function: its own, or those of other runs. */
static inline bool rsp_hop_is_sampled(const struct rsp_hop *hop)
{
	return hop->category == RSP_CAT_RUNNING_SAMPLED ||
	       (hop->category == RSP_CAT_RUNNING_UNSAMPLED && hop->flags & RSP_HOP_ESTIMATED);
}

struct rsp_chain {
	__u64 ns;
	__u64 count; /* how often it happened */
	struct rsp_hop *hops;
	size_t hop_cnt; /* at least 1 */
	struct {
		__u64 from_ns, ns;
		__u32 tid;    /* of the process of interest, that it made wait */
	} longest;	      /* one time that it happened */
	const __u32 *samples; /* of computing: those that tell of it, by number; in order */
	size_t sample_cnt;
};

/*
 * A thread polled until a timeout for what another had done already: the time from that until the
 * timeout. Inferred: the worker had been started or woken by the thread, and was done; the thread
 * then went on. Those of one place (program, call, object, stack) are merged; the worker is that of
 * the longest.
 */
struct rsp_late_poll {
	struct rsp_hop hop; /* who polled, in which call; not a hop of any chain */
	const char *worker;
	__u32 worker_tid;
	__u64 cnt, ns;
	__u64 longest_ns, ready_ns, noticed_ns; /* the one that took longest: from, to */
};

/*
 * A control path (the paper): one logical thread of work, the runs of a thread and of whoever
 * worked for it while it waited. docs/model.md.
 */
struct rsp_control_path {
	__u32 thread; /* index in the model */
	__u32 tgid, tid;
	const char *comm;
	bool is_root; /* of a thread of the process of interest */
	__u64 ns, cat_ns[RSP_CAT_MAX];
	__u64 from_ns, to_ns; /* its beginning and end; it need not exist all the time between */
	__u64 stretch_cnt;    /* how often it was set going */
	__u64 awaited_ns;     /* that other paths waited on it */
};

/* At a time, on a path: who ran (or what was waited for), under whom. */
struct rsp_pseudo_stack {
	__u64 from_ns, to_ns;
	__u32 path, chain; /* indices */
};

/* Work that the process set going and did not wait for. */
struct rsp_handoff {
	__u32 tgid, tid; /* of the heaviest thread of that name */
	const char *comm;
	bool is_kthread;
	__u64 count, ns; /* how often; what was done then that is on no path */
};

/* Heaviest first, each of the lists; the paths of the process's main thread stands first of all. */
struct rsp_path_profile {
	__u64 total_ns, cat_ns[RSP_CAT_MAX]; /* of all paths, parallel ones added up */
	__u32 thread_cnt;		     /* that took part */
	struct rsp_control_path *v;
	size_t cnt;
	struct rsp_chain *chains;
	size_t chain_cnt;
	struct rsp_pseudo_stack *stacks; /* by path, then by time */
	size_t stack_cnt;
	struct rsp_handoff *handoffs;
	size_t handoff_cnt;
};

struct rsp_process {
	__u32 tgid, tid;
	char comm[RSP_TASK_COMM_LEN]; /* the last one in the window */
	bool is_root;		      /* a thread of the process of interest */
	__u64 ns;		      /* leaf time this thread accounts for, in all chains */
	__u64 cat_ns[RSP_CAT_MAX];
};

/* The requests that the process served within the span. */
struct rsp_requests_sum {
	__u64 cnt; /* that came and were answered; the times are until the first byte of that */
	__u64 p50_ns, p99_ns, max_ns;
	/*
	 * Number of requests without an answer at the end, and the age of the oldest one. A request
	 * that more data followed does not count, because it may need no answer.
	 */
	__u64 pending_cnt, pending_ns;
	__u64 busy_ns; /* at least one request or call was pending */
};

struct rsp_explanation {
	const struct rsp_meta *meta; /* of the snapshot, borrowed */
	char comm[RSP_TASK_COMM_LEN];
	__u32 main_thread;   /* index in the model */
	__u32 root_cnt;	     /* threads of the process of interest that ran (or its main thread) */
	__u32 idle_root_cnt; /* its threads that slept all the time; not part of the totals */
	__u64 wall_ns;
	__u64 total_ns; /* sum over roots; == sum of cat_ns */
	/* What sentences tell shares of: of a command that was run the life of its main thread, for
	 * that is how long it took (by_main); else the times at which any of the roots lived. */
	__u64 clock_ns;
	bool by_main;
	struct rsp_clock clock; /* of chains; empty: there is one root */
	__u64 cat_ns[RSP_CAT_MAX];
	/* The part of clock_ns in which all threads of the process were idle, and neither a request
	 * nor a call of the process was pending. */
	__u64 idle_ns;
	bool idle_is_inferred;
	bool is_asleep; /* with idle_is_inferred: since before the recording (idle.h) */
	bool serves;	/* it answered requests, or waited for some */
	struct rsp_requests_sum requests;
	const struct rsp_trace *trace; /* borrowed; NULL: the explanation is about parts */
	__u64 event_cnt, lost_cnt;
	/*
	 * Number of records that were left out to bound memory, and how much later the span begins
	 * because of that.
	 */
	__u64 left_out_cnt, left_out_ns;
	__u64 window_ns; /* part of the requested span that the recorded window covers */
	/* Part of window_ns in which the recorder left out each item of enum rsp_shed; for SLICES,
	 * the length of its pauses. */
	__u64 shed_ns[RSP_SHED_CNT];
	__u32 budget_ppm;	       /* budget for which the recorder left them out */
	__u32 exec_cnt, fork_cnt;      /* by the process and those it started, as far as they
					* are in processes[]; within the span */
	struct rsp_process *processes; /* threads, heaviest first */
	size_t process_cnt;
	struct rsp_chain *chains; /* heaviest first */
	size_t chain_cnt;
	struct rsp_late_poll *late_polls; /* most time first */
	size_t late_poll_cnt;
	struct rsp_path_profile paths;
	struct rsp_survey survey; /* survey.h */
	void *arena;		  /* private: owns the strings and frames */
};

/* 0; -ESRCH: the target does not occur in the span; -ENOMEM. */
int rsp_explain(const struct rsp_trace *trace, struct rsp_explanation **ret);
/*
 * The same, with only the given details. Few reports show them, and computing them takes as long as
 * all the rest.
 */
enum rsp_explain_details {
	RSP_EXPLAIN_PATHS = 1 << 0,   /* paths, which need a second attribution */
	RSP_EXPLAIN_MACHINE = 1 << 1, /* the parts of the survey that no finding uses */
};
int rsp_explain_details(const struct rsp_trace *trace, unsigned int details,
			struct rsp_explanation **ret);
/* The same of a model that is there already. Whom it is about is in META at the time of the call:
 * one model serves for several processes. Nothing in an explanation points into the model. */
int rsp_explain_model(const struct rsp_model *m, struct rsp_explanation **ret);
/* The same, and marks what of the model it is made of (used.h). */
struct rsp_used;
int rsp_explain_model_used(const struct rsp_model *m, struct rsp_used *used,
			   struct rsp_explanation **ret);
/*
 * Explains where the time of several parts of threads' lives went, as sums by category and by
 * chain. For a single part, the result also contains what findings need. s (served.h) must outlive
 * the explanation. Returns 0 or -ENOMEM.
 */
struct rsp_served_parts;
int rsp_explain_parts(struct rsp_served_parts *s, struct rsp_explanation **ret);
/* Only who it is and its control paths, which cost less than all; the rest is zero. */
int rsp_explain_model_paths(const struct rsp_model *m, struct rsp_explanation **ret);
struct rsp_explanation *rsp_explanation_free(struct rsp_explanation *e);

/* Share of total_ns that is neither lost, edge nor unaccounted, in percent; 100 for a total of 0.
 */
double rsp_accounted_pct(const __u64 cat_ns[static RSP_CAT_MAX], __u64 total_ns);
double rsp_explanation_accounted_pct(const struct rsp_explanation *e);

#endif
