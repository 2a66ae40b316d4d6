/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attribution -> control paths: sets of connected runs with negligible overlap, each one logical
 * thread of work (the paper, "Pseudo-stacks and Control Paths"; docs/model.md tells the rules). Who
 * began to work when a thread of the path began to wait for him is its child, and on its path. Who
 * was at work before is not: he is on a path of his own, and the first one waits on that.
 *
 * The processes' waits are walked by attribute.c; here it is decided who fits, and whose a span is.
 */
#ifndef RSP_LIB_PATHS_H
#define RSP_LIB_PATHS_H

#include "attribute-parts.h"

/* A part of a thread's life that is wanted on its path. */
struct rsp_stretch {
	__u32 path;
	__u64 from_ns, to_ns;
};

struct rsp_stretches {
	struct rsp_stretch *v;
	size_t cnt, cap;
};

/* A piece of a path's time, and its pseudo-stack. */
struct rsp_path_piece {
	__u64 from_ns, to_ns;
	__u32 path;
	__u32 node; /* of struct rsp_chains: a leaf */
	__u32 thread;
	enum rsp_category cat;
};

/* One for each thread that has one. */
struct rsp_path {
	__u32 thread;
	bool is_root;
	__u64 ns, cat_ns[RSP_CAT_MAX];
	__u64 from_ns, to_ns; /* of its first and last piece */
	__u64 stretch_cnt;    /* that were wanted of it */
	__u64 awaited_ns;     /* that other paths waited on it */
	__u64 wanted_ns;      /* until then it is wanted already, in this wave */
};

struct rsp_paths {
	const struct rsp_model *model;
	struct {
		struct rsp_path *v;
		size_t cnt, cap;
	} list;
	struct {
		struct rsp_path_piece *v;
		size_t cnt, cap;
	} pieces;
	struct rsp_stretches wanted, known; /* for the next wave; placed already */
	__u32 *path_of;			    /* thread -> path or RSP_NO_PATH */
	__u32 *owner;			    /* number of a span -> path or RSP_NO_PATH */
	__u32 current;
	bool idles; /* on the current path, waiting for others counts */
	__u64 begin_ns;
	int error; /* sticky: -ENOMEM */
};

#define RSP_NO_PATH UINT32_MAX

int rsp_paths_new(const struct rsp_model *m, struct rsp_paths **ret); /* -ENOMEM */
struct rsp_paths *rsp_paths_free(struct rsp_paths *p);

struct rsp_path_root {
	__u32 thread;
	__u64 from_ns, to_ns;
};

/*
 * Finds the paths of these threads. If has_main, the first one is the process's main one: its whole
 * life counts. The others are paths only while they are at work. a->paths must be p. 0 or -ENOMEM.
 */
int rsp_paths_trace(struct rsp_paths *p, struct rsp_attribution *a,
		    const struct rsp_path_root *roots, size_t cnt, bool has_main);

/* --- for attribute.c -------------------------------------------------------------------------- */

/* Whether the present path counts the time in which it waits for others. */
bool rsp_paths_idles(const struct rsp_paths *p);
/* Puts a span on the present path; false: it is on another one, which is now waited on for ns. */
bool rsp_paths_place(struct rsp_paths *p, __u32 thread, size_t span, __u64 ns);
/* Whether cause, for whom the piece waits, is its child; else he is wanted on a path of his own. */
bool rsp_paths_fits(struct rsp_paths *p, struct rsp_attribution *a, const struct rsp_piece *piece,
		    __u32 cause);
/* A leaf. 0 or -ENOMEM. */
int rsp_paths_add(struct rsp_paths *p, const struct rsp_piece *piece, enum rsp_category cat,
		  __u32 node);

#endif
