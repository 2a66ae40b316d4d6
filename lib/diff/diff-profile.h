/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the profiles of all recordings of both sides (before and after, diff.h) into one profile,
 * with the weight of each stack on each side.
 */
#ifndef RSP_LIB_DIFF_PROFILE_H
#define RSP_LIB_DIFF_PROFILE_H

#include "lib/diff/diff.h"
#include "lib/profile/profile.h"

struct rsp_diff_profile {
	/* profile of the later side; self is per run, second or request */
	struct rsp_profile after;
	__u64 *before; /* each node's self on the earlier side */
};

/*
 * Makes the merged profile from the profiles of all recordings, which rsp_diff_add() keeps if
 * rsp_diff_options.profiles is set. Must be called after rsp_diff_compare(). Returns 0 or -ENOMEM.
 */
int rsp_diff_profile_make(const struct rsp_diff *d, struct rsp_diff_profile *ret);
/*
 * Writes a differential flame graph of the kind rsp_diff_options.kind. If embedded is set, writes
 * it as an element of an HTML page instead of a complete file. Returns 0, -ENOMEM or -errno of the
 * stream.
 */
int rsp_diff_svg(const struct rsp_diff *d, bool embedded, FILE *out);
/*
 * Writes a page for browsers, which loads no other file. Names in recordings may contain any
 * characters, and the page shows them as text. Returns 0, -ENOMEM or -errno of the stream.
 */
int rsp_diff_page(const struct rsp_diff *d, FILE *out);
void rsp_diff_profile_done(struct rsp_diff_profile *p);

#endif
