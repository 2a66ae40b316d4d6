/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the formats share: the model, the explanation, who the threads are, and stacks. */
#ifndef RSP_LIB_EXPORT_PARTS_H
#define RSP_LIB_EXPORT_PARTS_H

#include "export.h"
#include "lib/base/json.h"
#include "lib/model/explain.h"
#include "lib/model/model.h"
#include "lib/model/names.h"

/* A thread of the model, as files show it. */
struct rsp_export_thread {
	__u32 tgid;
	const char *comm;    /* its last name; "" if unknown */
	const char *process; /* name of its process */
	bool is_kthread;
	bool is_target; /* of the process of interest */
};

#define RSP_EXPORT_NOTES_MAX 8

struct rsp_export {
	struct rsp_snapshot *snap;
	const struct rsp_trace *trace;
	struct rsp_model *model;
	struct rsp_explanation *explanation; /* NULL: the process of interest does not occur */
	char *headline;			     /* its first sentence; "" without an explanation */
	struct rsp_names *names;
	struct rsp_export_thread *threads; /* by the model's index */
	bool only_target;
	const char *notes[RSP_EXPORT_NOTES_MAX];
	size_t note_cnt;
};

/* Whether the file shows the thread. */
bool rsp_export_has_thread(const struct rsp_export *x, size_t thread);
/* Nanoseconds since 1970, by the wall clock when the snapshot was taken. */
__u64 rsp_export_realtime(const struct rsp_export *x, __u64 ts_ns);
/* The text, clean, kept once for as long as x lives; "" without memory. */
const char *rsp_export_text(struct rsp_export *x, const char *s);

/* export-notes.c: collects the notes. 0 or -ENOMEM. */
int rsp_export_take_notes(struct rsp_export *x);

/* --- export-spans.c: time -----------------------------------------------------------------------
 */

/* A part of a thread's time within the span that was asked for. */
struct rsp_export_span {
	const struct rsp_span *span; /* NULL: before the first record of the thread */
	size_t index;		     /* of it */
	__u64 from_ns, to_ns;
	__u32 sample_first, sample_cnt; /* RUN: those within, in the thread's samples */
};

/* Steps through the spans of a thread; *i begins at 0. Returns false at the end. */
bool rsp_export_next_span(const struct rsp_export *x, const struct rsp_thread *t, size_t *i,
			  struct rsp_export_span *ret);
/* "running", "blocked", "runnable", "preempted", "unknown" */
const char *rsp_export_state(const struct rsp_export_span *s);
/* The thing that a blocked span waits for; number of x->names, 0: unknown. */
__u32 rsp_export_wait(struct rsp_export *x, const struct rsp_span *span);
/* "blocked in read on /var/log/x": one line for a span; number of x->names. */
__u32 rsp_export_title(struct rsp_export *x, const struct rsp_export_span *s);
/* The CPU of a run; -1: unknown. */
int rsp_export_cpu(const struct rsp_thread *t, size_t span);

/* --- export-stacks.c: frames --------------------------------------------------------------------
 */

#define RSP_EXPORT_FRAMES_MAX (2 * RSP_NAMES_FRAMES_MAX)

struct rsp_export_frame {
	const char *symbol, *module; /* of the trace; "?": unknown module */
	bool is_kernel;
	__u32 binary;	/* its number; 0: none, or unknown */
	bool has_place; /* place is known; it is not for inlined functions and their callers */
	__u64 place;	/* offset in the binary's file, or address if the number is 0 */
};

/* The frames of a stack, leaf first: those of the kernel, then the program's. Returns how many. */
size_t rsp_export_frames(const struct rsp_export *x, __u64 kstack, __u64 ustack,
			 struct rsp_export_frame *ret);
size_t rsp_export_build_id_len(const struct rsp_ev_binary *binary);
/* "a1b2…" in hexadecimal; "": unknown. buf has room for 2 * RSP_BUILD_ID_MAX + 1 bytes. */
char *rsp_export_build_id(const struct rsp_ev_binary *binary, char *buf);
/* Its path, clean; or the module's name, if the path is unknown. */
const char *rsp_export_path(struct rsp_export *x, const struct rsp_export_frame *f);

/* --- export-trie.c: stacks as a tree, for formats that refer to frames by their callers ----------
 */

/* A frame under its caller. Ids count from 1; the parent of an outermost frame is 0. */
struct rsp_export_node {
	__u32 parent;
	__u32 symbol, module; /* of texts */
	__u32 is_kernel;
};

struct rsp_export_trie {
	int error; /* sticky */
	struct rsp_intern texts, nodes;
	struct rsp_idmap of_stack; /* both ids of a stack, mixed -> node */
	struct rsp_export_frame scratch[RSP_EXPORT_FRAMES_MAX];
};

/* Embedded: all zeroes is empty. The node of a stack's leaf; 0: the stack is empty. */
__u32 rsp_export_trie_put(struct rsp_export_trie *trie, const struct rsp_export *x, __u64 kstack,
			  __u64 ustack);
const struct rsp_export_node *rsp_export_trie_node(const struct rsp_export_trie *trie, __u32 id);
void rsp_export_trie_done(struct rsp_export_trie *trie);

/* --- export-paths.c: control paths as slices ---------------------------------------------------
 */

/* A hop of a pseudo-stack, as long as the path stays in it. */
struct rsp_export_slice {
	size_t path;  /* index in the explanation's paths */
	size_t depth; /* 0: directly on the path */
	const struct rsp_hop *hop;
	__u64 from_ns, to_ns; /* to_ns: set when it is closed */
};

/*
 * Slices are opened outermost first and closed innermost first, path by path, in order of time.
 * Both functions return 0 or -errno, which ends the walk.
 */
struct rsp_export_visitor {
	int (*open)(void *userdata, const struct rsp_export_slice *slice);
	int (*close)(void *userdata, const struct rsp_export_slice *slice);
	void *userdata;
};

/* Visits those of the process of interest; none if it does not occur. */
int rsp_export_walk_paths(const struct rsp_export *x, const struct rsp_export_visitor *visitor);
/* "make: blocked in pselect6 at jobserver_acquire"; number of x->names. */
__u32 rsp_export_hop_title(struct rsp_export *x, const struct rsp_hop *hop);
/* The path that a slice waits for, as the heaviest such wait of its chain has it; SIZE_MAX: none.
 */
size_t rsp_export_awaited_path(const struct rsp_export *x, const struct rsp_hop *hop);

/* --- export-wakeups.c: what ended waits ---------------------------------------------------------
 */

/* A thread ended the wait of another one, directly or by a message. */
struct rsp_export_wakeup {
	__u64 from_ns, to_ns; /* when the waker did it, and when the wait ended */
	__u32 waker;	      /* index of the thread */
};

/* Returns whether a thread of this machine ended the blocked span, within the span asked for. */
bool rsp_export_wakeup(const struct rsp_export *x, const struct rsp_thread *t,
		       const struct rsp_export_span *s, struct rsp_export_wakeup *ret);

/* --- export-json.c: JSON in a stream ------------------------------------------------------------
 */

/* As rsp_json_add() and rsp_json_append(), but the object may be NULL: a failed allocation, too. */
int rsp_export_add(struct json_object *o, const char *key, struct json_object *value);
int rsp_export_append(struct json_object *array, struct json_object *value);

/* A list that is written element by element. */
struct rsp_export_list {
	FILE *out;
	bool begun;
};

/* Writes an element and frees it. 0; -ENOMEM: it is NULL. */
int rsp_export_list_put(struct rsp_export_list *list, struct json_object *element);
/* Writes a value and frees it, without a newline. 0 or -ENOMEM. */
int rsp_export_put_json(struct json_object *o, FILE *out);
/* A time with all its digits, in units of 10^digits ns: 3 for microseconds. NULL: no memory. */
struct json_object *rsp_export_json_time(__u64 ns, unsigned int digits);
/* A string that is clean already; NULL: no memory. */
struct json_object *rsp_export_json_text(const char *s);
/* Where the file comes from, and what is missing from it. NULL: no memory. */
struct json_object *rsp_export_json_about(const struct rsp_export *x);

/* --- the formats --------------------------------------------------------------------------------
 */

int rsp_export_pprof(struct rsp_export *x, FILE *out);
int rsp_export_perfetto(struct rsp_export *x, FILE *out);
int rsp_export_chrome(struct rsp_export *x, FILE *out);
int rsp_export_firefox(struct rsp_export *x, FILE *out);
int rsp_export_otlp(struct rsp_export *x, FILE *out);
int rsp_export_report(struct rsp_export *x, FILE *out);

#endif
