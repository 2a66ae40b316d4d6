/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a model into the explanation of one process: where its time went (categories that add up),
 * which threads it waited for (chains), which threads took part (processes). Findings and reports
 * are made from this alone.
 */
#ifndef RSP_LIB_EXPLAIN_H
#define RSP_LIB_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/model/clock.h"
#include "lib/model/survey.h"
#include "lib/trace/trace.h"

struct rsp_model;

/* The categories of time, in the order of reports. rsp_category_key() returns their keys. */
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
	RSP_HOP_LEAF,	 /* the last hop; its category is the thread's activity */
};

enum rsp_hop_flags {
	/*
	 * The stack is not from that time: it is the stack of the switch that ended the run or,
	 * with ESTIMATED, that of a sample of another run.
	 */
	RSP_HOP_INFERRED = 1 << 0,
	RSP_HOP_AT_LEAST = 1 << 1, /* an edge of the window cuts it */
	RSP_HOP_KTHREAD = 1 << 2,
	/* too many chains: the hops before it and its stack are left out */
	RSP_HOP_SHORTENED = 1 << 3,
	/* RUNQUEUE: its cgroup's CPU quota was used up; object: cgroup. DISK_QUEUED without why: a
	 * cgroup's I/O limit held its request back; behind: cgroup. Else see why. */
	RSP_HOP_THROTTLED = 1 << 4,
	RSP_HOP_ESTIMATED = 1 << 5, /* from samples of other runs of the thread or process */
	/* BLOCKED: it waited for the next hop in a loop of timeouts; inferred */
	RSP_HOP_POLLS = 1 << 6,
};

/* The reason for a delay in the kernel itself, or for an inference. See rsp_why_key(),
 * rsp_why_text(). */
enum rsp_why {
	RSP_WHY_NONE,
	/*
	 * NETWORK: a sender on this host kept the data back until the peer acknowledged earlier
	 * data (Nagle's algorithm), and peers delay acknowledgements
	 */
	RSP_WHY_NAGLE,
	RSP_WHY_RETRANSMIT, /* NETWORK: nothing acknowledged a segment, so TCP sent it again */
	/* NETWORK: nothing answered a SYN; behind: the program that owns the port */
	RSP_WHY_CONNECT,
	RSP_WHY_UNANSWERED, /* TIMEOUT: the peer had not answered by then */
	RSP_WHY_WINDOW,	    /* BLOCKED: it writes, and the next hop does not read */
	/*
	 * Any: the thread frees memory in order to allocate some; behind: the cgroup at its limit,
	 * if any.
	 */
	RSP_WHY_RECLAIM,
	/* DISK_QUEUED, THROTTLED: too many pages are dirty, that is, not on the disk yet */
	RSP_WHY_DIRTY_PAGES,
	RSP_WHY_IO_SHARE,    /* DISK_QUEUED, THROTTLED: its cgroup used up its share of the disk */
	RSP_WHY_MEMORY_HIGH, /* KERNEL, THROTTLED: its cgroup uses more than memory.high */
	RSP_WHY_SWAP,	     /* DISK_ACTIVE, DISK_QUEUED: a page is read from swap */
	RSP_WHY_FROZEN,	     /* STOPPED: its cgroup is frozen, or the whole machine goes to sleep */
	RSP_WHY_UNSEEN,	     /* TIMEOUT, inferred: its end was not recorded (unseen.h) */
	RSP_WHY_RESTS,	     /* IDLE, inferred: its process did almost nothing (idle.h) */
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
	/* its container, as rsp_container_print() writes it; "": none is known */
	const char *container;
	/* the thing it blocks on, file, host:port, handler, program on the CPU; or "" */
	const char *object;
	/* See enum rsp_why. DISK_QUEUED: the program whose request was ahead in the queue, or the
	 * cgroup. TIMEOUT, SLEEP: the program that the thread polled for and that had already
	 * finished (inferred). "" otherwise, and if unknown. */
	const char *behind;
	const char *syscall;	  /* "read", "page fault", "" */
	struct rsp_frame *frames; /* leaf first */
	size_t frame_cnt;
};

/* Whether samples determined the function: those of the run, or those of other runs. */
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
		__u32 tid; /* the thread of the process of interest that waited for it */
	} longest;	   /* the longest occurrence */
	/* of computing: the numbers of the samples it is attributed to, in order */
	const __u32 *samples;
	size_t sample_cnt;
};

/*
 * A thread polled for a worker that had already finished: this is the time from then until the
 * timeout. It is inferred: the thread had started or woken the worker, the worker finished, and
 * after the timeout the thread went on. Late polls at one place (program, call, object, stack) are
 * merged; worker is that of the longest one.
 */
struct rsp_late_poll {
	struct rsp_hop hop; /* the poller and its call; not a hop of any chain */
	const char *worker;
	__u32 worker_tid;
	__u64 cnt, ns;
	/* the longest one: its length, its beginning and its end */
	__u64 longest_ns, ready_ns, noticed_ns;
};

/*
 * A control path: one logical thread of work, made of the runs of a thread and of the threads that
 * worked for it while it waited. See docs/model.md.
 */
struct rsp_control_path {
	__u32 thread; /* index in the model */
	__u32 tgid, tid;
	const char *comm;
	bool is_root; /* the path of a thread of the process of interest */
	__u64 ns, cat_ns[RSP_CAT_MAX];
	__u64 from_ns, to_ns; /* its beginning and end; there may be gaps between */
	__u64 stretch_cnt;    /* number of times it was started */
	__u64 awaited_ns;     /* time that other paths waited for it */
};

/* A time on a path: the thread that ran (or was waited for), and the hops above it. */
struct rsp_pseudo_stack {
	__u64 from_ns, to_ns;
	__u32 path, chain; /* indices */
};

/* Work that the process started and did not wait for. */
struct rsp_handoff {
	__u32 tgid, tid; /* of the heaviest thread of that name */
	const char *comm;
	bool is_kthread;
	__u64 count, ns; /* number of times; time of this work that is on no path */
};

/*
 * Each list is sorted heaviest first, except that the path of the process's main thread comes
 * first.
 */
struct rsp_path_profile {
	__u64 total_ns, cat_ns[RSP_CAT_MAX]; /* sums over all paths; parallel ones add up */
	__u32 thread_cnt;		     /* number of threads that took part */
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
	char comm[RSP_COMM_MAX]; /* the last one in the window */
	const char *container;	 /* as in struct rsp_hop */
	bool is_root;		 /* a thread of the process of interest */
	__u64 ns;		 /* leaf time this thread accounts for, in all chains */
	__u64 cat_ns[RSP_CAT_MAX];
};

/* The requests that the process served within the span. */
struct rsp_requests_sum {
	__u64 cnt; /* received and answered; the times are until the first byte of the answer */
	__u64 p50_ns, p99_ns, max_ns;
	/*
	 * Number of requests without an answer at the end, and the age of the oldest one. A request
	 * that more data followed does not count, because it may need no answer.
	 */
	__u64 pending_cnt, pending_ns;
	__u64 busy_ns; /* time in which at least one request or call was pending */
};

struct rsp_explanation {
	const struct rsp_meta *meta; /* of the snapshot, borrowed */
	char comm[RSP_COMM_MAX];
	const char *container; /* as in struct rsp_hop */
	__u32 main_thread;     /* index of the process's main thread in the model */
	__u32 root_cnt; /* threads of the process of interest that ran (or its main thread) */
	/* threads of the process that slept all the time; not part of the totals */
	__u32 idle_root_cnt;
	__u64 wall_ns;
	__u64 total_ns; /* sum over roots; == sum of cat_ns */
	/* The time that percentages in sentences refer to. For a command that rspctl ran, it is the
	 * life of its main thread, because the command took that long (by_main). Else it is the
	 * time in which any of the roots was alive. */
	__u64 clock_ns;
	bool by_main;
	struct rsp_clock clock; /* of chains; empty if there is one root */
	__u64 cat_ns[RSP_CAT_MAX];
	/* The part of clock_ns in which all threads of the process were idle, and neither a request
	 * nor a call of the process was pending. */
	__u64 idle_ns;
	bool idle_is_inferred;
	/* with idle_is_inferred: it has slept since before the recording (idle.h) */
	bool is_asleep;
	bool serves; /* it answered requests, or waited for requests */
	struct rsp_requests_sum requests;
	const struct rsp_trace *trace; /* borrowed; NULL: only parts were explained */
	__u64 event_cnt, lost_cnt;
	/*
	 * Number of records that were left out to bound memory, and how much later the span begins
	 * because of that.
	 */
	__u64 left_out_cnt, left_out_ns;
	__u64 window_ns; /* part of the requested span that the recorded window covers */
	/* Part of window_ns in which the recorder left out each item of enum rsp_shed; for SLICES,
	 * the length of its pauses, without those that a user requested. */
	__u64 shed_ns[RSP_SHED_CNT];
	__u64 requested_ns; /* length of the pauses that a user requested */
	__u32 budget_ppm;   /* budget for which the recorder left them out */
	/*
	 * Execs and forks within the span by the process and its descendants, as far as they are in
	 * processes[].
	 */
	__u32 exec_cnt, fork_cnt;
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
 * The same, with only the given details. Few reports show the details, and they take as long to
 * compute as all the rest.
 */
enum rsp_explain_details {
	RSP_EXPLAIN_PATHS = 1 << 0,   /* paths, which need a second attribution */
	RSP_EXPLAIN_MACHINE = 1 << 1, /* the parts of the survey that no finding uses */
};
int rsp_explain_details(const struct rsp_trace *trace, unsigned int details,
			struct rsp_explanation **ret);
/* The same for an existing model. META at the time of the call selects the process, so one model
 * serves for several processes. An explanation does not point into the model. */
int rsp_explain_model(const struct rsp_model *m, struct rsp_explanation **ret);
/* The same, without paths and survey, which take as long as all the rest. */
int rsp_explain_model_chains(const struct rsp_model *m, struct rsp_explanation **ret);
/*
 * Explains many processes of a model: makes what their explanations share only once. Call
 * rsp_model_keep_requests() before.
 */
struct rsp_explainer;
int rsp_explainer_new(const struct rsp_model *m, struct rsp_explainer **ret); /* -ENOMEM */
/* Free its explanations before. */
struct rsp_explainer *rsp_explainer_free(struct rsp_explainer *x);
/* The same as rsp_explain_model_chains(). */
int rsp_explainer_chains(struct rsp_explainer *x, struct rsp_explanation **ret);
/* The same as rsp_explain_model(), and marks the parts of the model that it uses (used.h). */
struct rsp_used;
int rsp_explain_model_used(const struct rsp_model *m, struct rsp_used *used,
			   struct rsp_explanation **ret);
/*
 * For a redacted snapshot: marks the parts of the model that the chains of all of the user's
 * processes use. Takes about as long as the chains of one process. Returns 0 or -ENOMEM.
 */
int rsp_explain_own_used(const struct rsp_model *m, struct rsp_used *used);
/*
 * Explains the time of several parts of threads' lives, as sums by category and by chain. For a
 * single part, the result also contains the data for findings. s (served.h) must outlive the
 * explanation. Returns 0 or -ENOMEM.
 */
struct rsp_served_parts;
int rsp_explain_parts(struct rsp_served_parts *s, struct rsp_explanation **ret);
/*
 * Finds only the identity of the process and its control paths, which costs less; the rest is zero.
 */
int rsp_explain_model_paths(const struct rsp_model *m, struct rsp_explanation **ret);
struct rsp_explanation *rsp_explanation_free(struct rsp_explanation *e);

/* Returns the percentage of total_ns that is neither lost, edge nor unaccounted; 100 if total_ns is
 * 0. */
double rsp_accounted_pct(const __u64 cat_ns[static RSP_CAT_MAX], __u64 total_ns);
double rsp_explanation_accounted_pct(const struct rsp_explanation *e);

#endif
