/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes figures about functions independent of the number of samples.
 *
 * Chance decides which runs on a CPU contain a sample. So a function may have no time only because
 * no sample hit it. Two rules remove such differences:
 *
 * 1. Time without a known function is distributed over the functions, in each unit in proportion to
 *    their known time. A unit without samples gets the mean shares of all units.
 * 2. The test assumes at least the variance that counting samples causes. If each of n samples hits
 *    a function with probability p, the number of hits has the mean n p and the variance n p (1 -
 *    p). p is the function's mean share in all units.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/diff/diff-parts.h"

static double *new_values(const struct rsp_diff *d)
{
	return calloc(d->unit_room, sizeof(double));
}

int rsp_diff_pool(struct rsp_diff *d, const char *name, __u32 *ret)
{
	struct rsp_diff_pool *pool;
	uint32_t id;

	if (rsp_intern_put(&d->pool_keys, name, strlen(name), &id) < 0)
		return -ENOMEM;
	if (id == d->pools.cnt) {
		pool = rsp_array_add(&d->pools);
		if (!pool)
			return -ENOMEM;
		pool->known_ns = new_values(d);
		pool->unknown_ns = new_values(d);
		pool->sample_cnt = new_values(d);
	}
	*ret = id + 1;
	pool = &d->pools.v[id];
	return pool->known_ns && pool->unknown_ns && pool->sample_cnt ? 0 : -ENOMEM;
}

void rsp_diff_pool_add(struct rsp_diff *d, __u32 pool, double known_ns, double unknown_ns,
		       double sample_cnt)
{
	struct rsp_diff_pool *p = &d->pools.v[pool - 1];

	p->known_ns[d->unit_cnt] += known_ns;
	p->unknown_ns[d->unit_cnt] += unknown_ns;
	p->sample_cnt[d->unit_cnt] += sample_cnt;
}

void rsp_diff_pools_done(struct rsp_diff *d)
{
	for (size_t i = 0; i < d->pools.cnt; i++) {
		free(d->pools.v[i].known_ns);
		free(d->pools.v[i].unknown_ns);
		free(d->pools.v[i].sample_cnt);
	}
	free(d->pools.v);
	rsp_intern_done(&d->pool_keys);
}

static double sum_of(const struct rsp_diff *d, const double *values)
{
	double sum = 0;

	for (size_t u = 0; u < d->unit_cnt; u++)
		sum += values[u];
	return sum;
}

static double share_in(const struct rsp_diff_pool *pool, const struct rsp_diff_row *row, size_t u)
{
	return pool->known_ns[u] > 0 ? row->values[u] / pool->known_ns[u] : row->share;
}

static void share(const struct rsp_diff *d, struct rsp_diff_row *row)
{
	const struct rsp_diff_pool *pool = &d->pools.v[row->pool - 1];
	double known_ns = sum_of(d, pool->known_ns);

	if (known_ns <= 0)
		return;
	row->share = row->is_unknown ? 0 : sum_of(d, row->values) / known_ns;
	for (size_t u = 0; u < d->unit_cnt; u++) {
		if (row->is_unknown)
			row->values[u] = 0;
		else
			row->values[u] += pool->unknown_ns[u] * share_in(pool, row, u);
	}
}

void rsp_diff_pools_share(struct rsp_diff *d)
{
	for (size_t i = 0; i < d->rows.cnt; i++)
		if (d->rows.v[i].pool)
			share(d, &d->rows.v[i]);
}

double rsp_diff_pool_noise(const struct rsp_diff *d, const struct rsp_diff_row *row, size_t unit)
{
	const struct rsp_diff_pool *pool;
	double ns, sample_cnt;

	if (!row->pool)
		return 0;
	pool = &d->pools.v[row->pool - 1];
	ns = (pool->known_ns[unit] + pool->unknown_ns[unit]) * d->units[unit].scale;
	sample_cnt = pool->sample_cnt[unit];
	return ns * ns * row->share * (1 - row->share) / (sample_cnt > 1 ? sample_cnt : 1);
}
