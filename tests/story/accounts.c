/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verbs of a story (story.h): accounted CPU times of threads and CPUs, system calls, and watched
 * memory.
 */
#include "lib/snapshot/decode.h"
#include "tests/story/story-parts.h"
#include "tests/story/words.h"

#define CPUS_MAX (STORY_CPUS - 1)

static __u64 us_of(struct words *w, const char *key)
{
	return 1000 * words_value(w, key, UINT32_MAX, 0);
}

static __u16 reason(struct words *w)
{
	if (words_flag(w, "begin"))
		return RSP_ACCOUNT_BEGIN;
	if (words_flag(w, "exec"))
		return RSP_ACCOUNT_EXEC;
	return words_flag(w, "exit") ? RSP_ACCOUNT_EXIT : RSP_ACCOUNT_READ;
}

static __u16 how(struct words *w)
{
	__u16 flags = words_flag(w, "exact") ? RSP_ACCOUNT_EXACT : 0;

	return words_flag(w, "noirqs") ? flags | RSP_ACCOUNT_NO_IRQS : flags;
}

void story_tell_account(struct story *s, struct words *w)
{
	struct rsp_ev_account *ev = story_record(s, RSP_EV_ACCOUNT, sizeof(*ev), 0);

	ev->tid = (__u32)words_number(w, "the thread", STORY_TIDS - 1);
	ev->tgid = (__u32)words_value(w, "pid", STORY_TIDS - 1, ev->tid);
	ev->user_ns = us_of(w, "user");
	ev->system_ns = us_of(w, "system");
	ev->hdr.flags = reason(w) | how(w);
}

void story_tell_calls(struct story *s, struct words *w)
{
	struct rsp_ev_calls *ev = story_record(s, RSP_EV_CALLS, sizeof(*ev), 0);
	const char *from;

	ev->tid = (__u32)words_number(w, "the thread", STORY_TIDS - 1);
	ev->syscall_nr = (__s32)words_value(w, "sys", UINT32_MAX, (__u64)RSP_CALLS_OTHER);
	from = words_text(w, "from");
	ev->from_ns = story_ns(from ? from : "0");
	ev->cnt = words_value(w, "cnt", UINT32_MAX, 0);
	ev->sum_ns = us_of(w, "sum");
	ev->min_ns = us_of(w, "min");
	ev->max_ns = us_of(w, "max");
	ev->pending_ns = us_of(w, "pending");
	ev->hdr.flags = reason(w);
}

void story_tell_cpu_time(struct story *s, struct words *w)
{
	struct rsp_ev_cpu_time *ev = story_record(s, RSP_EV_CPU_TIME, sizeof(*ev), 0);

	ev->hdr.cpu = (__u16)words_number(w, "the CPU", CPUS_MAX);
	ev->user_ns = us_of(w, "user");
	ev->system_ns = us_of(w, "system");
	ev->steal_ns = us_of(w, "steal");
	ev->idle_ns = us_of(w, "idle");
}

void story_tell_stolen(struct story *s, struct words *w)
{
	struct rsp_ev_stolen *ev = story_record(s, RSP_EV_STOLEN, sizeof(*ev), 0);

	ev->tid = (__u32)words_number(w, "the thread", STORY_TIDS - 1);
	ev->stolen_ns = 1000 * words_number(w, "the microseconds", UINT32_MAX);
}

void story_tell_memory_sum(struct story *s, struct words *w)
{
	struct rsp_ev_memory *ev = story_record(s, RSP_EV_MEMORY, sizeof(*ev), 0);
	const char *kind;

	ev->tid = (__u32)words_number(w, "the thread", STORY_TIDS - 1);
	ev->tgid = (__u32)words_value(w, "pid", STORY_TIDS - 1, ev->tid);
	kind = words_text(w, "kind");
	ev->hdr.flags = (__u16)rsp_memory_kind_parse(kind ? kind : "");
	ev->cnt = words_value(w, "cnt", UINT32_MAX, 0);
	ev->bytes = words_value(w, "bytes", UINT32_MAX, 0);
	ev->live_cnt = words_value(w, "livecnt", UINT32_MAX, 0);
	ev->live_bytes = words_value(w, "live", UINT32_MAX, 0);
	ev->kstack = words_value(w, "k", UINT32_MAX, 0);
	ev->ustack = words_value(w, "u", UINT32_MAX, 0);
}

void story_tell_memory_watch(struct story *s, struct words *w)
{
	struct rsp_ev_memory_watch *ev = story_record(s, RSP_EV_MEMORY_WATCH, sizeof(*ev), 0);
	const char *kind;

	ev->tgid = (__u32)words_number(w, "the process", STORY_TIDS - 1);
	kind = words_text(w, "kind");
	ev->hdr.flags = (__u16)(1U << rsp_memory_kind_parse(kind ? kind : ""));
	ev->lost_cnt[RSP_MEMORY_LOST_STACKS] = words_value(w, "lost", UINT32_MAX, 0);
}
