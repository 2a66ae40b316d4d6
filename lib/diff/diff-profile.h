/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the profiles of two sides of recordings into one profile, with the weight of each stack
 * before and after. Differential flame graphs show this profile. Names contain no process IDs, and
 * "#" replaces numbers in names of objects. Therefore equal stacks of several recordings are
 * merged.
 */
#ifndef RSP_LIB_DIFF_PROFILE_H
#define RSP_LIB_DIFF_PROFILE_H

#include "lib/diff/diff.h"
#include "lib/profile/profile.h"

struct rsp_diff_profile {
	struct rsp_profile after; /* later side; self: mean per run, second or request */
	__u64 *before;		  /* the same mean of the earlier side, one value per node */
};

/*
 * Merges the profiles that rsp_diff_options.profiles asked for. Must be called after
 * rsp_diff_compare(). Returns 0 or -ENOMEM.
 */
int rsp_diff_profile_make(const struct rsp_diff *d, struct rsp_diff_profile *ret);
/*
 * Writes a differential flame graph of the kind rsp_diff_options.kind. If embedded is set, writes
 * an element of an HTML page instead of a complete file. Returns 0, -ENOMEM or -errno of the
 * stream.
 */
int rsp_diff_svg(const struct rsp_diff *d, bool embedded, FILE *out);
/*
 * Writes a page for browsers: the answer, the tables, and the differential flame graph. The page
 * needs no other file. Names in recordings may contain any characters, which the page shows as
 * text. Returns 0, -ENOMEM or -errno of the stream.
 */
int rsp_diff_page(const struct rsp_diff *d, FILE *out);
void rsp_diff_profile_done(struct rsp_diff_profile *p);

#endif
