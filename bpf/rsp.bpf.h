/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the data that BPF programs share. core.bpf.c defines most of it.
 *
 * An epoch is a period in which a stack or a name is normally sent to the daemon only once. Records
 * refer to it by an id.
 *
 * Hazard: these programs interrupt one another. An interrupt runs the sched programs while a
 * program of a task is running, and an NMI that takes a sample can interrupt any program. So
 * scratch memory is per CPU *and* per level; programs of the same level never interrupt each other.
 * Programs that run at several levels, such as those for disk requests, take a free draft
 * (take_draft()).
 */
#ifndef RSP_BPF_H
#define RSP_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include "rsp/event.h"
#include "rsp/parts.h"
#include "rsp/sizes.h"
#include "rsp/unwind.h"
#include "bpf/cost.bpf.h"
#include "bpf/ring.bpf.h"
#include "bpf/trust.h"

#define PF_KTHREAD     0x00200000
#define PF_IO_WORKER   0x00000010
#define PF_USER_WORKER 0x00004000
#define TS_COMPAT      0x0002 /* arch/x86/include/asm/thread_info.h: in a 32-bit system call */

/*
 * create_user_ns() (kernel/user_namespace.c) fails if the level of the parent is above 32. The
 * initial namespace has level 0.
 */
#define USER_NS_LEVEL_MAX 33

/* --- knobs, set before load ------------------------------------------------------------------ */

extern const volatile __u64
	rsp_secret; /* key for hashes, so that no user can predict or invert them */
/* number of slots minus one, in tables whose size depends on the number of CPUs */
extern const volatile __u32 rsp_slot_mask;
extern const volatile __u32 rsp_parts;		   /* bits of enum rsp_part */
extern const volatile __u64 rsp_fn_hrtimer_wakeup; /* kallsyms addresses; 0: unknown */
extern const volatile __u64 rsp_fn_process_timeout;
extern const volatile __u64 rsp_fn_wq_barrier_func;
extern const volatile __u64 rsp_fn_throttle_dispatch;
extern __u64 rsp_resumed_ns; /* end of the last pause, set by the daemon; 0: no pause so far */
/* number of the epoch; the daemon increments it to begin an epoch */
extern __u64 rsp_epoch;

/* rsp_parts is constant for the verifier, which then removes unused code. */
static __always_inline bool has_part(enum rsp_part part)
{
	return rsp_parts & part;
}

/* --- maps ------------------------------------------------------------------------------------ */

/*
 * The last two ids that were sent and belong to this slot, combined with their epochs
 * (seen_value()). If three ids in use share a slot, their records are sent repeatedly.
 */
struct rsp_seen_pair {
	__u64 later, older;
};

extern struct rsp_seen_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RSP_SEEN_PER_SLOT *RSP_SLOTS_MIN);
	__type(key, __u32);
	__type(value, struct rsp_seen_pair);
} rsp_seen SEC(".maps");

struct rsp_level {
	__u64 start_ns;
	__u64 cause;	     /* the interrupt itself: OBJECT id of a handler, or softirq vector */
	__u64 special_cause; /* the timer, the disk request, or the socket with new data */
	__u32 context;	/* enum rsp_wake_context; 0: the CPU serves no interrupt at this level */
	__u32 special;	/* if not 0, overrides context */
	__u64 made_cnt; /* number of wakeups and queued work items in this interrupt */
};

enum { RSP_LEVEL_SOFT, RSP_LEVEL_HARD, RSP_LEVEL_CNT };

/* The sum of short softirqs for which no record was written yet. */
struct rsp_softirq_sum {
	__u64 first_ns; /* begin of the first softirq */
	__u64 last_ns;	/* end of the last softirq */
	__u64 dur_ns;
	__u32 cnt;
	__u32 longest_ns;
	__u32 vector;
	__u32 tid;
};

/* The time that the hypervisor had taken from the CPU at the last read (stolen.bpf.h). */
struct rsp_stolen {
	__u64 total_ns;
	__u64 attached_ns; /* rsp_resumed_ns + 1 at the last read; 0: not read yet */
};

struct rsp_cpu {
	struct rsp_level level[RSP_LEVEL_CNT];
	struct rsp_softirq_sum softirqs;
	struct rsp_trust trust;
	struct rsp_stolen stolen;
};

extern struct rsp_cpus_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct rsp_cpu);
} rsp_cpus SEC(".maps");

/* Number of drafts, one per level of nesting: a task, a softirq, a hard interrupt. */
#define RSP_DRAFT_CNT 3

/*
 * Number of levels for programs at probes: while such a program is preempted, another task may hit
 * a probe.
 */
#define RSP_PROBE_CNT 3

enum {
	RSP_SCRATCH_SCHED,
	RSP_SCRATCH_SAMPLE,
	RSP_SCRATCH_ITER,
	RSP_SCRATCH_PROBE,
	/* number of the levels above, which also have memory to unwind user stacks */
	RSP_SCRATCH_STACK_CNT = RSP_SCRATCH_PROBE + RSP_PROBE_CNT,
	RSP_SCRATCH_DRAFT = RSP_SCRATCH_STACK_CNT,
	RSP_SCRATCH_CNT = RSP_SCRATCH_DRAFT + RSP_DRAFT_CNT,
};

struct rsp_scratch {
	__u64 is_taken; /* 1: in use (take_level()) */
	struct rsp_ev_stack stack;
	__u64 frames[RSP_STACK_FRAMES_MAX];
	struct rsp_ev_object object;
	char spill[256]; /* bpf_probe_read_kernel_str() may write beyond a full name */
};

extern struct rsp_scratches_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, RSP_SCRATCH_CNT);
	__type(key, __u32);
	__type(value, struct rsp_scratch);
} rsp_scratches SEC(".maps");

#define slot_in(map, key)                                                                          \
	({                                                                                         \
		__u32 slot_ = (key) >> 32 & rsp_slot_mask;                                         \
		bpf_map_lookup_elem(&(map), &slot_);                                               \
	})

/* --- hashes, addresses, scratch memory ------------------------------------------------------ */

static __always_inline __u64 mix(__u64 hash, __u64 value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
	return hash ^ (hash >> 29);
}

/*
 * Without asm, the compiler may drop a mask that it considers unnecessary, or move it to a place
 * where older verifiers lose track of it.
 */
static __always_inline __u64 bounded_index(__u64 index, const __u64 mask)
{
	asm volatile("%0 &= %1" : "+r"(index) : "i"(mask));
	return index;
}

/*
 * Combines three numbers for a later mix(). The multiplications are independent, so the CPU
 * executes them in parallel.
 */
static __always_inline __u64 blend(__u64 a, __u64 b, __u64 c)
{
	return a * 0x9e3779b97f4a7c15ULL + b * 0xbf58476d1ce4e5b9ULL + c * 0x94d049bb133111ebULL;
}

/* Adds a word to a hash. Cheaper than mix(), for many words. */
static __always_inline __u64 sum_word(__u64 sum, __u64 word)
{
	return (sum ^ word) * 0x9e3779b97f4a7c15ULL;
}

/*
 * Returns the check that a slot contains instead of its key, in tables to which all CPUs write
 * without locks. A slot may contain parts of two entries. If the check matches the key and the
 * content, the content is complete and belongs to the key.
 */
static __always_inline __u64 seal(__u64 key, __u64 content)
{
	return key ^ content * 0xbf58476d1ce4e5b9ULL;
}

/*
 * The verifier forbids arithmetic on a pointer of a known type. After a byte of a copy on the stack
 * is overwritten, the verifier treats the copy as a number. The overwritten byte is 0xff in all
 * kernel addresses.
 */
static __always_inline __u64 address_of(const void *kernel_object)
{
	volatile union {
		const void *pointer;
		__u64 number;
		__u8 bytes[8];
	} copy = {.pointer = kernel_object};

	copy.bytes[7] = 0xff;
	return copy.number;
}

/*
 * Reads a member of a kernel object: directly if the verifier knows the pointer's type, otherwise
 * by a slower helper.
 */
#define rsp_load(is_typed, pointer, member)                                                        \
	((is_typed) ? (pointer)->member : BPF_CORE_READ(pointer, member))

/*
 * Returns a number that identifies a kernel object without revealing its address. The address is
 * mixed twice, because a single call of mix() can be inverted.
 */
static __always_inline __u64 identity(const void *kernel_object)
{
	return mix(mix(rsp_secret, address_of(kernel_object)), rsp_secret);
}

/* True also for threads that the kernel creates for a process, such as io_uring workers. */
static __always_inline bool is_kernel_thread(struct task_struct *task)
{
	return task->flags & (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER);
}

static __always_inline struct rsp_cpu *this_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&rsp_cpus, &zero);
}

static __always_inline struct rsp_scratch *scratch_of(__u32 level)
{
	return bpf_map_lookup_elem(&rsp_scratches, &level);
}

/*
 * Takes and returns a level of scratch memory, in [first, end), that no program on this CPU is
 * using; RSP_SCRATCH_CNT: none is free. The caller gives the level back with give_back_level().
 */
static __always_inline __u32 take_level(__u32 first, __u32 end)
{
	for (__u32 level = first; level < end; level++) {
		struct rsp_scratch *scratch = scratch_of(level);

		if (scratch && !__sync_lock_test_and_set(&scratch->is_taken, 1))
			return level;
	}
	return RSP_SCRATCH_CNT;
}

static __always_inline __u32 take_draft(void)
{
	return take_level(RSP_SCRATCH_DRAFT, RSP_SCRATCH_CNT);
}

static __always_inline void give_back_level(__u32 level)
{
	struct rsp_scratch *scratch = scratch_of(level);

	if (scratch)
		scratch->is_taken = 0;
}

/* --- records sent once per epoch ------------------------------------------------------------ */

static __always_inline __u64 seen_value(__u64 id)
{
	return id ^ (rsp_epoch * 0xbf58476d1ce4e5b9ULL);
}

static __always_inline struct rsp_seen_pair *seen_pair(__u64 id)
{
	__u32 slot = id & (RSP_SEEN_PER_SLOT * rsp_slot_mask + RSP_SEEN_PER_SLOT - 1);

	return bpf_map_lookup_elem(&rsp_seen, &slot);
}

static __always_inline bool was_sent(__u64 id)
{
	const struct rsp_seen_pair *pair = seen_pair(id);
	__u64 value = seen_value(id);

	return pair && (pair->later == value || pair->older == value);
}

static __always_inline void remember_sent(__u64 id)
{
	struct rsp_seen_pair *pair = seen_pair(id);

	if (!pair)
		return;
	pair->older = pair->later;
	pair->later = seen_value(id);
}

/* If the ring has no room, the id does not count as sent, so the record is sent at its next use. */
static __always_inline void send_once(const void *rec, __u64 size, __u64 id, __u32 kind)
{
	if (rsp_output(rec, size))
		remember_sent(id);
	else
		count_loss(kind);
}

/* --- stacks ---------------------------------------------------------------------------------- */

/*
 * Returns the id of the kernel stack in the scratch memory of a level; 0: there is none. byte_cnt:
 * the result of bpf_get_stack(). The id depends on a secret: otherwise a user could construct a
 * stack with the id of another stack.
 */
__u64 rsp_kernel_stack_id(__u32 level, __s32 byte_cnt);

/* Like rsp_kernel_stack_id(), but also sends the stack if it was not sent in this epoch. */
__u64 rsp_send_kernel_stack(__u32 level, __s32 byte_cnt);

/*
 * Completes the record of the kernel stack and returns its size. The result 0 never occurs, but the
 * verifier requires this case.
 */
static __always_inline __u64 fill_kernel_stack(struct rsp_scratch *scratch, __u64 id, long byte_cnt)
{
	__u64 size = sizeof(scratch->stack) + byte_cnt;
	__u32 cnt = byte_cnt / sizeof(__u64);
	__u16 flags = RSP_STACK_KERNEL;

	if (cnt >= RSP_STACK_FRAMES_MAX)
		flags |= RSP_STACK_TRUNCATED;
	fill_header(&scratch->stack.hdr, RSP_EV_STACK, size, flags, bpf_ktime_get_ns());
	scratch->stack.id = id;
	scratch->stack.tgid = 0;
	scratch->stack.frame_cnt = cnt;
	return size <= sizeof(scratch->stack) + sizeof(scratch->frames) ? size : 0;
}

/*
 * Unwinds the kernel stack, without its first skip_cnt frames, and sends it if it was not sent in
 * this epoch. Returns its id, or 0.
 */
static __always_inline __u64 unwind_kernel(void *ctx, __u32 level, __u32 skip_cnt,
					   __u32 *ret_frame_cnt)
{
	struct rsp_scratch *scratch = scratch_of(level);
	long byte_cnt;

	if (!scratch)
		return 0;
	byte_cnt = bpf_get_stack(ctx, scratch->frames, sizeof(scratch->frames), skip_cnt);
	*ret_frame_cnt = byte_cnt > 0 ? byte_cnt / sizeof(__u64) : 0;
	return rsp_send_kernel_stack(level, byte_cnt);
}

/*
 * Unwinds the user stack of the current task, beginning at the registers saved on entry to the
 * kernel. Returns its id, or 0 if there is none. level: scratch memory to use.
 */
__u64 rsp_user_stack(__u32 level, __u64 now_ns);

__u64 rsp_vma_at(__u64 mm, __u64 address, __u32 level); /* Defined in mapping.bpf.h. */

extern struct rsp_stack_stats_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct rsp_stack_stats);
} rsp_stack_stats SEC(".maps");

static __always_inline struct rsp_stack_stats *stack_stats(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&rsp_stack_stats, &zero);
}

/* --- names of threads ------------------------------------------------------------------------- */

/* Number of threads with a name that is not recorded yet (task.bpf.c). */
extern __u32 rsp_names_owed;
int rsp_record_pending_name(bool is_preempted);

/* --- the context of a CPU -------------------------------------------------------------------- */

/*
 * Returns the level of the innermost interrupt; -1: none. irq.bpf.c keeps the levels, because some
 * kernels do not let a program read the preempt count.
 */
static __always_inline int current_level(struct rsp_cpu *cpu)
{
	if (cpu->level[RSP_LEVEL_HARD].context)
		return RSP_LEVEL_HARD;
	return cpu->level[RSP_LEVEL_SOFT].context ? RSP_LEVEL_SOFT : -1;
}

/*
 * Sets the cause of all wakeups in the interrupt at this level, until it ends or the function is
 * called again. context 0: removes the cause.
 */
static __always_inline void set_special_at(struct rsp_cpu *cpu, int level, __u32 context,
					   __u64 cause)
{
	cpu->level[level & 1].special = context;
	cpu->level[level & 1].special_cause = cause;
}

static __always_inline void set_special(__u32 context, __u64 cause)
{
	struct rsp_cpu *cpu = this_cpu();
	int level = cpu ? current_level(cpu) : -1;

	if (level >= 0) /* outside of interrupts, no program would remove the cause */
		set_special_at(cpu, level, context, cause);
}

static __always_inline __u64 vector_id(int vector)
{
	return mix(0, vector);
}

static __always_inline bool serves_vector(const struct rsp_cpu *cpu, int vector)
{
	const struct rsp_level *in = &cpu->level[RSP_LEVEL_HARD];

	return in->context == RSP_WAKE_IRQ && in->cause == vector_id(vector);
}

/*
 * Returns the context (enum rsp_wake_context) of a wakeup or of a work item that is queued, and
 * counts it in made_cnt.
 */
static __always_inline __u32 wake_context(struct rsp_cpu *cpu, __u64 *ret_cause)
{
	for (int level = RSP_LEVEL_HARD; level >= RSP_LEVEL_SOFT; level--) {
		struct rsp_level *in = &cpu->level[level];

		if (in->special || in->context)
			in->made_cnt++;
		if (in->special) {
			*ret_cause = in->special_cause;
			return in->special;
		}
		if (in->context) {
			*ret_cause = in->cause;
			return in->context;
		}
	}
	*ret_cause = 0;
	return RSP_WAKE_TASK;
}

#endif
