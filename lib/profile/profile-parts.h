/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder that all kinds of profiles share. It finds or adds the nodes of a stack. */
#ifndef RSP_LIB_PROFILE_PARTS_H
#define RSP_LIB_PROFILE_PARTS_H

#include "lib/model/attribute/estimate.h"
#include "lib/model/names.h"
#include "lib/profile/profile.h"

struct rsp_profile_builder {
	const struct rsp_model *model;
	const struct rsp_profile_options *opt;
	__u64 since_ns, until_ns;
	__u64 base_ns, end_ns; /* a span that covers the recording and the model's span */
	struct rsp_names *names;
	/*
	 * For each thread of the model: whether it belongs to process tgid or to a descendant of
	 * this process. NULL: not needed.
	 */
	bool *family;
	struct rsp_profile profile;
	/* from the hash of a node's key, or the next free number, to the node */
	struct rsp_idmap by_key;
	/* from a parent and a stack to the node of the innermost frame */
	struct rsp_idmap of_stack;
	/* from a parent and a waker's stack to the node of the outermost frame */
	struct rsp_idmap of_reversed;
	struct rsp_estimate *estimate; /* NULL until it is needed */
	/*
	 * profile-wakers.c: for each span of the model: index of the BLOCKED span before it in the
	 * same thread
	 */
	__u32 *former;
	__u64 steps_left; /* profile-wakers.c: number of waits that the profile may still follow */
	int error;	  /* 0, or -ENOMEM; rsp_profile_child() then returns RSP_PROFILE_ROOT */
};

/* Returns the child of parent with this name, module and type, and adds it if necessary. */
__u32 rsp_profile_child(struct rsp_profile_builder *b, __u32 parent, const char *name,
			const char *module, enum rsp_profile_ink ink);
/*
 * Adds the frames of a stack above parent. Returns the node of the innermost frame, or parent if
 * the stack has no frames.
 */
__u32 rsp_profile_stack(struct rsp_profile_builder *b, __u32 parent, __u64 kstack, __u64 ustack);
/*
 * Adds the stack of a waker above parent, upside down: the innermost frame is next to parent.
 * Returns the node of the outermost frame, or parent if the stack has no frames.
 */
__u32 rsp_profile_waker_stack(struct rsp_profile_builder *b, __u32 parent, __u64 kstack,
			      __u64 ustack);
/* Returns the child of parent that stands for a missing stack. */
__u32 rsp_profile_no_stack(struct rsp_profile_builder *b, __u32 parent);
void rsp_profile_add(struct rsp_profile_builder *b, __u32 node, __u64 weight, __u64 cnt);
/* Adds a weight like rsp_profile_add(), for time in which the thread had no CPU. */
void rsp_profile_add_off(struct rsp_profile_builder *b, __u32 node, __u64 ns, __u64 cnt);

/* Returns the length of the part of [from_ns, to_ns) that lies within the span of the profile. */
__u64 rsp_profile_within(const struct rsp_profile_builder *b, __u64 from_ns, __u64 to_ns);
__u64 rsp_profile_span_within(const struct rsp_profile_builder *b, const struct rsp_thread *t,
			      size_t i);

/*
 * profile-waits.c: adds the stack of a BLOCKED span above base, and one node for its system call
 * and object. Returns the last added node.
 */
__u32 rsp_profile_wait_node(struct rsp_profile_builder *b, const struct rsp_span *s, __u32 base);
/* A disk request must have ended the span. */
const char *rsp_profile_disk_name(struct rsp_profile_builder *b, const struct rsp_span *s);

/*
 * Each of the functions from rsp_profile_oncpu() to rsp_profile_network() adds the spans of one
 * thread to a profile, above base, the node of the process or thread.
 */
void rsp_profile_oncpu(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base);
void rsp_profile_offcpu(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base);
void rsp_profile_wakeup(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base);
void rsp_profile_chain(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base);
void rsp_profile_runqueue(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base);
void rsp_profile_disk(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base);
void rsp_profile_network(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base);

/* Adds the events of the newest watch of memory, for all threads that the profile selects. */
void rsp_profile_memory(struct rsp_profile_builder *b);

/*
 * profile.c: returns the node of a thread's process or, in profiles per thread, of the thread. Does
 * not check whether the profile selects the thread.
 */
__u32 rsp_profile_base(struct rsp_profile_builder *b, const char *comm, const char *thread,
		       __u32 tid);
bool rsp_profile_wants(const struct rsp_profile_builder *b, __u32 tgid, const char *comm);

#endif
