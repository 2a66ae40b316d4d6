/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data and functions that the writers of all formats share. */
#ifndef RSP_LIB_EXPORT_PARTS_H
#define RSP_LIB_EXPORT_PARTS_H

#include "lib/base/json.h"
#include "lib/export/export-lines.h"
#include "lib/export/export.h"
#include "lib/model/explain/explain.h"
#include "lib/model/model.h"
#include "lib/model/names.h"

struct rsp_export_thread {
	__u32 tgid;
	const char *comm; /* last name of the thread; "": unknown */
	const char *process;
	bool is_kthread;
	bool is_target; /* a thread of the process of interest */
};

#define RSP_EXPORT_NOTES_MAX 8

struct rsp_export {
	struct rsp_snapshot *snap;
	const struct rsp_trace *trace;
	struct rsp_model *model;
	struct rsp_explanation *explanation; /* NULL: no record of the process of interest */
	char *headline;			     /* first sentence of the report; "": no explanation */
	struct rsp_names *names;
	struct rsp_export_thread *threads; /* one per thread of the model */
	struct rsp_export_lines lines;	   /* filled only for pprof */
	bool only_target;
	const char *notes[RSP_EXPORT_NOTES_MAX];
	size_t note_cnt;
};

bool rsp_export_has_thread(const struct rsp_export *x, size_t thread);
/* Converts a time to nanoseconds since 1970, by the clock offset of the snapshot. */
__u64 rsp_export_realtime(const struct rsp_export *x, __u64 ts_ns);
/*
 * Returns a copy of the text without control characters (rsp_text_clean()), which lives as long as
 * x; "": out of memory.
 */
const char *rsp_export_text(struct rsp_export *x, const char *s);

/* Returns 0 or -ENOMEM. */
int rsp_export_take_notes(struct rsp_export *x);

/* --- export-spans.c: time --------------------------------------------------------------------- */

struct rsp_export_span {
	const struct rsp_span *span; /* NULL: the time before the thread's first record */
	size_t index;		     /* index of span in the thread */
	__u64 from_ns, to_ns;
	/* RUN: index of the first sample in the thread, and number of samples */
	__u32 sample_first, sample_cnt;
};

/* *i must be 0 at the first call. Returns false at the end. */
bool rsp_export_next_span(const struct rsp_export *x, const struct rsp_thread *t, size_t *i,
			  struct rsp_export_span *ret);
/* Returns a state such as "running" or "blocked". */
const char *rsp_export_state(const struct rsp_export_span *s);
/* Returns the object for which a blocked span waits, as an index in x->names; 0: unknown. */
__u32 rsp_export_wait(struct rsp_export *x, const struct rsp_span *span);
/* Returns a text like "blocked in read on /var/log/x", as an index in x->names. */
__u32 rsp_export_title(struct rsp_export *x, const struct rsp_export_span *s);
int rsp_export_cpu(const struct rsp_thread *t, size_t span);

/* --- export-stacks.c: frames ------------------------------------------------------------------ */

#define RSP_EXPORT_FRAMES_MAX (2 * RSP_NAMES_FRAMES_MAX)

struct rsp_export_frame {
	const char *symbol, *module; /* strings of the trace; module "?": unknown */
	bool is_kernel;
	__u32 binary;	 /* number of the binary; 0: none or unknown */
	bool has_place;	 /* place is known: not in the kernel, not hidden by inlining */
	bool is_inlined; /* inlined into the function of the next frame, which has the same place */
	__u64 place;	 /* offset in the binary's file, or the address if binary is 0 */
};

/*
 * Stores the frames of a stack in ret, innermost first: the kernel's frames, then the program's.
 * Returns their number.
 */
size_t rsp_export_frames(const struct rsp_export *x, __u64 kstack, __u64 ustack,
			 struct rsp_export_frame *ret);
size_t rsp_export_build_id_len(const struct rsp_ev_binary *binary);
/*
 * buf has room for 2 * RSP_BUILD_ID_MAX + 1 bytes. Returns buf, which is "" if the build-id is
 * unknown.
 */
char *rsp_export_build_id(const struct rsp_ev_binary *binary, char *buf);
/*
 * Returns the path of the binary, without control characters; if it is unknown, the name of the
 * module.
 */
const char *rsp_export_path(struct rsp_export *x, const struct rsp_export_frame *f);

/* --- export-trie.c: stacks as a tree, for formats that refer to frames by their callers ------- */

struct rsp_export_node {
	__u32 parent;
	__u32 symbol, module; /* ids in rsp_export_trie.texts */
	__u32 is_kernel;
};

struct rsp_export_trie {
	int error; /* the first error, or 0 */
	struct rsp_intern texts, nodes;
	struct rsp_idmap of_stack; /* from a hash of kstack and ustack to a node */
	struct rsp_export_frame scratch[RSP_EXPORT_FRAMES_MAX];
};

/*
 * Adds a stack. Returns the node of its innermost frame; 0: the stack is empty. A trie of zeroes is
 * empty.
 */
__u32 rsp_export_trie_put(struct rsp_export_trie *trie, const struct rsp_export *x, __u64 kstack,
			  __u64 ustack);
const struct rsp_export_node *rsp_export_trie_node(const struct rsp_export_trie *trie, __u32 id);
void rsp_export_trie_done(struct rsp_export_trie *trie);

/* --- export-paths.c: control paths as slices -------------------------------------------------- */

/*
 * A slice is a bar on a time line. It shows a hop, for as long as consecutive pseudo-stacks contain
 * it at this depth.
 */
struct rsp_export_slice {
	size_t path;  /* index in the explanation's paths */
	size_t depth; /* number of hops between path and hop */
	const struct rsp_hop *hop;
	__u64 from_ns, to_ns; /* to_ns is set when close() is called */
};

/*
 * rsp_export_walk_paths() visits one path after the other, and the slices of a path in order of
 * time. Inner slices open after outer ones and close before them. Both functions return 0 or
 * -errno. An error ends the walk.
 */
struct rsp_export_visitor {
	int (*open)(void *userdata, const struct rsp_export_slice *slice);
	int (*close)(void *userdata, const struct rsp_export_slice *slice);
	void *userdata;
};

/* Returns 0, -ENOMEM, or the error of a visitor. */
int rsp_export_walk_paths(const struct rsp_export *x, const struct rsp_export_visitor *visitor);
/* Returns a text like "make: blocked in pselect6 at jobserver_acquire", as an index in x->names. */
__u32 rsp_export_hop_title(struct rsp_export *x, const struct rsp_hop *hop);
/* Returns the index of the first path of the thread for which a hop waits, or SIZE_MAX. */
size_t rsp_export_awaited_path(const struct rsp_export *x, const struct rsp_hop *hop);

/* --- export-wakeups.c: the threads that ended waits ------------------------------------------- */

/* The wakeup or message by which a thread ended another thread's wait. */
struct rsp_export_wakeup {
	__u64 from_ns, to_ns; /* time of the wakeup or message; end of the wait */
	__u32 waker;	      /* index of the thread in the model */
};

/*
 * Returns whether another thread ended this blocked span within the exported span, and the file
 * contains this thread.
 */
bool rsp_export_wakeup(const struct rsp_export *x, const struct rsp_thread *t,
		       const struct rsp_export_span *s, struct rsp_export_wakeup *ret);

/* --- export-json.c: JSON in a stream ---------------------------------------------------------- */

/*
 * If o or array is NULL after a failed allocation, these functions free the value and return
 * -ENOMEM.
 */
int rsp_export_add(struct json_object *o, const char *key, struct json_object *value);
int rsp_export_append(struct json_object *array, struct json_object *value);

/* A JSON array that is written one element at a time. */
struct rsp_export_list {
	FILE *out;
	bool begun;
};

/* Frees the element. Returns 0, or -ENOMEM if the element is NULL. */
int rsp_export_list_put(struct rsp_export_list *list, struct json_object *element);
/* Writes a value without a newline, and frees it. Returns 0 or -ENOMEM. */
int rsp_export_put_json(struct json_object *o, FILE *out);
/*
 * Returns a time as a number with all its digits, in units of 10^digits ns (3: microseconds). NULL:
 * out of memory.
 */
struct json_object *rsp_export_json_time(__u64 ns, unsigned int digits);
/* Returns a JSON string. s must be valid UTF-8. NULL: out of memory. */
struct json_object *rsp_export_json_text(const char *s);
/* The object describes the snapshot and the missing data. NULL: out of memory. */
struct json_object *rsp_export_json_about(const struct rsp_export *x);

/* --- the formats ------------------------------------------------------------------------------ */

int rsp_export_pprof(struct rsp_export *x, FILE *out);
int rsp_export_perfetto(struct rsp_export *x, FILE *out);
int rsp_export_chrome(struct rsp_export *x, FILE *out);
int rsp_export_firefox(struct rsp_export *x, FILE *out);
int rsp_export_otlp(struct rsp_export *x, FILE *out);
int rsp_export_report(struct rsp_export *x, FILE *out);

#endif
