/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the quantities that differ significantly between two sides. Each quantity has one value per
 * unit, and each side needs at least two units. This is a permutation test with the maximum of the
 * statistics of all quantities: P. H. Westfall and S. S. Young, "Resampling-Based Multiple Testing"
 * (1993), single-step maxT. If the sides do not differ, the probability that the test calls any
 * quantity different is at most RSP_PERMUTE_ALPHA.
 */
#ifndef RSP_LIB_PERMUTE_H
#define RSP_LIB_PERMUTE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define RSP_PERMUTE_ALPHA     0.05
#define RSP_PERMUTE_UNITS_MAX 64
/*
 * Minimum number of ways to divide units into two sides of equal size. With fewer ways, no
 * difference can be significant: each division and its mirror image have the same statistic, so the
 * smallest p-value is 2 / ways. rsp_permute() does not check this limit.
 */
#define RSP_PERMUTE_WAYS_MIN  40

struct rsp_permute_input {
	const double *values; /* row_cnt rows, each of unit_cnt values */
	size_t row_cnt, unit_cnt;
	const __u8 *side; /* side of each unit: 0 or 1 */
	/*
	 * One constant per row, which is added to the standard error (V. G. Tusher, R. Tibshirani
	 * and G. Chu, "Significance analysis of microarrays", 2001). A difference of less than
	 * twice the constant is never significant, even if the values within each side are equal.
	 */
	const double *fudge;
	/*
	 * The variance of the measurement error of each value, or NULL. It is a lower limit for the
	 * standard error of a side's mean, even if all values of the side are equal.
	 */
	const double *noise;
};

struct rsp_permute_row {
	double mean[2];
	double p;      /* p-value, adjusted for the number of rows */
	double margin; /* the smallest difference of the means that is significant */
	bool is_significant;
};

struct rsp_permute_result {
	struct rsp_permute_row *rows; /* one per row of the input; the caller frees them */
	__u64 ways;		      /* number of divisions of the units that were compared */
	bool all;		      /* all possible divisions were compared; false: random ones */
};

/*
 * Returns the number of ways to divide units into sides of these sizes. Returns UINT64_MAX if the
 * number does not fit.
 */
__u64 rsp_permute_ways(size_t units_a, size_t units_b);

/*
 * Tests all rows. Returns 0, -EINVAL if a side has fewer than two units or both together have more
 * than RSP_PERMUTE_UNITS_MAX, or -ENOMEM.
 */
int rsp_permute(const struct rsp_permute_input *in, struct rsp_permute_result *ret);

#endif
