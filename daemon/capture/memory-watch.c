/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See memory-watch.h. */
#include "daemon/capture/memory-watch.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/helper.h"
#include "daemon/capture/features.h"
#include "daemon/capture/loader.h"
#include "daemon/capture/misses.h"
#include "daemon/capture/visit.h"
#include "lib/base/cleanup.h"
#include "rsp/event.h"
#include "rsp/slo.h"
#include "rsp/unwind.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

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

/* These features watch only the threads that RSP_FEATURE_MEMORY selects. */
static const struct {
	enum rsp_feature_index feature;
	__u32 kinds;
} watchers[] = {
	{RSP_FEATURE_FAULTS, 1U << RSP_MEMORY_FAULTS},
	{RSP_FEATURE_GROWTH, 1U << RSP_MEMORY_MMAP | 1U << RSP_MEMORY_BRK},
	{RSP_FEATURE_MALLOC_FILES, 1U << RSP_MEMORY_MALLOC},
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

static struct bpf_map *place_of(const struct rsp_memory_watch *w, enum rsp_memory_table which)
{
	struct bpf_map *const places[RSP_MEMORY_TABLE_CNT] = {
		[RSP_MEMORY_SUMS] = w->bpf->maps.rsp_memory_sums,
		[RSP_MEMORY_BLOCKS] = w->bpf->maps.rsp_memory_blocks,
		[RSP_MEMORY_FILES] = w->bpf->maps.rsp_memory_files,
		[RSP_MEMORY_NOTICES] = w->bpf->maps.rsp_memory_notices,
	};

	return places[which];
}

static int put_table(struct rsp_memory_watch *w, enum rsp_memory_table which)
{
	const __u32 zero = 0;
	int fd = rsp_helper_make_table(which);

	if (fd < 0)
		return fd;
	w->tables[which] = fd;
	return bpf_map_update_elem(bpf_map__fd(place_of(w, which)), &zero, &fd, BPF_ANY) < 0
		       ? -errno
		       : 0;
}

/* Only a watch of allocators needs tables other than RSP_MEMORY_SUMS. */
static int put_tables(struct rsp_memory_watch *w)
{
	int r = put_table(w, RSP_MEMORY_SUMS);

	for (__u32 i = 0; i < RSP_MEMORY_TABLE_CNT && r == 0; i++)
		if (i != RSP_MEMORY_SUMS && w->kinds & 1U << RSP_MEMORY_MALLOC)
			r = put_table(w, i);
	return r;
}

static void remove_tables(struct rsp_memory_watch *w)
{
	const __u32 zero = 0;

	for (__u32 i = 0; i < RSP_MEMORY_TABLE_CNT; i++) {
		(void)bpf_map_delete_elem(bpf_map__fd(place_of(w, i)), &zero);
		rsp_cleanup_close(&w->tables[i]);
		w->tables[i] = -1;
	}
}

/* --- life ------------------------------------------------------------------------------------- */

static bool can_watch(const struct rsp_memory_watch *w)
{
	return !(w->kinds & 1U << RSP_MEMORY_MALLOC) || rsp_is_loaded(w->bpf, "on_allocator_entry");
}

/*
 * The notices about processes that existed at the beginning of the watch are already in the ring.
 */
static int begin_malloc(struct rsp_memory_watch *w, sd_event *event,
			const struct rsp_watch_request *request)
{
	return rsp_allocators_begin(&w->allocators, event,
				    &(struct rsp_allocators_request){
					    .pid = request->pid,
					    .files = w->tables[RSP_MEMORY_FILES],
					    .notices = w->tables[RSP_MEMORY_NOTICES],
				    });
}

int rsp_memory_watch_begin(struct rsp_memory_watch *w, struct rsp_bpf *bpf, sd_event *event,
			   const struct rsp_watch_request *request)
{
	struct rsp_watch_knobs *knobs = &bpf->bss->rsp_watch;
	int r;

	*w = (struct rsp_memory_watch){
		.bpf = bpf, .kinds = request->memory_kinds, .tables = {-1, -1, -1, -1}};
	if (!w->kinds)
		return 0;
	if (request->pid <= 0 || (kill(request->pid, 0) < 0 && errno == ESRCH))
		return -ESRCH;
	if (!can_watch(w))
		return -EOPNOTSUPP;
	bpf->bss->rsp_memory_notice_cnt = 0;
	memset(bpf->bss->rsp_memory_lost, 0, sizeof(bpf->bss->rsp_memory_lost));
	knobs->memory_tgid = (__u32)request->pid;
	r = put_tables(w);
	if (r == 0)
		r = attach_feature(bpf, RSP_FEATURE_MEMORY);
	if (r < 0)
		return r;
	w->missed = count_missed(w);
	__atomic_store_n(&knobs->memory_kinds, w->kinds, __ATOMIC_SEQ_CST);
	r = attach(w);
	/*
	 * The BPF program at forks selects the threads that are born from here on. visit() selects
	 * the existing threads.
	 */
	visit(w, RSP_WATCH_BEGIN);
	if (r == 0 && w->kinds & 1U << RSP_MEMORY_MALLOC)
		r = begin_malloc(w, event, request);
	return r;
}

static __u64 notice_cnt(const struct rsp_memory_watch *w)
{
	return __atomic_load_n(&w->bpf->bss->rsp_memory_notice_cnt, __ATOMIC_SEQ_CST);
}

bool rsp_memory_watch_is_busy(const struct rsp_memory_watch *w)
{
	return w->kinds && rsp_allocators_are_busy(&w->allocators, notice_cnt(w));
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
	remove_tables(w);
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

/* A notice that is not handled yet counts as a file that was not searched. */
static void describe_allocators(const struct rsp_memory_watch *w, struct rsp_ev_memory_watch *rec)
{
	const struct rsp_allocators_state *state = w->allocators.state;
	__u64 sent_cnt = notice_cnt(w);

	if (!state)
		return;
	rec->function_cnt = state->function_cnt;
	rec->lost_cnt[RSP_MEMORY_LOST_LATE] = state->late_cnt;
	rec->late_ns = state->late_ns;
	rec->lost_cnt[RSP_MEMORY_LOST_STATIC] = state->static_cnt;
	rec->lost_cnt[RSP_MEMORY_LOST_CHILDREN] += state->child_cnt;
	rec->lost_cnt[RSP_MEMORY_LOST_PROBES] = state->failed_cnt;
	rec->lost_cnt[RSP_MEMORY_LOST_LATE_CHILDREN] = state->late_child_cnt;
	rec->lost_cnt[RSP_MEMORY_LOST_FILES] += state->unseen_cnt + state->pending_cnt;
	if (sent_cnt > state->notice_cnt)
		rec->lost_cnt[RSP_MEMORY_LOST_FILES] += sent_cnt - state->notice_cnt;
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
	rec.from_ns = w->bpf->bss->rsp_watch.from_ns;
	/* The BPF programs add sums during the loop, so the number of steps is limited. */
	for (__u32 i = 0; i < RSP_MEMORY_SUM_MAX; i++, previous = &key) {
		if (bpf_map_get_next_key(w->tables[RSP_MEMORY_SUMS], previous, &key) < 0)
			break;
		if (bpf_map_lookup_elem(w->tables[RSP_MEMORY_SUMS], &key, &sum) == 0)
			write_sum(&sum, rec.hdr.ts_ns, sink, userdata);
	}
	memcpy(rec.lost_cnt, w->bpf->bss->rsp_memory_lost, sizeof(rec.lost_cnt));
	rec.lost_cnt[RSP_MEMORY_LOST_SKIPPED] += count_missed(w) - w->missed;
	describe_allocators(w, &rec);
	sink(&rec, sizeof(rec), userdata);
}
