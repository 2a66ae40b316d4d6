/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of findings: makes the explanation of a program named app from a few chains, and checks
 * the findings that result from it.
 */
#ifndef RSP_TESTS_UNIT_FINDINGS_H
#define RSP_TESTS_UNIT_FINDINGS_H

#include <stdbool.h>
#include <string.h>

#include "lib/report/report.h"

#define LEAF(cat, ...)                                                                             \
	{                                                                                          \
		.kind = RSP_HOP_LEAF, .category = (cat), __VA_ARGS__                               \
	}
#define BLOCKED(...)                                                                               \
	{                                                                                          \
		.kind = RSP_HOP_BLOCKED, __VA_ARGS__                                               \
	}

static inline void complete(struct rsp_hop *hop)
{
	hop->comm = hop->comm ? hop->comm : "app";
	hop->object = hop->object ? hop->object : "";
	hop->behind = hop->behind ? hop->behind : "";
	hop->container = hop->container ? hop->container : "";
	hop->syscall = hop->syscall ? hop->syscall : "";
	if (*hop->comm) {
		hop->tgid = hop->tgid ? hop->tgid : 7;
		hop->tid = hop->tid ? hop->tid : 7;
		hop->task_cnt = 1;
	}
}

static inline void give_samples(struct rsp_chain *chain, __u32 *next)
{
	static __u32 numbers[1 << 16];
	__u32 *samples = &numbers[*next];

	if (!rsp_hop_is_sampled(&chain->hops[chain->hop_cnt - 1]))
		return;
	chain->sample_cnt = chain->ns / (10 * MS);
	assert_true(*next + chain->sample_cnt <= sizeof(numbers) / sizeof(numbers[0]));
	chain->samples = samples;
	for (size_t i = 0; i < chain->sample_cnt; i++)
		samples[i] = (*next)++;
}

static inline struct rsp_explanation explanation(struct rsp_chain *chains, size_t cnt)
{
	static const struct rsp_meta meta = {.target_pid = 7};
	struct rsp_explanation e = {
		.meta = &meta,
		.comm = "app",
		.root_cnt = 1,
		.chains = chains,
		.chain_cnt = cnt,
	};
	__u32 next = 0;

	for (size_t c = 0; c < cnt; c++) {
		struct rsp_chain *chain = &chains[c];

		for (size_t i = 0; i < chain->hop_cnt; i++)
			complete(&chain->hops[i]);
		give_samples(chain, &next);
		e.cat_ns[chain->hops[chain->hop_cnt - 1].category] += chain->ns;
		e.total_ns += chain->ns;
	}
	e.wall_ns = e.window_ns = e.clock_ns = e.total_ns;
	return e;
}

static inline void expect_no_overlap(const struct rsp_explanation *e,
				     const struct rsp_findings *got)
{
	static const char *const whole[] = {"polled_for",     "late_poll",	 "short_processes",
					    "cpu_contention", "nothing_to_gain", "lossy"};
	__u64 sum_ns = 0;

	for (size_t i = 0; i < got->cnt; i++) {
		bool is_part = true;

		for (size_t k = 0; k < sizeof(whole) / sizeof(whole[0]); k++)
			is_part &= strcmp(got->v[i].kind, whole[k]) != 0;
		sum_ns += is_part ? got->v[i].ns : 0;
	}
	assert_true(sum_ns <= e->total_ns);
}

static inline void expect(const struct rsp_explanation *e, const char *const *want)
{
	struct rsp_findings got = {0};
	size_t cnt = 0;

	while (want[cnt])
		cnt++;
	assert_int_equal(rsp_findings_make(e, &got), 0);
	for (size_t i = 0; i < got.cnt && i < cnt; i++)
		assert_string_equal(got.v[i].text, want[i]);
	assert_int_equal(got.cnt, cnt);
	for (size_t i = 2; i < got.cnt; i++)
		assert_true(got.v[i - 1].ns >= got.v[i].ns);
	expect_no_overlap(e, &got);
	rsp_findings_done(&got);
	assert_null(got.v);
}

static inline void expect_one(const struct rsp_explanation *e, const char *kind, const char *text)
{
	struct rsp_findings got = {0};

	assert_int_equal(rsp_findings_make(e, &got), 0);
	assert_int_equal(got.cnt, 1);
	assert_string_equal(got.v[0].kind, kind);
	if (text)
		assert_string_equal(got.v[0].text, text);
	assert_int_equal(got.v[0].ns, e->total_ns);
	rsp_findings_done(&got);
}

#endif
