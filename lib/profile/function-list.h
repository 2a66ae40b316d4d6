/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile -> its functions, each with the time of its own and the time with what it called; the
 * callers and the callees of one of them; and the stacks from the innermost function outwards. A
 * recursive function counts once for a stack. Code without a symbol is one function of its module.
 */
#ifndef RSP_LIB_FUNCTION_LIST_H
#define RSP_LIB_FUNCTION_LIST_H

#include "profile.h"

struct rsp_function {
	__u32 name, module; /* strings of struct rsp_function_list */
	enum rsp_profile_ink ink;
	__u64 self, total;	   /* in the unit of the profile */
	__u64 self_cnt, total_cnt; /* events */
};

#define RSP_NO_FUNCTION UINT32_MAX

struct rsp_function_list {
	const struct rsp_profile *profile; /* borrowed */
	struct {
		struct rsp_function *v; /* most total first; of equal ones the outermost */
		size_t cnt, cap;
	} list;
	__u32 *of_node; /* the function of each node; RSP_NO_FUNCTION: a process or a thread */
	struct rsp_intern strings;
};

/* 0 or -ENOMEM. */
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

/* Whether the name is only an address, or an offset in the module. */
bool rsp_function_is_unnamed(const char *name, const char *module);

/* The function of that name that has most time; RSP_NO_FUNCTION: none. */
__u32 rsp_function_list_find(const struct rsp_function_list *f, const char *name);

/* --- trees of calls --------------------------------------------------------------------------- */

struct rsp_calls_node {
	__u32 parent;	/* its index is lower; UINT32_MAX: none */
	__u32 function; /* RSP_NO_FUNCTION: a process, which has no caller */
	__u64 self, total, cnt;
};

/* A tree; the first node is the function asked for, unless all functions are. */
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
 * The stacks that contain the function, from its outermost call on: down to what it called, or from
 * there up to its callers. RSP_NO_FUNCTION: all stacks, from the outermost function down, or from
 * the innermost up. A total is the time of the stacks that go through the node. 0 or -ENOMEM.
 */
int rsp_calls_make(const struct rsp_function_list *f, __u32 function,
		   enum rsp_calls_direction direction, struct rsp_calls *ret);
void rsp_calls_done(struct rsp_calls *c);

#endif
