/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns an attribution into control paths. docs/model.md, "Control paths", has the rules, and the
 * paper from which they come. If thread A of a path waits for thread B, and B began to work when
 * the wait began, then B is on the same path. If B worked before, B has its own path, and the path
 * of A waits for this path.
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

/* A piece of a path's time. Its pseudo-stack consists of the hops from the root to the node. */
struct rsp_path_piece {
	__u64 from_ns, to_ns;
	__u32 path;
	__u32 node; /* of struct rsp_chains: a leaf */
	__u32 thread;
	enum rsp_category cat;
};

/* The path of a thread. A thread has at most one path. */
struct rsp_path {
	__u32 thread;
	bool is_root;
	__u64 ns, cat_ns[RSP_CAT_MAX];
	__u64 from_ns, to_ns;
	__u64 stretch_cnt;
	__u64 awaited_ns;
	/* end of the last stretch of the path in wanted; 0: wanted has no stretch of the path */
	__u64 wanted_ns;
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
	/*
	 * wanted: stretches for the next wave; known: stretches of this wave and of earlier waves
	 */
	struct rsp_stretches wanted, known;
	__u32 *path_of; /* thread -> path or RSP_NO_PATH */
	/* [number of a span]: the path of the span, or RSP_NO_PATH */
	__u32 *owner;
	__u32 current;
	bool idles; /* whether the current path counts the time in which it waits for other paths */
	__u64 begin_ns;
	int error; /* sticky: -ENOMEM */
};

#define RSP_NO_PATH UINT32_MAX

/* Returns 0 or -ENOMEM. */
int rsp_paths_new(const struct rsp_model *m, struct rsp_paths **ret);
struct rsp_paths *rsp_paths_free(struct rsp_paths *p);

struct rsp_path_root {
	__u32 thread;
	__u64 from_ns, to_ns;
};

/*
 * Finds the paths of the given threads. If has_main is true, the first thread is the main thread of
 * the process, and its whole life counts. The other threads count only while they work. Returns 0
 * or -ENOMEM.
 */
int rsp_paths_trace(struct rsp_paths *p, struct rsp_attribution *a,
		    const struct rsp_path_root *roots, size_t cnt, bool has_main);

#endif
