/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Natural merge sort, for input that consists of sorted batches, such as the records of one CPU
 * after the records of another. It merges adjacent batches only where they overlap, so the cost
 * depends on the disorder. The functions are inline, so that the comparison is compiled into each
 * use.
 */
#ifndef RSP_LIB_SORT_H
#define RSP_LIB_SORT_H

#include <stdbool.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

typedef int (*rsp_compare_fn)(const void *a, const void *b);

/* Batch i contains the elements from ends[i - 1] to ends[i] - 1. */
struct rsp_sort_ends {
	size_t *v;
	size_t cnt, cap;
};

struct rsp_sort {
	char *v, *spare;
	size_t size;
	rsp_compare_fn compare;
};

#define rsp_sort_inline static inline __attribute__((always_inline))

rsp_sort_inline char *rsp_sort_at(const struct rsp_sort *s, size_t i)
{
	return s->v + i * s->size;
}

rsp_sort_inline int rsp_sort_find_runs(const struct rsp_sort *s, size_t cnt,
				       struct rsp_sort_ends *ends)
{
	for (size_t i = 1; i <= cnt; i++) {
		size_t *end;

		if (i < cnt && s->compare(rsp_sort_at(s, i - 1), rsp_sort_at(s, i)) <= 0)
			continue;
		end = rsp_array_add(ends);
		if (!end)
			return -ENOMEM;
		*end = i;
	}
	return 0;
}

/*
 * Returns the first index in [lo, hi) whose element is greater than the element at index at or, if
 * at_least is true, greater or equal; hi if there is none.
 */
rsp_sort_inline size_t rsp_sort_bound(const struct rsp_sort *s, size_t lo, size_t hi, size_t at,
				      bool at_least)
{
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int order = s->compare(rsp_sort_at(s, mid), rsp_sort_at(s, at));

		if (order < 0 || (!at_least && order == 0))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Merges the sorted batches [lo, mid) and [mid, hi). spare must have room for the left batch. */
rsp_sort_inline void rsp_sort_merge(const struct rsp_sort *s, size_t lo, size_t mid, size_t hi)
{
	const char *left, *left_end, *right, *right_end;
	char *out;

	if (s->compare(rsp_sort_at(s, mid - 1), rsp_sort_at(s, mid)) <= 0)
		return;
	lo = rsp_sort_bound(s, lo, mid, mid, false);
	hi = rsp_sort_bound(s, mid, hi, mid - 1, true);
	memcpy(s->spare, rsp_sort_at(s, lo), (mid - lo) * s->size);
	left = s->spare;
	left_end = left + (mid - lo) * s->size;
	right = rsp_sort_at(s, mid);
	right_end = rsp_sort_at(s, hi);
	for (out = rsp_sort_at(s, lo); left < left_end && right < right_end; out += s->size) {
		bool is_right = s->compare(right, left) < 0;

		memcpy(out, is_right ? right : left, s->size);
		right += is_right ? s->size : 0;
		left += is_right ? 0 : s->size;
	}
	memcpy(out, left, (size_t)(left_end - left));
}

/* Equal elements keep their order. Returns 0 or -ENOMEM. */
rsp_sort_inline int rsp_sort(void *v, size_t cnt, size_t size, rsp_compare_fn compare)
{
	_cleanup_free_ size_t *to_free = NULL;
	_cleanup_free_ char *spare = NULL;
	struct rsp_sort s = {.v = v, .size = size, .compare = compare};
	struct rsp_sort_ends ends = {0};
	int r;

	r = rsp_sort_find_runs(&s, cnt, &ends);
	to_free = ends.v;
	if (r < 0 || ends.cnt < 2)
		return r;
	s.spare = spare = malloc(cnt * size);
	if (!spare)
		return -ENOMEM;
	while (ends.cnt > 1) {
		size_t kept = 0, lo = 0;

		for (size_t i = 0; i < ends.cnt; i += 2) {
			size_t hi = ends.v[i + 1 < ends.cnt ? i + 1 : i];

			if (i + 1 < ends.cnt)
				rsp_sort_merge(&s, lo, ends.v[i], hi);
			ends.v[kept++] = lo = hi;
		}
		ends.cnt = kept;
	}
	return 0;
}

#endif
