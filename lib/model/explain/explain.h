/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a model into the explanation of one process: its time by category, the threads that it
 * waited for (chains), and the threads that took part (processes).
 */
#ifndef RSP_LIB_EXPLAIN_H
#define RSP_LIB_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/model/attribute/chain.h"
#include "lib/model/attribute/clock.h"
#include "lib/model/requests/requests.h"
#include "lib/model/survey/survey.h"
#include "lib/trace/trace.h"

struct rsp_model;

/*
 * The time from the end of a worker's work until the timeout of a thread that still polled for this
 * worker. Late polls at one place (program, call, object, stack) are merged; worker is the worker
 * of the longest late poll.
 */
struct rsp_late_poll {
	struct rsp_hop hop; /* the polling thread and its system call; not part of a chain */
	const char *worker;
	__u32 worker_tid;
	__u64 cnt, ns;
	/* the longest late poll: length, beginning, end */
	__u64 longest_ns, ready_ns, noticed_ns;
};

/*
 * A control path: the runs of a thread, and of the threads that worked for this thread while it
 * waited. See docs/model.md.
 */
struct rsp_control_path {
	__u32 thread; /* index in the model */
	__u32 tgid, tid;
	const char *comm;
	bool is_root;
	__u64 ns, cat_ns[RSP_CAT_MAX];
	__u64 from_ns, to_ns; /* beginning and end of the path, which may have gaps */
	__u64 stretch_cnt;
	__u64 awaited_ns; /* time for which other paths waited for this path */
};

/* The last hop of the chain ran or blocked the path; each hop before it waited for the next hop. */
struct rsp_pseudo_stack {
	__u64 from_ns, to_ns;
	__u32 path, chain; /* indices */
};

/* Work that the process started and did not wait for. */
struct rsp_handoff {
	__u32 tgid, tid; /* the thread with the most time among the threads with this name */
	const char *comm;
	bool is_kthread;
	/* count: how often the process started such work; ns: its time, which is on no path */
	__u64 count, ns;
};

/* The lists are sorted heaviest first, but v begins with the path of the first root. */
struct rsp_path_profile {
	/* sums over all paths; the times of parallel paths add up */
	__u64 total_ns, cat_ns[RSP_CAT_MAX];
	__u32 thread_cnt;
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
	char comm[RSP_COMM_MAX]; /* the thread's last name before the end of the span */
	const char *container;	 /* as in struct rsp_hop */
	bool is_root;
	__u64 ns; /* time of this thread's leaves, in all chains */
	__u64 cat_ns[RSP_CAT_MAX];
};

struct rsp_explanation {
	const struct rsp_meta *meta; /* of the snapshot, borrowed */
	char comm[RSP_COMM_MAX];
	const char *container; /* as in struct rsp_hop */
	__u32 main_thread;     /* index in the model */
	/* number of explained threads of the process of interest */
	__u32 root_cnt;
	/* threads of the process that slept all the time; not part of the totals */
	__u32 idle_root_cnt;
	__u64 wall_ns;
	__u64 total_ns; /* sum over the explained threads; equals the sum of cat_ns */
	/*
	 * The time that percentages in sentences refer to: for a command that rspctl ran, the life
	 * of the main thread (by_main); otherwise the time in which any of the roots was alive.
	 */
	__u64 clock_ns;
	bool by_main;
	/* pieces of time of the chains; empty for a single root, and for rsp_explain_parts() */
	struct rsp_clock clock;
	__u64 cat_ns[RSP_CAT_MAX];
	/*
	 * the part of clock_ns in which all threads of the process (by_main: the main thread) were
	 * idle, and neither a request nor a call of the process was pending
	 */
	__u64 idle_ns;
	bool idle_is_inferred;
	/* valid if idle_is_inferred: the process has slept since before the recording (idle.h) */
	bool is_asleep;
	bool serves; /* the process got requests, or waited for requests */
	struct rsp_requests_sum requests;
	/* borrowed; NULL: only parts of threads' lives were explained */
	const struct rsp_trace *trace;
	__u64 event_cnt, lost_cnt;
	/*
	 * The number of records that were left out to limit memory, and the time by which the span
	 * begins later for this reason.
	 */
	__u64 left_out_cnt, left_out_ns;
	__u64 window_ns; /* the part of the requested span that is in the window */
	/*
	 * Part of wall_ns in which the recorder left out each item of enum rsp_shed. For SLICES,
	 * this is the length of the recorder's pauses, except pauses that a user requested.
	 */
	__u64 shed_ns[RSP_SHED_CNT];
	__u64 requested_ns; /* length of the pauses that a user requested */
	/* the CPU budget that the recorder kept by leaving out the items in shed_ns */
	__u32 budget_ppm;
	/*
	 * execs and forks within the span by the threads in processes[] that belong to the process
	 * or its descendants
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
	void *arena;		  /* private: the owner of the strings and frames */
};

/* Returns 0, -ENOMEM, or -ESRCH if the target does not occur in the span. */
int rsp_explain(const struct rsp_trace *trace, struct rsp_explanation **ret);
/*
 * Details that few reports show, and whose computation takes as long as the rest of the
 * explanation.
 */
enum rsp_explain_details {
	RSP_EXPLAIN_PATHS = 1 << 0,   /* paths, which need a second attribution */
	RSP_EXPLAIN_MACHINE = 1 << 1, /* the parts of the survey that no finding uses */
};
int rsp_explain_details(const struct rsp_trace *trace, unsigned int details,
			struct rsp_explanation **ret);
/*
 * Like rsp_explain(), but for an existing model. META at the time of the call selects the process,
 * so one model serves for several processes. The explanation does not point into the model.
 */
int rsp_explain_model(const struct rsp_model *m, struct rsp_explanation **ret);
/* Like rsp_explain_model(), but without paths and survey. */
int rsp_explain_model_chains(const struct rsp_model *m, struct rsp_explanation **ret);
/*
 * Explains many processes of a model, and makes their common data only once. The model must keep
 * its requests (rsp_model_keep_requests()).
 */
struct rsp_explainer;
/* Returns 0 or -ENOMEM. */
int rsp_explainer_new(const struct rsp_model *m, struct rsp_explainer **ret);
/* Free the explanations first. */
struct rsp_explainer *rsp_explainer_free(struct rsp_explainer *x);
/* Like rsp_explain_model_chains(). */
int rsp_explainer_chains(struct rsp_explainer *x, struct rsp_explanation **ret);
/*
 * Like rsp_explain_model(); also marks the parts of the model that the explanation uses (used.h).
 */
struct rsp_used;
int rsp_explain_model_used(const struct rsp_model *m, struct rsp_used *used,
			   struct rsp_explanation **ret);
/*
 * For a redacted snapshot: marks the parts of the model that the chains of the user's processes
 * use. Returns 0 or -ENOMEM.
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
 * Finds only the identity of the process and its control paths, which costs less. The fields for
 * times, chains, threads, late polls and the survey are zero.
 */
int rsp_explain_model_paths(const struct rsp_model *m, struct rsp_explanation **ret);
struct rsp_explanation *rsp_explanation_free(struct rsp_explanation *e);

/*
 * Returns the percentage of total_ns outside the categories lost, unrecorded, edge and unaccounted;
 * 100 if total_ns is 0.
 */
double rsp_accounted_pct(const __u64 cat_ns[static RSP_CAT_MAX], __u64 total_ns);
double rsp_explanation_accounted_pct(const struct rsp_explanation *e);

#endif
