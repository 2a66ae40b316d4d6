/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What holds for any explanation: chains add up to categories, those and the processes to the
 * total. */
#ifndef RSP_TESTS_SUMS_H
#define RSP_TESTS_SUMS_H

#include "lib/model/explain.h"

static inline void check_sums(const struct rsp_explanation *e)
{
	__u64 cat_ns[RSP_CAT_MAX] = {0}, by_process = 0, total = 0;

	for (size_t i = 0; i < e->chain_cnt; i++) {
		const struct rsp_hop *last = &e->chains[i].hops[e->chains[i].hop_cnt - 1];

		assert_true(e->chains[i].hop_cnt > 0);
		assert_int_equal(last->kind, RSP_HOP_LEAF);
		cat_ns[last->category] += e->chains[i].ns;
	}
	for (size_t cat = 0; cat < RSP_CAT_MAX; cat++) {
		assert_int_equal(cat_ns[cat], e->cat_ns[cat]);
		total += cat_ns[cat];
	}
	for (size_t i = 0; i < e->process_cnt; i++)
		by_process += e->processes[i].ns;
	assert_int_equal(total, e->total_ns);
	assert_int_equal(by_process, e->total_ns);
}

#endif
