/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of two sides of recordings -> one profile with the weight of each stack before and
 * after, for differential flame graphs. Names contain no process IDs, and numbers in names of
 * objects are replaced by "#", so that equal stacks of several recordings merge.
 */
#ifndef RSP_LIB_DIFF_PROFILE_H
#define RSP_LIB_DIFF_PROFILE_H

#include "lib/diff/diff.h"
#include "lib/profile/profile.h"

struct rsp_diff_profile {
	struct rsp_profile after; /* self of each node: mean per run, second or request */
	__u64 *before;		  /* the same before, one value per node */
};

/*
 * Merges the profiles that rsp_diff_options.profiles asked for. Call this after
 * rsp_diff_compare(). Returns 0 or -ENOMEM.
 */
int rsp_diff_profile_make(const struct rsp_diff *d, struct rsp_diff_profile *ret);
/*
 * Writes a differential flame graph of the kind of rsp_diff_options.profiles. embedded: as an
 * element of an HTML page. Returns 0, -ENOMEM or -errno of the stream.
 */
int rsp_diff_svg(const struct rsp_diff *d, bool embedded, FILE *out);
/*
 * Writes a page for browsers: the answer, the tables, and the differential flame graph. It needs no
 * other file. Names of both recordings are text there, whatever they contain. Returns as above.
 */
int rsp_diff_page(const struct rsp_diff *d, FILE *out);
void rsp_diff_profile_done(struct rsp_diff_profile *p);

#endif
