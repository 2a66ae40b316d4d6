/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations that the parts of the writer share. The columns of numbered objects (strings,
 * stacks, waits, hops) are filled last, because the other parts assign the numbers.
 */
#ifndef RSP_LIB_VIEWER_PARTS_H
#define RSP_LIB_VIEWER_PARTS_H

#include "lib/base/arena.h"
#include "lib/model/attribute/estimate.h"
#include "lib/model/explain/explain.h"
#include "lib/model/model.h"
#include "lib/model/names.h"
#include "lib/report/requests-beside.h"
#include "lib/viewer/columns.h"
#include "lib/viewer/viewer.h"

struct json_object;

/*
 * The requests of the whole window if an SLO triggered the snapshot, or else of the requested span.
 * The struct contains pointers to itself, so it must not move in memory.
 */
struct rsp_viewer_requests {
	struct rsp_snapshot snap; /* a copy of the snapshot; META may contain another span */
	struct rsp_trace trace;
	struct rsp_requests_options opt;
	struct rsp_requests_view view;
	struct rsp_beside beside;
	bool is_there; /* the recording contains network records */
};

struct rsp_viewer {
	const struct rsp_model *model;
	const struct rsp_viewer_requests *requests;
	struct rsp_names *names; /* names that are not in an explanation */
	struct rsp_estimate *estimate;
	__u64 *stands; /* see rsp_estimate_sample_ns() */
	struct rsp_columns columns;
	int error;	       /* -ENOMEM after the first failure */
	__u64 base_ns, end_ns; /* the shown span */
	size_t cpu_cnt;	       /* number of CPUs in META or, if higher, in records */
	size_t run_cnt;
	size_t piece_cnt;

	struct rsp_intern strings, frames, stacks, waits, hops;
	struct rsp_idmap node_of; /* from a list of frames in names to a node of stacks */

	/* Numbers of threads and processes. */
	__u32 *thread_of;  /* from the model's index of a thread to its number */
	__u32 *process_of; /* from the model's index of a thread to the number of its process */
	struct rsp_viewer_process {
		__u32 pid;
		__u64 run_ns; /* CPU time of its threads within the requested span */
		bool is_kthread;
		/*
		 * 2: the process answered requests to the server that the page compares; 1: it
		 * answered other requests; 0: none. Servers come first, because the points of their
		 * requests link to control paths.
		 */
		unsigned int server_rank;
	} * processes;
	size_t process_cnt;
	/* main thread of the process of interest; RSP_NO_THREAD: there is none */
	__u32 target_thread;
};

/* --- viewer-names.c --------------------------------------------------------------------------- */

int rsp_viewer_names_init(struct rsp_viewer *v);
void rsp_viewer_names_done(struct rsp_viewer *v);
void rsp_viewer_put_names(struct rsp_viewer *v);

/* The functions below return the number of the text, stack, wait or hop; 0: none or unknown. */
__u32 rsp_viewer_string(struct rsp_viewer *v, const char *text);
__u32 rsp_viewer_name(struct rsp_viewer *v, __u32 name); /* name: index in v->names */
__u32 rsp_viewer_frames(struct rsp_viewer *v, const struct rsp_frame *frames, size_t cnt);
__u32 rsp_viewer_stack(struct rsp_viewer *v, __u64 kstack, __u64 ustack);
__u32 rsp_viewer_wait(struct rsp_viewer *v, const struct rsp_ev_switch *out);

/* A hop as a key. Keys are compared byte by byte, so they must not contain padding. */
struct rsp_viewer_hop {
	__u32 parent, name, stack, what, syscall, object, behind, flags;
};
__u32 rsp_viewer_hop(struct rsp_viewer *v, const struct rsp_viewer_hop *hop);

/* --- viewer-threads.c ------------------------------------------------------------------------- */

void rsp_viewer_put_threads(struct rsp_viewer *v);
/* Returns the number of the thread that had the tid at ts_ns, or UINT32_MAX if there is none. */
__u32 rsp_viewer_thread_at(const struct rsp_viewer *v, __u32 tid, __u64 ts_ns);

/* --- viewer-strips.c -------------------------------------------------------------------------- */

void rsp_viewer_put_strips(struct rsp_viewer *v);

/* --- viewer-marks.c --------------------------------------------------------------------------- */

/* Returns the member "marks" of HEAD. NULL: out of memory. */
struct json_object *rsp_viewer_put_marks(const struct rsp_viewer *v);
/* Fills the columns of counters. Returns the member "counters" of HEAD. NULL: out of memory. */
struct json_object *rsp_viewer_put_counters(struct rsp_viewer *v);

/* --- viewer-requests.c ------------------------------------------------------------------------ */

/* Returns 0 or -ENOMEM. The caller must call rsp_viewer_requests_done() even on failure. */
int rsp_viewer_requests_make(const struct rsp_trace *trace, struct rsp_viewer_requests *ret);
void rsp_viewer_requests_done(struct rsp_viewer_requests *r);
/*
 * Returns the member "requests" of HEAD. Must be called after rsp_viewer_put_threads(), which
 * assigns the numbers of threads. NULL: out of memory.
 */
struct json_object *rsp_viewer_put_requests(struct rsp_viewer *v);

/* --- viewer-explained.c ----------------------------------------------------------------------- */

/*
 * Returns the element of this explanation for the member "explained" of HEAD. NULL: out of memory.
 */
struct json_object *rsp_viewer_put_explained(struct rsp_viewer *v, const struct rsp_explanation *e);

/* --- viewer-head.c ---------------------------------------------------------------------------- */

/* Returns the member "meta" of HEAD. e may be NULL. NULL: out of memory. */
struct json_object *rsp_viewer_meta(const struct rsp_viewer *v, const struct rsp_explanation *e);

/* --- viewer-html.c ---------------------------------------------------------------------------- */

/*
 * head: the text of HEAD, the JSON part of the file. Returns 0, -ENOMEM, -E2BIG, or -errno of the
 * stream.
 */
int rsp_viewer_html(const struct rsp_viewer *v, const char *head, size_t head_len, FILE *out);

static inline __s64 rsp_viewer_time(const struct rsp_viewer *v, __u64 ts_ns)
{
	if (ts_ns > v->end_ns)
		ts_ns = v->end_ns;
	return ts_ns > v->base_ns ? (__s64)(ts_ns - v->base_ns) : 0;
}

#endif
