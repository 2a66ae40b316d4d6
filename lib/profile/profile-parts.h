/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kinds of profiles share: a builder that finds or makes the node of a stack. */
#ifndef RSP_LIB_PROFILE_PARTS_H
#define RSP_LIB_PROFILE_PARTS_H

#include "lib/model/names.h"
#include "profile.h"

struct rsp_profile_builder {
	const struct rsp_model *model;
	const struct rsp_profile_options *opt;
	__u64 since_ns, until_ns;
	struct rsp_names *names;
	struct rsp_profile profile;
	struct rsp_idmap by_key;   /* hash of a node's key -> newest node with it */
	struct rsp_idmap of_stack; /* parent and stack -> node */
	int error;		   /* sticky: -ENOMEM, and all nodes are RSP_PROFILE_ROOT then */
};

/* The child of that name; made if there is none. */
__u32 rsp_profile_child(struct rsp_profile_builder *b, __u32 parent, const char *name,
			const char *module, enum rsp_profile_ink ink);
/* The node of the innermost frame of a stack on top of parent, or parent if it has no frames. */
__u32 rsp_profile_stack(struct rsp_profile_builder *b, __u32 parent, __u64 kstack, __u64 ustack);
void rsp_profile_add(struct rsp_profile_builder *b, __u32 node, __u64 weight, __u64 cnt);

/* The part of a time that lies within the span of the profile. */
__u64 rsp_profile_within(const struct rsp_profile_builder *b, __u64 from_ns, __u64 to_ns);

/* Each adds the spans of one thread on top of base. */
void rsp_profile_oncpu(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base);
void rsp_profile_offcpu(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base);

#endif
