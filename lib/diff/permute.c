/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See permute.h. The random divisions come from a pseudo-random generator with a constant seed, so
 * the same input always gives the same result.
 */
#include "lib/diff/permute.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"

/* A smaller statistic is never significant: see rsp_permute_input.fudge. */
#define STATISTIC_MIN 2

/*
 * Maximum number of divisions. If units can be divided in more ways, this number of random
 * divisions is used, and the standard error of a p-value of 5 % is 0.3 %.
 */
#define WAYS_MAX 5000

struct permute {
	const struct rsp_permute_input *in;
	size_t cnt[2]; /* number of units of each side */
	double *most;  /* one value per division: the largest statistic among all rows */
	size_t way_cnt;
};

__u64 rsp_permute_ways(size_t units_a, size_t units_b)
{
	size_t n = units_a + units_b, k = units_a < units_b ? units_a : units_b;
	__u64 ways = 1;

	for (size_t i = 1; i <= k; i++) {
		if (ways > UINT64_MAX / (n - k + i))
			return UINT64_MAX;
		ways = ways * (n - k + i) / i;
	}
	return ways;
}

struct moments {
	double mean[2], error;
};

/*
 * Returns the square of the standard error of a mean. noise: sum of rsp_permute_input.noise over
 * the units of the side, which gives a lower limit.
 */
static double error_of(double squares, double noise, size_t cnt)
{
	double seen = squares / (double)(cnt * (cnt - 1)), least = noise / (double)(cnt * cnt);

	return seen > least ? seen : least;
}

/*
 * Returns the means of both sides, and the standard error of their difference for unequal variances
 * (Welch).
 */
static struct moments moments_of(const struct permute *p, size_t row, const __u8 *side)
{
	const double *v = p->in->values + row * p->in->unit_cnt;
	const double *variance = p->in->noise ? p->in->noise + row * p->in->unit_cnt : NULL;
	double sum[2] = {0}, squares[2] = {0}, noise[2] = {0};
	struct moments m;

	for (size_t u = 0; u < p->in->unit_cnt; u++)
		sum[side[u]] += v[u];
	for (size_t s = 0; s < 2; s++)
		m.mean[s] = sum[s] / (double)p->cnt[s];
	for (size_t u = 0; u < p->in->unit_cnt; u++) {
		squares[side[u]] += (v[u] - m.mean[side[u]]) * (v[u] - m.mean[side[u]]);
		noise[side[u]] += variance ? variance[u] : 0;
	}
	m.error = 0;
	for (size_t s = 0; s < 2; s++)
		m.error += error_of(squares[s], noise[s], p->cnt[s]);
	m.error = sqrt(m.error);
	return m;
}

static double statistic(const struct moments *m, double fudge)
{
	double difference = fabs(m->mean[1] - m->mean[0]), scale = m->error + fudge;

	return scale > 0 ? difference / scale : 0;
}

static void divide(struct permute *p, const __u8 *side)
{
	const struct rsp_permute_input *in = p->in;
	double most = 0;

	for (size_t row = 0; row < in->row_cnt; row++) {
		struct moments m = moments_of(p, row, side);
		double d = statistic(&m, in->fudge[row]);

		most = d > most ? d : most;
	}
	p->most[p->way_cnt++] = most;
}

/*
 * Returns the next larger number with the same number of set bits (Gosper's hack). Bit u is the
 * side of unit u.
 */
static __u64 next_division(__u64 bits)
{
	__u64 low = bits & -bits, carried = bits + low;

	return (((bits ^ carried) >> 2) / low) | carried;
}

/* The shift cannot overflow: there are at most RSP_PERMUTE_UNITS_MAX units. */
static void divide_in_all_ways(struct permute *p, size_t way_cnt)
{
	__u64 bits = (1ULL << p->cnt[1]) - 1;
	__u8 side[RSP_PERMUTE_UNITS_MAX];

	for (size_t i = 0; i < way_cnt; i++) {
		for (size_t u = 0; u < p->in->unit_cnt; u++)
			side[u] = bits >> u & 1;
		divide(p, side);
		if (i + 1 < way_cnt)
			bits = next_division(bits);
	}
}

/* Returns a pseudo-random number (SplitMix64). */
static __u64 draw(__u64 *state)
{
	__u64 z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/*
 * Computes the statistics of the given division and of random ones. Because the given division is
 * included, no p-value is 0 (Phipson and Smyth, 2010).
 */
static void divide_at_random(struct permute *p, size_t way_cnt)
{
	__u8 side[RSP_PERMUTE_UNITS_MAX];
	__u64 state = 1;

	memcpy(side, p->in->side, p->in->unit_cnt);
	divide(p, side);
	for (size_t i = 1; i < way_cnt; i++) {
		for (size_t u = p->in->unit_cnt - 1; u > 0; u--) {
			size_t other = draw(&state) % (u + 1);
			__u8 swapped = side[u];

			side[u] = side[other];
			side[other] = swapped;
		}
		divide(p, side);
	}
}

static int compare_descending(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return a < b ? 1 : a > b ? -1 : 0;
}

/*
 * Returns whether most >= d, apart from rounding errors: adding the same values in another order
 * may change the last bits of a sum.
 */
static bool reaches(double most, double d)
{
	return most >= d - d * 1e-9;
}

static size_t count_reaching(const struct permute *p, double d)
{
	size_t lo = 0, hi = p->way_cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (reaches(p->most[mid], d))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void judge(const struct permute *p, struct rsp_permute_row *rows)
{
	const struct rsp_permute_input *in = p->in;
	double critical = p->most[(size_t)(RSP_PERMUTE_ALPHA * (double)p->way_cnt)];

	if (critical < STATISTIC_MIN)
		critical = STATISTIC_MIN;
	for (size_t row = 0; row < in->row_cnt; row++) {
		struct moments m = moments_of(p, row, in->side);
		double d = statistic(&m, in->fudge[row]);

		rows[row] = (struct rsp_permute_row){
			.mean = {m.mean[0], m.mean[1]},
			.p = d > 0 ? (double)count_reaching(p, d) / (double)p->way_cnt : 1,
			.margin = critical * (m.error + in->fudge[row]),
		};
		rows[row].is_significant = rows[row].p <= RSP_PERMUTE_ALPHA && d > critical;
	}
}

int rsp_permute(const struct rsp_permute_input *in, struct rsp_permute_result *ret)
{
	_cleanup_free_ struct rsp_permute_row *rows = NULL;
	_cleanup_free_ double *most = NULL;
	struct permute p = {.in = in};
	__u64 ways;

	if (in->unit_cnt > RSP_PERMUTE_UNITS_MAX)
		return -EINVAL;
	for (size_t u = 0; u < in->unit_cnt; u++)
		p.cnt[in->side[u] & 1]++;
	if (p.cnt[0] < 2 || p.cnt[1] < 2)
		return -EINVAL;
	ways = rsp_permute_ways(p.cnt[0], p.cnt[1]);
	ret->all = ways <= WAYS_MAX;
	ret->ways = ret->all ? ways : WAYS_MAX;
	rows = calloc(in->row_cnt + 1, sizeof(*rows));
	p.most = most = calloc((size_t)ret->ways, sizeof(*most));
	if (!rows || !most)
		return -ENOMEM;
	if (ret->all)
		divide_in_all_ways(&p, (size_t)ways);
	else
		divide_at_random(&p, WAYS_MAX);
	qsort(most, p.way_cnt, sizeof(*most), compare_descending);
	judge(&p, rows);
	ret->rows = rsp_take_ptr(rows);
	return 0;
}
