/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns an attribution into control paths: sets of connected runs with negligible overlap, each one
 * logical thread of work (the paper, "Pseudo-stacks and Control Paths"; docs/model.md describes the
 * rules). A thread that began to work when a thread of the path began to wait for it is its child,
 * and on its path. A thread that worked before is not: it is on a path of its own, and the first
 * path waits for that one.
 *
 * attribute.c walks the waits of the process. This module decides which threads fit on a path, and
 * which path a span belongs to.
 */
#ifndef RSP_LIB_PATHS_H
#define RSP_LIB_PATHS_H

#include "lib/model/attribute/attribute.h"

/* A part of a thread's life that has to be explained on its path. */
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

/* One for each thread that has a path. */
struct rsp_path {
	__u32 thread;
	bool is_root;
	__u64 ns, cat_ns[RSP_CAT_MAX];
	__u64 from_ns, to_ns; /* the beginning of its first and the end of its last piece */
	__u64 stretch_cnt;    /* number of stretches that were wanted */
	__u64 awaited_ns;     /* time that other paths waited for it */
	__u64 wanted_ns;      /* in this wave, it is already wanted until this time */
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
	struct rsp_stretches wanted, known; /* for the next wave; already placed */
	__u32 *path_of;			    /* thread -> path or RSP_NO_PATH */
	__u32 *owner;			    /* number of a span -> path or RSP_NO_PATH */
	__u32 current;
	bool idles; /* whether the current path counts the time in which it waits for others */
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
 * Finds the paths of these threads. If has_main, the first one is the main thread of the process,
 * and its whole life counts. The others are paths only while they work. 0 or -ENOMEM.
 */
int rsp_paths_trace(struct rsp_paths *p, struct rsp_attribution *a,
		    const struct rsp_path_root *roots, size_t cnt, bool has_main);

#endif
