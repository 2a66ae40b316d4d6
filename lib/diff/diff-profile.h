/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of two sides of recordings -> one profile with the weight of each stack before and
 * after, for differential flame graphs. Names are without process IDs, and numbers in names of
 * objects are "#", so that equal stacks meet.
 */
#ifndef RSP_LIB_DIFF_PROFILE_H
#define RSP_LIB_DIFF_PROFILE_H

#include "diff.h"
#include "lib/profile/profile.h"

struct rsp_diff_profile {
	struct rsp_profile after; /* its nodes' self: after, for each of the basis */
	__u64 *before;		  /* of each node, the same before; the caller's */
};

/* Once the sides have been compared: of the profiles that rsp_diff_options.profiles asked for. */
int rsp_diff_profile_make(const struct rsp_diff *d, struct rsp_diff_profile *ret); /* -ENOMEM */
void rsp_diff_profile_done(struct rsp_diff_profile *p);

#endif
