/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See memory-watch.h. */
#include "memory-watch.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "daemon/clock.h"
#include "daemon/helper.h"
#include "features.h"
#include "lib/base/cleanup.h"
#include "loader.h"
#include "misses.h"
#include "rsp/slo.h"
#include "rsp/unwind.h"
#include "rsp/watch.h"
#include "rsp.skel.h"
#include "visit.h"

/* --- programs --------------------------------------------------------------------------------- */

static int attach_feature(struct rsp_bpf *bpf, enum rsp_feature_index feature)
{
	const char *const *programs = rsp_features[feature].programs;
	int r = 0;

	for (size_t i = 0; programs[i] && r == 0; i++)
		r = rsp_is_loaded(bpf, programs[i]) ? rsp_attach_program(bpf, programs[i])
						    : -EOPNOTSUPP;
	return r;
}

static void detach_feature(struct rsp_bpf *bpf, enum rsp_feature_index feature)
{
	for (const char *const *program = rsp_features[feature].programs; *program; program++)
		rsp_detach_program(bpf, *program);
}

/* The features that watch events. RSP_FEATURE_MEMORY selects threads for them. */
static const struct {
	enum rsp_feature_index feature;
	__u32 kinds;
} watchers[] = {
	{RSP_FEATURE_FAULTS, 1U << RSP_MEMORY_FAULTS},
	{RSP_FEATURE_GROWTH, 1U << RSP_MEMORY_MMAP | 1U << RSP_MEMORY_BRK},
};

#define WATCHER_CNT (sizeof(watchers) / sizeof(watchers[0]))

static int attach(struct rsp_memory_watch *w)
{
	int r = 0;

	for (size_t i = 0; i < WATCHER_CNT && r == 0; i++)
		if (w->kinds & watchers[i].kinds)
			r = attach_feature(w->bpf, watchers[i].feature);
	return r;
}

static __u64 count_missed(const struct rsp_memory_watch *w)
{
	__u64 cnt = 0;

	for (size_t i = 0; i < WATCHER_CNT; i++)
		for (const char *const *program = rsp_features[watchers[i].feature].programs;
		     *program; program++)
			cnt += rsp_misses_of(w->bpf->obj, *program);
	return cnt;
}

static void visit(const struct rsp_memory_watch *w, enum rsp_watch_step step)
{
	__atomic_store_n(&w->bpf->bss->rsp_watch.step, step, __ATOMIC_SEQ_CST);
	rsp_visit(w->bpf->links.on_memory_watch, NULL, NULL);
}

/* --- tables ----------------------------------------------------------------------------------- */

static int put_table(const struct bpf_map *place, enum rsp_memory_table which, int *ret)
{
	const __u32 zero = 0;
	int fd = rsp_helper_make_table(which);

	if (fd < 0)
		return fd;
	*ret = fd;
	return bpf_map_update_elem(bpf_map__fd(place), &zero, &fd, BPF_ANY) < 0 ? -errno : 0;
}

static void remove_table(const struct bpf_map *place)
{
	const __u32 zero = 0;

	(void)bpf_map_delete_elem(bpf_map__fd(place), &zero);
}

/* --- life ------------------------------------------------------------------------------------- */

static int begin_malloc(struct rsp_memory_watch *w, sd_event *event, pid_t pid)
{
	int r;

	if (!rsp_is_loaded(w->bpf, "on_allocator_entry"))
		return -EOPNOTSUPP;
	r = put_table(w->bpf->maps.rsp_memory_blocks, RSP_MEMORY_BLOCKS, &w->blocks);
	return r < 0 ? r : rsp_allocators_begin(&w->allocators, event, pid);
}

int rsp_memory_watch_begin(struct rsp_memory_watch *w, struct rsp_bpf *bpf, sd_event *event,
			   const struct rsp_watch_wish *wish)
{
	struct rsp_watch_knobs *knobs = &bpf->bss->rsp_watch;
	int r;

	*w = (struct rsp_memory_watch){.bpf = bpf,
				       .kinds = wish->memory_kinds,
				       .sums = -1,
				       .blocks = -1,
				       .allocators = {.pipe = -1}};
	if (!w->kinds)
		return 0;
	if (wish->pid <= 0 || (kill(wish->pid, 0) < 0 && errno == ESRCH))
		return -ESRCH;
	memset(bpf->bss->rsp_memory_lost, 0, sizeof(bpf->bss->rsp_memory_lost));
	knobs->memory_tgid = (__u32)wish->pid;
	r = put_table(bpf->maps.rsp_memory_sums, RSP_MEMORY_SUMS, &w->sums);
	if (r == 0)
		r = attach_feature(bpf, RSP_FEATURE_MEMORY);
	if (r < 0)
		return r;
	w->missed = count_missed(w);
	/* Threads that are born from here on are selected by the program at forks. */
	visit(w, RSP_WATCH_BEGIN);
	__atomic_store_n(&knobs->memory_kinds, w->kinds, __ATOMIC_SEQ_CST);
	r = attach(w);
	if (r == 0 && w->kinds & 1U << RSP_MEMORY_MALLOC)
		r = begin_malloc(w, event, wish->pid);
	return r;
}

bool rsp_memory_watch_is_busy(struct rsp_memory_watch *w)
{
	return w->kinds && rsp_allocators_are_busy(&w->allocators);
}

void rsp_memory_watch_end(struct rsp_memory_watch *w)
{
	if (!w->kinds)
		return;
	w->bpf->bss->rsp_watch.memory_kinds = 0;
	for (size_t i = 0; i < WATCHER_CNT; i++)
		detach_feature(w->bpf, watchers[i].feature);
	rsp_allocators_end(&w->allocators);
	visit(w, RSP_WATCH_END);
	detach_feature(w->bpf, RSP_FEATURE_MEMORY);
	remove_table(w->bpf->maps.rsp_memory_blocks);
	remove_table(w->bpf->maps.rsp_memory_sums);
	rsp_cleanup_close(&w->blocks);
	rsp_cleanup_close(&w->sums);
	w->blocks = w->sums = -1;
	w->kinds = 0;
}

/* --- reading ---------------------------------------------------------------------------------- */

static void write_sum(const struct rsp_memory_sum *sum, __u64 ts_ns, rsp_sink_fn sink,
		      void *userdata)
{
	const struct rsp_ev_memory rec = {
		.hdr = {.ts_ns = ts_ns,
			.kind = RSP_EV_MEMORY,
			.size = sizeof(rec),
			.flags = (__u16)sum->kind},
		.tid = sum->tid,
		.tgid = sum->tgid,
		.kstack = sum->kstack,
		.ustack = sum->ustack,
		.cnt = sum->cnt,
		.bytes = sum->bytes,
		.live_cnt = sum->live_cnt,
		.live_bytes = sum->live_bytes,
	};

	if (sum->cnt)
		sink(&rec, sizeof(rec), userdata);
}

void rsp_memory_watch_read(struct rsp_memory_watch *w, rsp_sink_fn sink, void *userdata)
{
	struct rsp_ev_memory_watch rec = {
		.hdr = {.ts_ns = rsp_now_ns(),
			.kind = RSP_EV_MEMORY_WATCH,
			.size = sizeof(rec),
			.flags = (__u16)w->kinds},
	};
	struct rsp_memory_sum sum;
	__u64 key, *previous = NULL;

	if (!w->kinds)
		return;
	rec.tgid = w->bpf->bss->rsp_watch.memory_tgid;
	(void)rsp_allocators_are_busy(&w->allocators);
	rec.function_cnt = w->allocators.function_cnt;
	rec.from_ns = w->bpf->bss->rsp_watch.from_ns;
	/* The programs add sums meanwhile, but there are never more than the table has room for. */
	for (__u32 i = 0; i < RSP_MEMORY_SUM_MAX; i++, previous = &key) {
		if (bpf_map_get_next_key(w->sums, previous, &key) < 0)
			break;
		if (bpf_map_lookup_elem(w->sums, &key, &sum) == 0)
			write_sum(&sum, rec.hdr.ts_ns, sink, userdata);
	}
	memcpy(rec.lost_cnt, w->bpf->bss->rsp_memory_lost, sizeof(rec.lost_cnt));
	rec.lost_cnt[RSP_MEMORY_LOST_SKIPPED] += count_missed(w) - w->missed;
	sink(&rec, sizeof(rec), userdata);
}
