/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data and functions that the writers of all formats share: model, explanation, threads and
 * stacks.
 */
#ifndef RSP_LIB_EXPORT_PARTS_H
#define RSP_LIB_EXPORT_PARTS_H

#include "lib/base/json.h"
#include "lib/export/export-lines.h"
#include "lib/export/export.h"
#include "lib/model/explain/explain.h"
#include "lib/model/model.h"
#include "lib/model/names.h"

/* A thread of the model, with the names that files show. */
struct rsp_export_thread {
	__u32 tgid;
	const char *comm;    /* last name of the thread; "": unknown */
	const char *process; /* name of the process */
	bool is_kthread;
	bool is_target; /* belongs to the process of interest */
};

#define RSP_EXPORT_NOTES_MAX 8

struct rsp_export {
	struct rsp_snapshot *snap;
	const struct rsp_trace *trace;
	struct rsp_model *model;
	struct rsp_explanation *explanation; /* NULL: the process of interest does not occur */
	char *headline;			     /* first sentence of the report; "": no explanation */
	struct rsp_names *names;
	struct rsp_export_thread *threads; /* by the model's index */
	struct rsp_export_lines lines;	   /* empty, except for pprof */
	bool only_target;
	const char *notes[RSP_EXPORT_NOTES_MAX];
	size_t note_cnt;
};

/* Returns whether the file contains the thread. */
bool rsp_export_has_thread(const struct rsp_export *x, size_t thread);
/*
 * Converts a time to nanoseconds since 1970, with the offset that the wall clock had when the
 * snapshot was taken.
 */
__u64 rsp_export_realtime(const struct rsp_export *x, __u64 ts_ns);
/*
 * Returns a copy of the text without control characters (rsp_text_clean()). The copy lives as long
 * as x. Returns "" if out of memory.
 */
const char *rsp_export_text(struct rsp_export *x, const char *s);

/* export-notes.c: collects the notes. Returns 0 or -ENOMEM. */
int rsp_export_take_notes(struct rsp_export *x);

/* --- export-spans.c: time --------------------------------------------------------------------- */

/* A part of a thread's time within the exported span. */
struct rsp_export_span {
	const struct rsp_span *span; /* NULL: before the first record of the thread */
	size_t index;		     /* of span, in the thread */
	__u64 from_ns, to_ns;
	__u32 sample_first, sample_cnt; /* RUN: its samples, in the thread's samples */
};

/* Returns the next span of a thread. *i must be 0 at the first call. Returns false at the end. */
bool rsp_export_next_span(const struct rsp_export *x, const struct rsp_thread *t, size_t *i,
			  struct rsp_export_span *ret);
/* Returns "running", "blocked", "runnable", "preempted" or "unknown". */
const char *rsp_export_state(const struct rsp_export_span *s);
/* Returns the object for which a blocked span waits, as an index of x->names; 0: unknown. */
__u32 rsp_export_wait(struct rsp_export *x, const struct rsp_span *span);
/* Returns a title for a span, like "blocked in read on /var/log/x", as an index of x->names. */
__u32 rsp_export_title(struct rsp_export *x, const struct rsp_export_span *s);
/* Returns the CPU of a run; -1: unknown. */
int rsp_export_cpu(const struct rsp_thread *t, size_t span);

/* --- export-stacks.c: frames ------------------------------------------------------------------ */

#define RSP_EXPORT_FRAMES_MAX (2 * RSP_NAMES_FRAMES_MAX)

struct rsp_export_frame {
	const char *symbol, *module; /* strings of the trace; module "?": unknown */
	bool is_kernel;
	__u32 binary;	 /* number of the binary; 0: none or unknown */
	bool has_place;	 /* false in the kernel, or if inlined functions hide the place */
	bool is_inlined; /* into the next frame's function, which has the same place */
	__u64 place;	 /* offset in the binary's file; address if binary is 0 */
};

/*
 * Stores the frames of a stack, innermost first: first the kernel's frames, then the program's.
 * Returns their number.
 */
size_t rsp_export_frames(const struct rsp_export *x, __u64 kstack, __u64 ustack,
			 struct rsp_export_frame *ret);
size_t rsp_export_build_id_len(const struct rsp_ev_binary *binary);
/*
 * Writes a build-id as hexadecimal digits, or "" if unknown. buf has room for 2 * RSP_BUILD_ID_MAX
 * + 1 bytes.
 */
char *rsp_export_build_id(const struct rsp_ev_binary *binary, char *buf);
/* Returns the clean path of a frame's binary, or the module's name if the path is unknown. */
const char *rsp_export_path(struct rsp_export *x, const struct rsp_export_frame *f);

/* --- export-trie.c: stacks as a tree, for formats that refer to frames by their callers ------- */

/* A frame and its caller. Ids count from 1. The parent of an outermost frame is 0. */
struct rsp_export_node {
	__u32 parent;
	__u32 symbol, module; /* ids in texts */
	__u32 is_kernel;
};

struct rsp_export_trie {
	int error; /* sticky */
	struct rsp_intern texts, nodes;
	struct rsp_idmap of_stack; /* hash of kstack and ustack -> node */
	struct rsp_export_frame scratch[RSP_EXPORT_FRAMES_MAX];
};

/* Returns the node of a stack's innermost frame; 0: the stack is empty. A zeroed trie is empty. */
__u32 rsp_export_trie_put(struct rsp_export_trie *trie, const struct rsp_export *x, __u64 kstack,
			  __u64 ustack);
const struct rsp_export_node *rsp_export_trie_node(const struct rsp_export_trie *trie, __u32 id);
void rsp_export_trie_done(struct rsp_export_trie *trie);

/* --- export-paths.c: control paths as slices -------------------------------------------------- */

/* A hop as a slice, for as long as consecutive pseudo-stacks contain it at this depth. */
struct rsp_export_slice {
	size_t path;  /* index in the explanation's paths */
	size_t depth; /* 0: directly on the path */
	const struct rsp_hop *hop;
	__u64 from_ns, to_ns; /* to_ns: valid in close() only */
};

/*
 * Functions that rsp_export_walk_paths() calls for each slice. The walk visits one path after the
 * other, each in order of time. It opens outer slices before inner ones, and closes inner slices
 * before outer ones. Both functions return 0 or -errno. An error ends the walk.
 */
struct rsp_export_visitor {
	int (*open)(void *userdata, const struct rsp_export_slice *slice);
	int (*close)(void *userdata, const struct rsp_export_slice *slice);
	void *userdata;
};

/*
 * Visits the control paths of the process of interest. If this process does not occur, visits none.
 */
int rsp_export_walk_paths(const struct rsp_export *x, const struct rsp_export_visitor *visitor);
/*
 * Returns a title for a hop, like "make: blocked in pselect6 at jobserver_acquire", as an index of
 * x->names.
 */
__u32 rsp_export_hop_title(struct rsp_export *x, const struct rsp_hop *hop);
/*
 * Returns the index of the path for which a hop waits; SIZE_MAX: none. If a chain waited for
 * several paths, the hop refers to the heaviest one.
 */
size_t rsp_export_awaited_path(const struct rsp_export *x, const struct rsp_hop *hop);

/* --- export-wakeups.c: the threads that ended waits ------------------------------------------- */

/* A wait that another thread ended, either directly or with a message. */
struct rsp_export_wakeup {
	__u64 from_ns, to_ns; /* time of the waker's action, end of the wait */
	__u32 waker;	      /* index of the thread */
};

/*
 * Returns whether another thread ended this blocked span, within the exported span, and the file
 * contains that thread.
 */
bool rsp_export_wakeup(const struct rsp_export *x, const struct rsp_thread *t,
		       const struct rsp_export_span *s, struct rsp_export_wakeup *ret);

/* --- export-json.c: JSON in a stream ---------------------------------------------------------- */

/*
 * Like rsp_json_add() and rsp_json_append(), except that a NULL object or array counts as a failed
 * allocation.
 */
int rsp_export_add(struct json_object *o, const char *key, struct json_object *value);
int rsp_export_append(struct json_object *array, struct json_object *value);

/* A JSON array that is written element by element. */
struct rsp_export_list {
	FILE *out;
	bool begun;
};

/* Writes an element and frees it. Returns 0, or -ENOMEM if the element is NULL. */
int rsp_export_list_put(struct rsp_export_list *list, struct json_object *element);
/* Writes a value without a newline, and frees it. Returns 0 or -ENOMEM. */
int rsp_export_put_json(struct json_object *o, FILE *out);
/*
 * Returns a time with all its digits, in units of 10^digits ns (3: microseconds). NULL: out of
 * memory.
 */
struct json_object *rsp_export_json_time(__u64 ns, unsigned int digits);
/* Returns a string. s must be valid UTF-8. NULL: out of memory. */
struct json_object *rsp_export_json_text(const char *s);
/* Returns an object that describes the snapshot and the missing data. NULL: out of memory. */
struct json_object *rsp_export_json_about(const struct rsp_export *x);

/* --- the formats ------------------------------------------------------------------------------ */

int rsp_export_pprof(struct rsp_export *x, FILE *out);
int rsp_export_perfetto(struct rsp_export *x, FILE *out);
int rsp_export_chrome(struct rsp_export *x, FILE *out);
int rsp_export_firefox(struct rsp_export *x, FILE *out);
int rsp_export_otlp(struct rsp_export *x, FILE *out);
int rsp_export_report(struct rsp_export *x, FILE *out);

#endif
