/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a DELAY record for a disk request that the I/O limit of a cgroup (io.max,
 * blkio.throttle.*) held back: a dedicated kernel worker then makes the request. record_release()
 * recognizes the request at its first INSERT, ISSUE or COMPLETE event, since earlier events do not
 * contain its address. Without I/O limits, the worker never runs, and this code costs little.
 */
#ifndef RSP_IO_LIMIT_BPF_H
#define RSP_IO_LIMIT_BPF_H

#include "bpf/cgroup.bpf.h"

#define PF_WQ_WORKER 0x00000020

/* The kernel's headers do not contain these types, and some need CONFIG_BLK_DEV_THROTTLING. */
struct worker___rsp {
	void *current_func;
	struct work_struct *current_work;
} __attribute__((preserve_access_index));

struct kthread___rsp {
	struct worker___rsp *data;
} __attribute__((preserve_access_index));

struct throtl_service_queue___rsp {
	struct throtl_service_queue___rsp *parent_sq;
} __attribute__((preserve_access_index));

struct throtl_data___rsp {
	struct throtl_service_queue___rsp service_queue;
	struct work_struct dispatch_work;
} __attribute__((preserve_access_index));

struct blkcg___rsp {
	struct cgroup_subsys_state css;
} __attribute__((preserve_access_index));

/* The state of a cgroup on one disk. */
struct blkcg_gq___rsp {
	struct blkcg___rsp *blkcg;
	struct throtl_grp___rsp
		*pd[1]; /* one pointer per policy; throttling is one of the policies */
} __attribute__((preserve_access_index));

struct blkg_policy_data___rsp {
	struct blkcg_gq___rsp *blkg;
} __attribute__((preserve_access_index));

struct throtl_grp___rsp {
	struct blkg_policy_data___rsp pd;
	struct throtl_data___rsp *td;
	struct throtl_service_queue___rsp service_queue;
	/*
	 * Limits of reads and of writes. Up to Linux 6.9, each array has four elements: a pair for
	 * reads and a pair for writes. The second element of each pair applies.
	 */
	__u64 bps[2];
	__u32 iops[2];
} __attribute__((preserve_access_index));

struct bio___rsp {
	struct blkcg_gq___rsp *bi_blkg;
} __attribute__((preserve_access_index));

#define POLICY_CNT     6 /* BLKCG_MAX_POLS */
#define NS_PER_SEC     1000000000ULL
#define NO_BYTE_LIMIT  (~0ULL)
#define NO_COUNT_LIMIT (~0U)
#define OP_WRITE_BIT   1

/* --- the cgroup with the limit ---------------------------------------------------------------- */

static __always_inline struct throtl_data___rsp *dispatching_queue(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct worker___rsp *worker;
	struct kthread___rsp *kthread;

	if (!(task->flags & PF_WQ_WORKER))
		return NULL;
	kthread = (struct kthread___rsp *)BPF_CORE_READ(task, worker_private);
	worker = BPF_CORE_READ(kthread, data);
	if (!rsp_fn_throttle_dispatch ||
	    (__u64)BPF_CORE_READ(worker, current_func) != rsp_fn_throttle_dispatch)
		return NULL;
	return (void *)BPF_CORE_READ(worker, current_work) -
	       bpf_core_field_offset(struct throtl_data___rsp, dispatch_work);
}

/*
 * Returns the throttle group (struct throtl_grp) of a cgroup on one disk (blkg); 0: unknown. The
 * index of the throttling policy differs between kernels, so the entry is recognized by its pointer
 * to td.
 *
 * rsp_throttle_of() and rsp_pace_of() are global, so the verifier checks each only once, instead of
 * once per ancestor of a cgroup.
 */
__noinline __u64 rsp_throttle_of(__u64 blkg, __u64 td)
{
	void *policies = (void *)blkg + bpf_core_field_offset(struct blkcg_gq___rsp, pd);

	for (int i = 0; i < POLICY_CNT; i++) {
		struct throtl_grp___rsp *tg = NULL;

		bpf_probe_read_kernel(&tg, sizeof(tg), policies + i * sizeof(tg));
		if (tg && (__u64)BPF_CORE_READ(tg, td) == td)
			return (__u64)tg;
	}
	return 0;
}

/*
 * Returns the throttle group of the parent cgroup; NULL: no other limit applies. At the root, and
 * for all cgroups of version 1, the pointer to the parent's queue points to the disk's queue
 * instead (throtl_pd_init()).
 */
static __always_inline struct throtl_grp___rsp *outer_throttle(struct throtl_grp___rsp *tg,
							       struct throtl_data___rsp *td)
{
	void *outer = BPF_CORE_READ(tg, service_queue.parent_sq);

	if (!outer ||
	    outer == (void *)td + bpf_core_field_offset(struct throtl_data___rsp, service_queue))
		return NULL;
	return outer - bpf_core_field_offset(struct throtl_grp___rsp, service_queue);
}

/* Returns the time for one bio at the rate that the cgroup's limit allows, in ns; 0: no limit. */
__noinline __u64 rsp_pace_of(__u64 tg, bool is_write, __u32 bytes)
{
	__u32 pairs = bpf_core_field_size(struct throtl_grp___rsp, bps) / (2 * sizeof(__u64));
	__u32 slot = is_write * pairs + pairs - 1;
	__u64 bps = NO_BYTE_LIMIT, ns = 0;
	__u32 iops = NO_COUNT_LIMIT;

	bpf_probe_read_kernel(&bps, sizeof(bps),
			      (void *)tg + bpf_core_field_offset(struct throtl_grp___rsp, bps) +
				      slot * sizeof(bps));
	bpf_probe_read_kernel(&iops, sizeof(iops),
			      (void *)tg + bpf_core_field_offset(struct throtl_grp___rsp, iops) +
				      slot * sizeof(iops));
	if (bps && bps != NO_BYTE_LIMIT)
		ns = bytes * NS_PER_SEC / bps;
	if (iops && iops != NO_COUNT_LIMIT && ns < NS_PER_SEC / iops)
		ns = NS_PER_SEC / iops;
	return ns;
}

/* Returns the directory of the cgroup with the tightest limit for the bio; NULL: unknown. */
static __always_inline struct kernfs_node *cgroup_of_tightest_limit(struct bio *bio,
								    struct throtl_data___rsp *td)
{
	struct blkcg_gq___rsp *blkg = BPF_CORE_READ((struct bio___rsp *)bio, bi_blkg);
	bool is_write = BPF_CORE_READ(bio, bi_opf) & OP_WRITE_BIT;
	__u32 bytes = BPF_CORE_READ(bio, bi_iter.bi_size);
	struct throtl_grp___rsp *tg = NULL, *found = NULL;
	__u64 slowest_ns = 0;

	if (blkg)
		tg = (void *)rsp_throttle_of((__u64)blkg, (__u64)td);
	for (int i = 0; i < CGROUP_DEPTH_MAX && tg; i++) {
		__u64 ns = rsp_pace_of((__u64)tg, is_write, bytes);

		if (ns > slowest_ns) {
			slowest_ns = ns;
			found = tg;
		}
		tg = outer_throttle(tg, td);
	}
	return found ? BPF_CORE_READ(found, pd.blkg, blkcg, css.cgroup, kn) : NULL;
}

/*
 * --- released bios whose request is not known yet -----------------------------------------------
 */

#define RELEASED_SLOTS 1024

/* A slot of a direct-mapped table, indexed by the bio's identity. check: see seal(). */
struct released {
	__u64 check;
	__u64 ts_ns;
	__u64 cgroup;
};

static struct released released[RELEASED_SLOTS];
static volatile __u32
	/*
	 * volatile: without it, compilers shrink the variable to a byte, which contradicts its type
	 * in BTF
	 */
	has_released;

static __always_inline struct released *released_slot(__u64 bio)
{
	return &released[bounded_index(bio, RELEASED_SLOTS - 1)];
}

static __always_inline __u64 released_check(__u64 bio, const struct released *r)
{
	return seal(bio, mix(r->ts_ns, r->cgroup));
}

static __always_inline void note_released(struct bio *bio)
{
	struct throtl_data___rsp *td = dispatching_queue();
	struct released now = {};
	__u64 id;
	__u32 draft;

	if (!td)
		return;
	now.ts_ns = bpf_ktime_get_ns();
	draft = take_draft();
	now.cgroup = cgroup_object(draft, cgroup_of_tightest_limit(bio, td));
	give_back_level(draft);
	id = identity(bio);
	now.check = released_check(id, &now);
	*released_slot(id) = now;
	has_released = 1;
}

/*
 * Maximum time from the release of a bio to the start of its request. A request that starts later
 * has another bio at the same address: the old bio was merged into another request, so its slot was
 * never cleared.
 */
#define RELEASE_LAG_NS 100000000ULL

/*
 * Returns whether an I/O limit held the request back, and copies the slot of its bio to *ret. Frees
 * the slot, so the result is true at most once per request.
 */
static __always_inline bool take_released(struct request *rq, struct released *ret)
{
	struct released *slot;
	struct bio *bio;
	__u64 id;

	if (!has_released)
		return false;
	bio = BPF_CORE_READ(rq, bio);
	if (!bio)
		return false;
	id = identity(bio);
	slot = released_slot(id);
	*ret = *slot;
	if (ret->check != released_check(id, ret))
		return false;
	slot->check = 0;
	return BPF_CORE_READ(rq, start_time_ns) <= ret->ts_ns + RELEASE_LAG_NS;
}

static __always_inline void record_release(struct request *rq)
{
	struct released by;
	struct rsp_ev_delay *rec;

	if (!take_released(rq, &by))
		return;
	rec = rsp_reserve(rsp_ev_delay, RSP_EV_DELAY, RSP_DELAY_IO_LIMIT);
	if (!rec)
		return;
	rec->tid = (__u32)bpf_get_current_pid_tgid();
	rec->pad = 0;
	rec->from_ns = by.ts_ns;
	rec->subject = identity(rq);
	rec->object = by.cgroup;
	rsp_submit(rec);
}

#endif
