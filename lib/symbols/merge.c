/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See merge.h. */
#include "lib/symbols/merge.h"

#include <string.h>

struct run {
	const struct rsp_frame *v;
	size_t cnt;
};

/* The module is "[jit]" if the code was recognized as generated, and otherwise "?". */
static bool is_fileless(const struct rsp_frame *f)
{
	return strcmp(f->module, "?") == 0 || strcmp(f->module, "[jit]") == 0;
}

static bool same_module(const struct rsp_frame *a, const struct rsp_frame *b)
{
	return (is_fileless(a) && is_fileless(b)) || strcmp(a->module, b->module) == 0;
}

/* Removes the leading frames that are all in one module from rest. */
static struct run next_run(struct run *rest)
{
	struct run run = {rest->v, 0};

	while (run.cnt < rest->cnt && same_module(&rest->v[run.cnt], &rest->v[0]))
		run.cnt++;
	rest->v += run.cnt;
	rest->cnt -= run.cnt;
	return run;
}

static bool same_modules(struct run a, struct run b)
{
	while (a.cnt && b.cnt) {
		struct run x = next_run(&a), y = next_run(&b);

		if (!same_module(x.v, y.v))
			return false;
	}
	return !a.cnt && !b.cnt;
}

/* "[jit]" and "[vdso]" are modules, not names. */
static size_t nameless_cnt(struct run run)
{
	size_t cnt = 0;

	for (size_t i = 0; i < run.cnt; i++)
		if (!rsp_frame_has_name(&run.v[i]) || strcmp(run.v[i].symbol, run.v[i].module) == 0)
			cnt++;
	return cnt;
}

static struct run better(struct run former, struct run later)
{
	size_t f = nameless_cnt(former), l = nameless_cnt(later);

	if (f != l)
		return f < l ? former : later;
	return later.cnt > former.cnt ? later : former;
}

size_t rsp_frames_merge(const struct rsp_frame *former, size_t former_cnt,
			const struct rsp_frame *later, size_t later_cnt, struct rsp_frame *ret,
			size_t max)
{
	struct run a = {former, former_cnt}, b = {later, later_cnt};
	bool alike = same_modules(a, b);
	size_t cnt = 0;

	do {
		struct run run = alike && a.cnt ? better(next_run(&a), next_run(&b)) : better(a, b);

		for (size_t i = 0; i < run.cnt && cnt < max; i++)
			ret[cnt++] = run.v[i];
	} while (alike && a.cnt);
	return cnt;
}
