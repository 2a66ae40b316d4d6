/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search by time that begins near the last result: first in doubling steps, then by bisection.
 * The number of steps is logarithmic in the distance from the last result.
 */
#ifndef RSP_LIB_NEAR_H
#define RSP_LIB_NEAR_H

#include <linux/types.h>
#include <stddef.h>

/*
 * Returns the index of the last entry that begins at ts_ns or before, or 0. v has cnt entries of
 * size bytes, at least one, in order. Each entry starts with a __u64: the time at which it begins.
 * near must be less than cnt.
 */
static inline size_t rsp_near(const void *v, size_t cnt, size_t size, __u64 ts_ns, size_t near)
{
#define RSP_NEAR_FROM(i) (*(const __u64 *)((const char *)v + (i)*size))
	size_t lo = near, hi = near + 1, step = 1;

	while (hi < cnt && RSP_NEAR_FROM(hi) <= ts_ns) {
		lo = hi;
		hi = cnt - hi > step ? hi + step : cnt;
		step *= 2;
	}
	while (lo > 0 && RSP_NEAR_FROM(lo) > ts_ns) {
		hi = lo;
		lo = lo > step ? lo - step : 0;
		step *= 2;
	}
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (RSP_NEAR_FROM(mid) <= ts_ns)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
#undef RSP_NEAR_FROM
}

#endif
