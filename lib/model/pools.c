/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See pools.h. */
#include "pools.h"

#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"

/* The scheduler's function lies within so many innermost frames. */
#define FRAMES_MAX 16

/* Go (src/runtime/proc.go): a thread without a goroutine looks for one, or parks. */
static const char *const scheduler_functions[] = {
	"runtime.findRunnable",
	"runtime.findrunnable", /* before Go 1.19 */
	"runtime.stopm",
};

static bool is_of_scheduler(const struct rsp_trace *trace, __u64 ustack)
{
	struct rsp_frame frames[FRAMES_MAX];
	size_t cnt = rsp_trace_frames(trace, ustack, frames, FRAMES_MAX);

	for (size_t i = 0; i < cnt; i++)
		for (size_t k = 0; k < sizeof(scheduler_functions) / sizeof(scheduler_functions[0]);
		     k++)
			if (strcmp(frames[i].symbol, scheduler_functions[k]) == 0)
				return true;
	return false;
}

static int look_at(struct rsp_pools *p, struct rsp_idmap *seen, const struct rsp_trace *trace,
		   __u64 ustack)
{
	if (!ustack || rsp_idmap_get(seen, ustack, &(uint64_t){0}))
		return 0;
	if (rsp_idmap_put(seen, ustack, 0) < 0)
		return -ENOMEM;
	return is_of_scheduler(trace, ustack) ? rsp_idmap_put(&p->stacks, ustack, 0) : 0;
}

int rsp_pools_find(const struct rsp_model *m, struct rsp_pools *ret)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap seen = {0};
	struct rsp_pools pools = {0};

	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_thread *t = &m->threads.v[i];

		for (size_t k = 0; k < t->spans.cnt; k++) {
			const struct rsp_span *span = &t->spans.v[k];

			if (span->kind != RSP_SPAN_BLOCKED || !span->out)
				continue;
			if (look_at(&pools, &seen, m->trace, span->out->ustack) == 0)
				continue;
			rsp_pools_done(&pools);
			return -ENOMEM;
		}
	}
	*ret = pools;
	return 0;
}

void rsp_pools_done(struct rsp_pools *p)
{
	rsp_idmap_done(&p->stacks);
}

/*
 * Go's scheduler also sleeps for some microseconds before it takes a goroutine from the queue of
 * another CPU. What ends such a sleep does not tell where the goroutine is from.
 */
bool rsp_pools_waits_for_work(const struct rsp_pools *p, const struct rsp_span *span)
{
	return p->stacks.cnt && span->kind == RSP_SPAN_BLOCKED && span->out &&
	       !(span->flags & RSP_SW_SLEEP) &&
	       rsp_idmap_get(&p->stacks, span->out->ustack, &(uint64_t){0});
}
