/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of many quantities differ between two sides by more than chance explains. A permutation
 * test with the maximum of the statistics of all quantities: P. H. Westfall and S. S. Young,
 * "Resampling-Based Multiple Testing" (1993), single-step maxT. If the sides do not differ, the
 * probability that any quantity is called different is at most RSP_PERMUTE_ALPHA, however many
 * quantities there are and however they depend on each other. Each side needs two units.
 */
#ifndef RSP_LIB_PERMUTE_H
#define RSP_LIB_PERMUTE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define RSP_PERMUTE_ALPHA     0.05
#define RSP_PERMUTE_UNITS_MAX 64
/* With fewer ways to divide the units, no difference is significant. */
#define RSP_PERMUTE_WAYS_MIN  40

struct rsp_permute_input {
	const double *values; /* row_cnt rows of unit_cnt values */
	size_t row_cnt, unit_cnt;
	const __u8 *side; /* of each unit: 0 or 1 */
	/*
	 * Of each row, in its unit: added to the standard error (V. G. Tusher, R. Tibshirani and
	 * G. Chu, "Significance analysis of microarrays", 2001). Differences of less than twice as
	 * much are never significant, even if the values of each side are equal.
	 */
	const double *fudge;
};

struct rsp_permute_row {
	double mean[2];
	double p;      /* adjusted for the number of rows */
	double margin; /* a difference of the means that is not larger is not significant */
	bool is_significant;
};

struct rsp_permute_result {
	struct rsp_permute_row *rows; /* the caller's (free) */
	__u64 ways;		      /* divisions of the units that were compared */
	bool all;		      /* these are all that exist; else drawn at random */
};

/* How many ways there are to divide units into sides of these sizes; UINT64_MAX: more. */
__u64 rsp_permute_ways(size_t units_a, size_t units_b);

/* 0; -EINVAL: a side has fewer than two units, or there are too many; -ENOMEM. */
int rsp_permute(const struct rsp_permute_input *in, struct rsp_permute_result *ret);

#endif
