/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See clock.h. The unknown is the line g(x) = here - there over x = there. "here" is a time on the
 * reference host, "there" a time on the other host. A message that arrives here proves that here -
 * there is an upper bound of g(x). A message that arrives there proves that it is a lower bound.
 *
 * For a given drift, the bounds leave an interval of offsets. The length of this interval is a
 * concave function of the drift. At any x, so is the value of the highest possible line, and so is
 * the negative value of the lowest line. So a ternary search over the drift finds each extreme.
 */
#include "lib/merge/clock.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

struct point {
	double x, y;
};

struct points {
	struct point *v;
	size_t cnt, cap;
};

struct bounds {
	struct points upper, lower; /* convex hulls; only their points limit the possible lines */
};

/*
 * Each step shortens the interval of drifts by a third or more. The final interval is smaller than
 * the precision of a double.
 */
#define STEPS 200

static void bounds_done(struct bounds *b)
{
	free(b->upper.v);
	free(b->lower.v);
}

/* --- hulls ------------------------------------------------------------------------------------ */

static int compare_points(const void *pa, const void *pb)
{
	const struct point *a = pa, *b = pb;

	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return a->y < b->y ? -1 : a->y > b->y;
}

/* Keeps the lower (sign 1) or upper (sign -1) convex hull. */
static void keep_hull(struct points *p, double sign)
{
	size_t cnt = 0;

	if (p->cnt)
		qsort(p->v, p->cnt, sizeof(*p->v), compare_points);
	for (size_t i = 0; i < p->cnt; i++) {
		struct point c = p->v[i];

		while (cnt >= 2) {
			struct point a = p->v[cnt - 2], b = p->v[cnt - 1];

			if (sign * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) > 0)
				break;
			cnt--;
		}
		p->v[cnt++] = c;
	}
	p->cnt = cnt;
}

/*
 * Only a damaged file contains other differences of times. Sums of plausible differences fit in 64
 * bits.
 */
static bool is_plausible(__s64 ns)
{
	return ns < 1LL << 60 && ns > -(1LL << 60);
}

static int collect(const struct rsp_crossing *v, size_t cnt, struct bounds *ret)
{
	if (!is_plausible((__s64)(v[0].here_ns - v[0].there_ns)))
		return -ERANGE;
	for (size_t i = 0; i < cnt; i++) {
		struct point *p = rsp_array_add(v[i].arrives_here ? &ret->upper : &ret->lower);
		__s64 x = (__s64)(v[i].there_ns - v[0].there_ns);
		__s64 here = (__s64)(v[i].here_ns - v[0].here_ns);

		if (!p)
			return -ENOMEM;
		if (!is_plausible(x) || !is_plausible(here))
			return -ERANGE;
		*p = (struct point){(double)x, (double)(here - x)};
	}
	return 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Returns the value at x of the highest line with this drift that the bounds allow. */
static double highest(const struct bounds *b, double drift, double x)
{
	double least = INFINITY;

	for (size_t i = 0; i < b->upper.cnt; i++)
		least = fmin(least, b->upper.v[i].y + drift * (x - b->upper.v[i].x));
	return least;
}

static double lowest(const struct bounds *b, double drift, double x)
{
	double most = -INFINITY;

	for (size_t i = 0; i < b->lower.cnt; i++)
		most = fmax(most, b->lower.v[i].y + drift * (x - b->lower.v[i].x));
	return most;
}

static double room(const struct bounds *b, double drift, double x)
{
	return highest(b, drift, x) - lowest(b, drift, x);
}

typedef double (*concave_fn)(const struct bounds *b, double drift, double x);

static double depth(const struct bounds *b, double drift, double x)
{
	return -lowest(b, drift, x);
}

static double best(const struct bounds *b, concave_fn f, double x, double lo, double hi)
{
	for (int i = 0; i < STEPS; i++) {
		double a = lo + (hi - lo) / 3, c = hi - (hi - lo) / 3;

		if (f(b, a, x) < f(b, c, x))
			lo = a;
		else
			hi = c;
	}
	return (lo + hi) / 2;
}

/* possible: any drift that the bounds allow. Returns the drift nearest to limit that they allow. */
static double last_possible(const struct bounds *b, double possible, double limit)
{
	if (room(b, limit, 0) >= 0)
		return limit;
	for (int i = 0; i < STEPS; i++) {
		double mid = (possible + limit) / 2;

		if (room(b, mid, 0) >= 0)
			possible = mid;
		else
			limit = mid;
	}
	return possible;
}

/* *ret_half: half of the distance between the highest and the lowest possible value at x */
static double middle(const struct bounds *b, double x, double lo, double hi, double *ret_half)
{
	double top = highest(b, best(b, highest, x, lo, hi), x);
	double bottom = lowest(b, best(b, depth, x, lo, hi), x);

	*ret_half = (top - bottom) / 2;
	return bottom + *ret_half;
}

/*
 * The bounds allow the line through the middles at both ends of the span: the pairs of values at
 * both ends form a convex area, which contains the middle of its bounding rectangle. No other line
 * has a smaller maximum error at either end.
 */
static int choose(const struct bounds *b, double from, double span, struct rsp_clock_map *ret)
{
	const double limit = RSP_CLOCK_DRIFT_MAX_PPB * 1e-9;
	double drift = best(b, room, 0, -limit, limit), lo, hi, first, last, half[2], y;

	if (room(b, drift, 0) < 0)
		return -ERANGE;
	lo = last_possible(b, drift, -limit);
	hi = last_possible(b, drift, limit);
	first = middle(b, from, lo, hi, &half[0]);
	last = middle(b, from + span, lo, hi, &half[1]);
	/* the quotient is imprecise if the span is short */
	ret->drift = fmin(fmax((last - first) / span, lo), hi);
	ret->drift_error = fmax(hi - ret->drift, ret->drift - lo);
	ret->uncertainty_ns = (__u64)ceil(fmax(half[0], half[1]));
	y = floor(first);
	ret->offset_ns += (__s64)y;
	ret->fraction_ns = first - y;
	return 0;
}

int rsp_clock_fit(const struct rsp_crossing *v, size_t cnt, __u64 from_ns, __u64 to_ns,
		  struct rsp_clock_map *ret)
{
	_cleanup_(bounds_done) struct bounds b = {0};
	struct rsp_clock_map map = {.base_ns = from_ns};
	double from;
	int r;

	if (cnt == 0)
		return -ENODATA;
	if (to_ns <= from_ns)
		to_ns = from_ns + 1;
	r = collect(v, cnt, &b);
	if (r < 0)
		return r;
	map.here_cnt = b.upper.cnt;
	map.there_cnt = b.lower.cnt;
	*ret = map;
	if (!map.here_cnt || !map.there_cnt)
		return -ENOTCONN;
	keep_hull(&b.upper, 1);
	keep_hull(&b.lower, -1);
	map.offset_ns = (__s64)(v[0].here_ns - v[0].there_ns);
	if (!is_plausible((__s64)(from_ns - v[0].there_ns)) ||
	    !is_plausible((__s64)(to_ns - from_ns)))
		return -ERANGE;
	from = (double)(__s64)(from_ns - v[0].there_ns);
	r = choose(&b, from, (double)(to_ns - from_ns), &map);
	if (r == 0)
		*ret = map;
	return r;
}

/*
 * The bounds are whole numbers, so the rounded offset keeps within them, and times keep their
 * order.
 */
static __s64 offset_at(const struct rsp_clock_map *map, __u64 ts_ns)
{
	double x = (double)(__s64)(ts_ns - map->base_ns);

	return map->offset_ns + (__s64)floor(map->fraction_ns + map->drift * x);
}

__u64 rsp_clock_map(const struct rsp_clock_map *map, __u64 ts_ns)
{
	__s64 offset_ns = offset_at(map, ts_ns);

	if (!ts_ns)
		return 0;
	if (offset_ns < 0 && ts_ns <= 0 - (__u64)offset_ns)
		return 1;
	return ts_ns + (__u64)offset_ns;
}

__u64 rsp_clock_unmap(const struct rsp_clock_map *map, __u64 ts_ns)
{
	__u64 guess_ns = ts_ns - (__u64)map->offset_ns;

	for (int i = 0; i < 4; i++) /* each step divides the error by at least a thousand */
		guess_ns = ts_ns - (__u64)offset_at(map, guess_ns);
	return guess_ns;
}
