/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that hold for any explanation: its parts add up. */
#ifndef RSP_TESTS_SUMS_H
#define RSP_TESTS_SUMS_H

#include "lib/model/explain/explain.h"

static inline void check_paths(const struct rsp_path_profile *p)
{
	__u64 by_path = 0, by_category = 0, by_chain = 0, by_stack = 0;

	for (size_t i = 0; i < p->cnt; i++)
		by_path += p->v[i].ns;
	for (size_t cat = 0; cat < RSP_CAT_MAX; cat++)
		by_category += p->cat_ns[cat];
	for (size_t i = 0; i < p->chain_cnt; i++)
		by_chain += p->chains[i].ns;
	for (size_t i = 0; i < p->stack_cnt; i++) {
		const struct rsp_pseudo_stack *stack = &p->stacks[i];

		by_stack += stack->to_ns - stack->from_ns;
		assert_true(stack->path < p->cnt && stack->chain < p->chain_cnt);
		if (i > 0 && stack[-1].path == stack->path)
			assert_true(stack[-1].to_ns <= stack->from_ns);
	}
	assert_int_equal(by_path, p->total_ns);
	assert_int_equal(by_category, p->total_ns);
	assert_int_equal(by_chain, p->total_ns);
	assert_int_equal(by_stack, p->total_ns);
}

static inline void check_survey(const struct rsp_explanation *e)
{
	__u64 disk_ns = e->cat_ns[RSP_CAT_DISK_ACTIVE] + e->cat_ns[RSP_CAT_DISK_QUEUED];
	__u64 by_request = 0;

	for (size_t i = 0; i < e->survey.io.cnt; i++)
		by_request += e->survey.io.v[i].target_ns;
	/*
	 * A wait for a disk request includes time before and after the request, which counts as
	 * time in the kernel.
	 */
	assert_true(by_request >= disk_ns);
	assert_true(by_request <= disk_ns + e->cat_ns[RSP_CAT_KERNEL]);
}

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
	check_paths(&e->paths);
	check_survey(e);
}

#endif
