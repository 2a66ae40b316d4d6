/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the functions of a profile. Each function has its own time, and a total time that includes
 * its callees. In totals, a recursive function counts once per stack. All code of a module without
 * symbols counts as one function.
 */
#ifndef RSP_LIB_FUNCTION_LIST_H
#define RSP_LIB_FUNCTION_LIST_H

#include "lib/profile/profile.h"

struct rsp_function {
	__u32 name, module; /* ids of strings, see rsp_function_name() */
	enum rsp_profile_ink ink;
	__u64 self, total;	   /* in the unit of the profile */
	__u64 self_cnt, total_cnt; /* number of events */
};

#define RSP_NO_FUNCTION UINT32_MAX

struct rsp_function_list {
	const struct rsp_profile *profile; /* borrowed */
	struct {
		struct rsp_function *v; /* by total, largest first; equal totals: outermost first */
		size_t cnt, cap;
	} list;
	/* index in list of each node's function; RSP_NO_FUNCTION: a process or a thread */
	__u32 *of_node;
	struct rsp_intern strings;
};

/* Returns 0 or -ENOMEM. */
int rsp_function_list_make(const struct rsp_profile *p, struct rsp_function_list *ret);
void rsp_function_list_done(struct rsp_function_list *f);

static inline const char *rsp_function_name(const struct rsp_function_list *f, __u32 function)
{
	return rsp_intern_data(&f->strings, f->list.v[function].name);
}

static inline const char *rsp_function_module(const struct rsp_function_list *f, __u32 function)
{
	return rsp_intern_data(&f->strings, f->list.v[function].module);
}

/* Returns whether the name is only an address, or an offset in the module. */
bool rsp_function_is_unnamed(const char *name, const char *module);

/*
 * Returns the function with this name, or RSP_NO_FUNCTION. If several functions have this name,
 * returns the one with the largest total.
 */
__u32 rsp_function_list_find(const struct rsp_function_list *f, const char *name);

/* --- trees of calls --------------------------------------------------------------------------- */

struct rsp_calls_node {
	__u32 parent;	/* index of the parent, lower than that of the node; UINT32_MAX: none */
	__u32 function; /* index in the function list; never RSP_NO_FUNCTION */
	__u64 self, total, cnt;
};

/* A tree of calls. In a tree about one function, the first node is this function. */
struct rsp_calls {
	struct {
		struct rsp_calls_node *v;
		size_t cnt, cap;
	} nodes;
};

enum rsp_calls_direction {
	RSP_CALLS_DOWN, /* children are callees */
	RSP_CALLS_UP,	/* children are callers */
};

/*
 * Makes a tree of the stacks that contain the function, from its outermost call to its callees or
 * to its callers. RSP_NO_FUNCTION: all stacks, from the outermost function to the callees, or from
 * the innermost function to the callers. Returns 0 or -ENOMEM.
 */
int rsp_calls_make(const struct rsp_function_list *f, __u32 function,
		   enum rsp_calls_direction direction, struct rsp_calls *ret);
void rsp_calls_done(struct rsp_calls *c);

#endif
