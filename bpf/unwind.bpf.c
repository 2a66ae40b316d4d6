/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinds user stacks with unwind tables (rsp/unwind.h), since many programs have no frame
 * pointers; without a table, uses frame pointers. Unwinding begins at the registers that the task
 * saved on entry to the kernel. The stack is read in pieces of up to 4 KiB, because a piece costs
 * little more than a word.
 */
#include "bpf/mapping.bpf.h"
#include "bpf/origin.bpf.h"
#include "bpf/probed.bpf.h"
#include "bpf/ustack.bpf.h"

const volatile bool rsp_samples_by_nmi = false;
__u32 rsp_tables_epoch = 0;
__u32 rsp_areas_epoch = 0; /* the daemon increments it when it frees the number of a table */
struct rsp_numbers rsp_numbers = {.granted_cnt = 2ULL * RSP_NUMBER_HALF_CNT};
__u32 rsp_vdso_table = RSP_TABLE_NONE;
/* 1: a table in the area was used since the daemon last set it to 0 */
__u8 rsp_area_used[RSP_AREA_MAX] = {};
struct rsp_binary_met rsp_binaries_met[RSP_BINARY_MET_MAX] = {};

struct rsp_mappings_map rsp_mappings SEC(".maps");
struct rsp_binaries_map rsp_binaries SEC(".maps");

struct rsp_block {
	__u32 words[RSP_UNWIND_INDEX_PER_BLOCK];
};

struct rsp_area {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_INNER_MAP | BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct rsp_block));
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, RSP_AREA_MAX);
	__type(key, __u32);
	__array(values, struct rsp_area);
} rsp_areas SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 16);
} rsp_wanted SEC(".maps");

#define WINDOW_BYTES 4096
#define WINDOW_WORDS (WINDOW_BYTES / 8)
/* if fewer bytes are left in the page, a part of the next page is read, too, if possible */
#define WINDOW_LEAST 512

/* The BPF stack is too small for this struct. */
struct unwinder {
	__u64 mm, space;
	__u64 pc, sp, fp, bx;
	__u64 rdi;  /* rdi at entry to the kernel */
	__s64 call; /* number of the system call; negative: the task was interrupted in user code */
	__u64 hash;
	__u32 epoch; /* rsp_areas_epoch */
	__u32 level;
	__u32 tgid;
	__u32 cnt;
	__u32 end; /* enum rsp_unwind_end */
	/* 1: pc is a return address, so the byte before it belongs to the function */
	__u32 returned;
	__u32 raw;		/* 1: at least one frame is in no binary and so is an address */
	__u64 instance;		/* last return instance that was used (probed.bpf.h) */
	struct rsp_mapping map; /* mapping of the last frame, which likely contains the next one */
	struct rsp_noted noted;
	struct rsp_binary_wanted wanted;
	__u64 window_at;
	__u64 window_bytes;
	__u64 window[WINDOW_WORDS];
	struct rsp_ev_stack stack;
	__u64 frames[RSP_STACK_FRAMES_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, RSP_SCRATCH_STACK_CNT);
	__type(key, __u32);
	__type(value, struct unwinder);
} rsp_unwinders SEC(".maps");

#define GO_ON ((__u32)-1)

/* --- the stack's memory ---------------------------------------------------------------------- */

static __always_inline bool refill(struct unwinder *u, __u64 address)
{
	__u64 page_left = WINDOW_BYTES - (address & (WINDOW_BYTES - 1)), len = page_left;

	u->window_bytes = 0;
	u->window_at = address;
	if (len < WINDOW_LEAST &&
	    bpf_probe_read_user(u->window, WINDOW_LEAST, (void *)address) == 0) {
		u->window_bytes = WINDOW_LEAST;
		return true;
	}
	if (len > WINDOW_BYTES || bpf_probe_read_user(u->window, len, (void *)address))
		return false;
	u->window_bytes = len;
	return true;
}

static __always_inline bool read_word(struct unwinder *u, __u64 address, __u64 *ret)
{
	__u64 off = address - u->window_at;

	if (address & 7)
		return false;
	if (off >= u->window_bytes) {
		if (!refill(u, address))
			return false;
		off = 0;
	}
	*ret = u->window[(off / 8) & (WINDOW_WORDS - 1)];
	return true;
}

/* Reads a word on which the frames depend, and adds it to the shape (shape.bpf.h). */
static __always_inline bool read_and_note(struct unwinder *u, __u64 address, __u64 *ret)
{
	if (!read_word(u, address, ret))
		return false;
	note_word(&u->noted, address, *ret);
	return true;
}

/* --- rules ----------------------------------------------------------------------------------- */

struct table {
	void *area;
	__u32 first;
};

static __always_inline struct rsp_block *block_of(const struct table *table, __u32 number)
{
	number += table->first;
	return bpf_map_lookup_elem(table->area, &number);
}

static __always_inline struct rsp_unwind_row *row_in(struct rsp_block *block, __u32 i)
{
	return (void *)&block->words[i * 2 & (RSP_UNWIND_INDEX_PER_BLOCK - 1)];
}

/* Sufficient for a page of code, which has at most 4096 rows. */
#define SEARCH_STEPS 13

/*
 * Finds the last row at or before pc among cnt rows, beginning with row `at` of row_block. Returns
 * false if there is no such row, or a block is missing.
 */
static __always_inline bool search_rows(const struct table *table, __u32 row_block, __u32 at,
					__u32 cnt, __u32 pc, struct rsp_unwind_row *ret)
{
	__u32 number = at / RSP_UNWIND_ROWS_PER_BLOCK;
	struct rsp_block *block = block_of(table, row_block + number);

	for (int i = 0; i < SEARCH_STEPS && cnt > 1; i++) {
		__u32 half = cnt / 2, middle = at + half;

		if (middle / RSP_UNWIND_ROWS_PER_BLOCK != number) {
			number = middle / RSP_UNWIND_ROWS_PER_BLOCK;
			block = block_of(table, row_block + number);
		}
		if (!block)
			return false;
		at += half & -sign((__u64)row_in(block, middle)->pc - pc - 1);
		cnt -= half;
	}
	block = block_of(table, row_block + at / RSP_UNWIND_ROWS_PER_BLOCK);
	if (!block)
		return false;
	*ret = *row_in(block, at);
	return ret->pc <= pc;
}

static __always_inline bool index_at(const struct table *table, __u32 i, __u32 *ret)
{
	struct rsp_block *block;

	i += RSP_UNWIND_INDEX_OFF;
	block = block_of(table, i / RSP_UNWIND_INDEX_PER_BLOCK);
	if (!block)
		return false;
	*ret = block->words[i & (RSP_UNWIND_INDEX_PER_BLOCK - 1)];
	return true;
}

/*
 * Returns the row of unwind table `number` for an offset in its binary; 0 (RSP_CFA_NONE): there is
 * none.
 */
__noinline __u64 rsp_unwind_row(__u32 number, __u64 off)
{
	struct table table = {.first = RSP_TABLE_BLOCK(number)};
	struct rsp_unwind_row row;
	struct rsp_unwind_head head;
	struct rsp_block *first;
	__u32 page, from, to;

	number = RSP_TABLE_AREA(number);
	table.area = bpf_map_lookup_elem(&rsp_areas, &number);
	first = table.area ? block_of(&table, 0) : NULL;
	if (!first)
		return 0;
	head = *(struct rsp_unwind_head *)first;
	page = (off >> RSP_UNWIND_PAGE_SHIFT) - head.first_page;
	if (page >= head.page_cnt || !index_at(&table, page, &from) ||
	    !index_at(&table, page + 1, &to))
		return 0;
	from -= from > 0; /* the row that is valid at the page's start may begin before it */
	if (!search_rows(&table, head.row_block, from, to - from, off, &row))
		return 0;
	return *(__u64 *)&row;
}

/* A slot of a direct-mapped cache of rows, which saves the search for a row. */
struct row_kept {
	__u64 check;
	__u64 row;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RSP_SLOTS_MIN);
	__type(key, __u32);
	__type(value, struct row_kept);
} rsp_rows SEC(".maps");

static __always_inline __u64 row_at(__u32 epoch, __u32 table, __u64 off)
{
	__u64 key = (__u64)epoch << 52 | (__u64)table << 32 | (__u32)off;
	struct row_kept *kept = slot_in(rsp_rows, key * 0x9e3779b97f4a7c15ULL);
	__u64 row;

	if (!kept)
		return 0;
	row = kept->row;
	if (kept->check == seal(key, row))
		return row;
	row = rsp_unwind_row(table, off);
	kept->row = row;
	kept->check = seal(key, row);
	return row;
}

/* --- steps ----------------------------------------------------------------------------------- */

static __always_inline bool is_too_soon(const struct rsp_binary_met *met)
{
	return met->again_s && bpf_ktime_get_ns() / 1000000000 < met->again_s;
}

/*
 * Does nothing if the table was already requested, or the daemon asked to wait after a failed
 * request.
 */
static __always_inline void want_table(struct unwinder *u)
{
	struct rsp_binary_met *met = binary_met(u->map.binary);
	struct vm_area_struct *vma;

	if (met->asked || met->number != u->map.binary || is_too_soon(met))
		return;
	met->asked = 1;
	u->wanted.key = met->key;
	u->wanted.start = u->map.start;
	u->wanted.end = u->map.end;
	u->wanted.number = u->map.binary;
	u->wanted.tgid = u->tgid;
	vma = (void *)rsp_vma_at(u->mm, u->map.start, u->level);
	read_origin(BPF_CORE_READ(vma, vm_file), &u->wanted.origin);
	if (bpf_ringbuf_output(&rsp_wanted, &u->wanted, sizeof(u->wanted), BPF_RB_FORCE_WAKEUP))
		met->asked = 0;
}

/*
 * If pc is the trampoline of uretprobes (probed.bpf.h), returns the original return address, or 0
 * if it is unknown; otherwise returns pc. place: address of pc on the stack.
 */
static __always_inline __u64 original(struct unwinder *u, __u64 place, __u64 pc)
{
	if (pc != trampoline_of(u->mm))
		return pc;
	note_nothing_more(&u->noted);
	u->instance = rsp_return_instance(u->instance, place);
	return original_return(u->instance);
}

static __always_inline __u32 go_to(struct unwinder *u, __u64 cfa, __u64 pc, __u64 fp)
{
	if (begins_page(pc)) {
		/*
		 * At the real end of a stack, return address and frame pointer are 0. Unwinding
		 * with a wrong rule rarely reads 0 for both.
		 */
		if (!pc)
			return fp ? RSP_END_NO_MAPPING : RSP_END_COMPLETE;
		pc = original(u, cfa - sizeof(pc), pc);
		if (!pc)
			return RSP_END_NO_MAPPING;
	}
	u->sp = cfa;
	u->pc = pc;
	u->fp = fp;
	u->returned = true;
	return GO_ON;
}

/* Lets the next step request the table of the program file, which most stacks need. */
static __always_inline void go_to_program(struct unwinder *u)
{
	struct mm_struct *mm = (void *)u->mm;

	u->pc = BPF_CORE_READ(mm, start_code);
	u->returned = false;
}

/*
 * A frame pointer of 0 marks the first function of a thread. The caller's frame may be at a lower
 * address, since Go's scheduler runs on another stack than the goroutines.
 */
static __always_inline __u32 step_by_fp(struct unwinder *u)
{
	__u64 pc, fp;

	note_fp(&u->noted, u->fp);
	if (!u->fp)
		return RSP_END_COMPLETE;
	if (!read_word(u, u->fp, &fp) || !read_and_note(u, u->fp + 8, &pc))
		return RSP_END_NO_RULE;
	u->noted.fp_at = u->fp;
	return go_to(u, u->fp + 16, pc, fp);
}

/*
 * Continues at the probed instruction, or at the caller of the function that has just returned to
 * the trampoline.
 */
static __always_inline __u32 step_out_of_probe(struct unwinder *u)
{
	__u64 off = u->pc - u->map.start, at = probed_instruction(u->pc), caller;

	note_nothing_more(&u->noted);
	if (at) {
		u->pc = at;
		return GO_ON;
	}
	if (off > TRAMPOLINE_BREAKPOINT_END && off != TRAMPOLINE_CALL_END)
		return RSP_END_NO_RULE;
	at = u->sp - sizeof(caller);
	u->instance = u->call < 0 ? rsp_return_instance(0, at) : 0;
	if (!u->instance && off == TRAMPOLINE_CALL_END) {
		at += TRAMPOLINE_PUSHED_BYTES;
		u->instance = rsp_return_instance(0, at);
	}
	caller = original_return(u->instance);
	if (!caller && !(has_handled_return(u->pc) && read_word(u, at, &caller)))
		return RSP_END_NO_RULE;
	return go_to(u, at + sizeof(caller), caller, u->fp);
}

/*
 * In struct rt_sigframe, uc_flags, uc_link, uc_stack and the registers (sigcontext_64) follow the
 * return address.
 */
static __always_inline __u32 step_signal(struct unwinder *u)
{
	__u64 at = u->sp + 40, pc, sp, fp, bx;

	note_nothing_more(&u->noted);
	if (!read_word(u, at + 10 * 8, &fp) || !read_word(u, at + 11 * 8, &bx) ||
	    !read_word(u, at + 15 * 8, &sp) || !read_word(u, at + 16 * 8, &pc))
		return RSP_END_FAULT;
	u->sp = sp;
	u->pc = pc;
	u->fp = fp;
	u->bx = bx;
	u->returned = false;
	return GO_ON;
}

static __always_inline bool caller_fp(struct unwinder *u, const struct rsp_unwind_row *row,
				      __u64 cfa, __u64 *ret)
{
	__u32 rule = RSP_UNWIND_FP(row->rules);

	*ret = u->fp;
	if (rule != RSP_FP_CFA && rule != RSP_FP_FP)
		return true;
	if (rule == RSP_FP_FP)
		note_fp(&u->noted, u->fp);
	u->noted.fp_at = (rule == RSP_FP_CFA ? cfa : u->fp) + row->fp * 8;
	return read_word(u, u->noted.fp_at, ret);
}

static __always_inline bool find_caller_bx(struct unwinder *u, const struct rsp_unwind_row *row,
					   __u64 cfa)
{
	__u32 rule = RSP_UNWIND_BX(row->rules);

	if (rule == RSP_BX_CFA || rule == RSP_BX_BELOW_FP)
		return read_word(u, cfa + row->fp * 8 - (rule == RSP_BX_BELOW_FP ? 8 : 0), &u->bx);
	if (rule == RSP_BX_UNDEFINED)
		u->bx = 0; /* no rule can use 0, since memory at address 0 cannot be read */
	return true;
}

static __always_inline bool cfa_of(struct unwinder *u, const struct rsp_unwind_row *row, __u64 off,
				   __u64 *ret)
{
	__u32 rule = RSP_UNWIND_CFA(row->rules);
	__u64 cfa = rule == RSP_CFA_FP || rule == RSP_CFA_FP_DEREF ? u->fp
		    : rule == RSP_CFA_BX			   ? u->bx
								   : u->sp;

	if (rule == RSP_CFA_FP || rule == RSP_CFA_FP_DEREF)
		note_fp(&u->noted, u->fp);
	if (rule == RSP_CFA_BX)
		note_nothing_more(&u->noted);
	cfa += row->cfa * 8;
	if (rule == RSP_CFA_PLT)
		cfa = u->sp + 8 + ((off & 15) >= 11 ? 8 : 0);
	*ret = cfa;
	if (rule != RSP_CFA_FP_DEREF && rule != RSP_CFA_SP_DEREF8)
		return true;
	if (!read_and_note(u, cfa, ret))
		return false;
	*ret += rule == RSP_CFA_SP_DEREF8 ? 8 : 0;
	return true;
}

static __always_inline __u32 step_by_table(struct unwinder *u, __u64 off)
{
	__u64 cfa, pc, fp, word = row_at(u->epoch, u->map.table, off);
	struct rsp_unwind_row row = *(struct rsp_unwind_row *)&word;

	switch (RSP_UNWIND_CFA(row.rules)) {
	case RSP_CFA_NONE:
		return step_by_fp(u);
	case RSP_CFA_SIGNAL:
		return step_signal(u);
	case RSP_CFA_RA_RDI:
		note_nothing_more(&u->noted);
		return u->cnt == 1 ? go_to(u, u->sp + row.cfa * 8, u->rdi, u->fp) : RSP_END_NO_RULE;
	case RSP_CFA_OUTERMOST:
		return RSP_END_COMPLETE;
	}
	if (!cfa_of(u, &row, off, &cfa))
		return RSP_END_FAULT;
	if (cfa <= u->sp)
		return RSP_END_BACKWARDS;
	if (!caller_fp(u, &row, cfa, &fp) || !find_caller_bx(u, &row, cfa) ||
	    !read_and_note(u, cfa - 8, &pc))
		return RSP_END_FAULT;
	return go_to(u, cfa, pc, fp);
}

static __always_inline void add_frame(struct unwinder *u, __u64 frame)
{
	__u32 cnt = u->cnt;

	if (cnt >= RSP_STACK_FRAMES_MAX)
		return;
	u->frames[cnt] = frame;
	u->cnt = cnt + 1;
	u->hash = mix(u->hash, frame);
}

/*
 * Returns the frame for an address that is in no binary. A tracer can set an instruction pointer to
 * any value. So this function clears bit 63, which is set only in frames that are in a binary.
 */
static __always_inline __u64 raw_frame(__u64 pc)
{
	return pc & ~RSP_FRAME_IN_BINARY;
}

static __always_inline __u64 frame_of(const struct unwinder *u)
{
	if (!u->map.binary)
		return raw_frame(u->pc);
	return RSP_FRAME_IN_BINARY | (__u64)u->map.binary << RSP_FRAME_OFFSET_BITS |
	       ((u->pc - u->map.bias) & ((1ULL << RSP_FRAME_OFFSET_BITS) - 1));
}

static __always_inline void mark_used(__u32 table)
{
	__u8 *used = &rsp_area_used[RSP_TABLE_AREA(table) & (RSP_AREA_MAX - 1)];

	if (!*used)
		*used = 1;
}

struct steps {
	struct unwinder *u;
};

/*
 * If the unwind table of the frame's binary is not loaded yet, the stack ends with this frame; the
 * next step only requests the table of the program file.
 */
static long step(__u32 i, struct steps *ctx)
{
	struct unwinder *u = ctx->u;
	__u64 pc = u->pc - u->returned;
	bool ended = u->end == RSP_END_PENDING;

	if ((pc < u->map.start || pc >= u->map.end) &&
	    !find_mapping(u->mm, u->space, pc, u->level, &u->wanted.key, &u->map)) {
		u->end = ended ? u->end : RSP_END_NO_MAPPING;
		return 1;
	}
	if (u->map.table == RSP_TABLE_PENDING)
		want_table(u);
	if (ended)
		return 1;
	if (!u->map.binary && !u->returned && u->map.start == trampoline_of(u->mm)) {
		u->end = step_out_of_probe(u);
		return u->end != GO_ON;
	}
	u->raw |= !u->map.binary;
	add_frame(u, frame_of(u));
	if (u->map.table == RSP_TABLE_PENDING) {
		u->end = RSP_END_PENDING;
		go_to_program(u);
		return 0;
	}
	if (u->map.table == RSP_TABLE_NONE) {
		u->end = step_by_fp(u);
	} else {
		mark_used(u->map.table);
		u->end = step_by_table(u, pc - u->map.bias);
	}
	return u->end != GO_ON;
}

/* --- stacks ---------------------------------------------------------------------------------- */

#define USER_CS 0x33

static __always_inline void begin(struct unwinder *u, struct task_struct *task,
				  struct mm_struct *mm, __u64 now_ns)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

	u->pc = regs->ip;
	u->sp = regs->sp;
	u->fp = regs->bp;
	u->bx = regs->bx;
	u->rdi = regs->di;
	u->call = regs->orig_ax;
	u->tgid = task->tgid;
	u->mm = address_of(mm);
	/*
	 * read the epoch before cached values are used: unwind() checks afterwards whether it has
	 * changed
	 */
	u->epoch = *(volatile __u32 *)&rsp_areas_epoch;
	u->space = space_of(mm, now_ns);
	u->hash = rsp_secret;
	u->cnt = u->raw = u->returned = 0;
	u->instance = 0;
	u->map.start = u->map.end = 0;
	u->window_bytes = 0;
	begin_notes(&u->noted, u->sp);
	u->end = regs->cs == USER_CS ? GO_ON : RSP_END_FOREIGN;
}

/*
 * Returns a value that identifies the program image if the stack contains addresses, else 0.
 * Addresses are meaningful only within one program image.
 */
static __always_inline __u64 image_of(const struct unwinder *u, struct task_struct *task)
{
	return u->raw ? mix(mix(u->tgid, task->self_exec_id), task->group_leader->start_time) : 0;
}

static __always_inline __u64 finish(struct unwinder *u, struct task_struct *task)
{
	struct rsp_ev_stack *stack = &u->stack;
	__u16 flags = RSP_STACK_USER;
	__u64 id, size;

	if (u->end == RSP_END_TRUNCATED)
		flags |= RSP_STACK_TRUNCATED;
	if (u->end != RSP_END_COMPLETE)
		flags |= RSP_STACK_PARTIAL;
	if (u->end == RSP_END_PENDING)
		flags |= RSP_STACK_PENDING;
	id = mix(mix(u->hash, image_of(u, task)), flags);
	if (was_sent(id))
		return id;
	size = sizeof(*stack) + u->cnt * sizeof(__u64);
	if (size > sizeof(*stack) + sizeof(u->frames))
		return 0;
	fill_header(&stack->hdr, RSP_EV_STACK, size, flags, bpf_ktime_get_ns());
	stack->id = id;
	stack->tgid = u->raw ? u->tgid : 0;
	stack->frame_cnt = u->cnt;
	send_once(stack, size, id, RSP_EV_STACK);
	return id;
}

static __always_inline void keep_leaf(struct unwinder *u)
{
	if (!u->cnt)
		return;
	u->cnt = 0;
	u->hash = rsp_secret;
	u->raw = !(u->frames[0] & RSP_FRAME_IN_BINARY);
	add_frame(u, u->frames[0]);
	u->end = RSP_END_PENDING;
}

static __always_inline void unwind(struct unwinder *u)
{
	struct steps ctx = {.u = u};

	bpf_loop(RSP_STACK_FRAMES_MAX, step, &ctx, 0);
	if (u->end == GO_ON)
		u->end = RSP_END_TRUNCATED;
	if (u->epoch != *(volatile __u32 *)&rsp_areas_epoch)
		/*
		 * a table number may have been reused meanwhile, so only the first frame is certain
		 */
		keep_leaf(u);
}

/* --- unwinding and remembering stacks --------------------------------------------------------- */

static __always_inline __u64 unwind_and_send(struct unwinder *u, struct task_struct *task,
					     struct rsp_stack_stats *stats)
{
	if (u->end == GO_ON)
		unwind(u);
	if (u->end < RSP_END_CNT)
		stats->user_cnt[u->end]++;
	if (!u->cnt) {
		u->raw = true;
		add_frame(u, raw_frame(u->pc));
	}
	return finish(u, task);
}

__u64 rsp_user_stack(__u32 level, __u64 now_ns)
{
	struct task_struct *task = bpf_get_current_task_btf();
	/*
	 * read the epoch before the record is sent: if the epoch changes meanwhile, the stored id
	 * is not reused
	 */
	__u32 epoch = *(volatile __u64 *)&rsp_epoch;
	struct rsp_stack_stats *stats;
	struct mm_struct *mm = task->mm;
	struct rsp_place place;
	struct unwinder *u;
	__u64 id;

	if (!has_part(RSP_PART_STACKS) || is_kernel_thread(task) || !mm ||
	    BPF_CORE_READ_BITFIELD(task, in_execve))
		return 0;
	u = bpf_map_lookup_elem(&rsp_unwinders, &level);
	stats = stack_stats();
	if (!u || !stats)
		return 0;
	u->level = level;
	begin(u, task, mm, now_ns);
	place = (struct rsp_place){u->pc, u->sp, u->fp, u->call, task->pid};
	id = unwind_and_send(u, task, stats);
	if (u->call < 0 || u->end != RSP_END_COMPLETE || !was_sent(id))
		return id;
	remember_repeat(repeat_key(RSP_SPACE_OF(mm), &place), id, epoch, now_ns, stats);
	remember_known(&u->noted, known_key(u->space, &place), id, epoch, now_ns);
	return id;
}

/* --- kernel stacks ---------------------------------------------------------------------------- */

/*
 * This function is global, so the verifier checks it only once, instead of for each path that leads
 * to it.
 */
__u64 rsp_kernel_stack_id(__u32 level, __s32 byte_cnt)
{
	struct rsp_scratch *scratch = scratch_of(level);
	__u32 cnt = byte_cnt / sizeof(__u64);
	__u64 id;

	if (!scratch || byte_cnt <= 0)
		return 0;
	id = mix(mix(rsp_secret, RSP_STACK_KERNEL), cnt);
	for (__u32 i = 0; i < RSP_STACK_FRAMES_MAX; i++) {
		if (i >= cnt)
			break;
		id = mix(id, scratch->frames[i]);
	}
	return id;
}

__u64 rsp_send_kernel_stack(__u32 level, __s32 byte_cnt)
{
	struct rsp_scratch *scratch = scratch_of(level);
	__u64 id = rsp_kernel_stack_id(level, byte_cnt), size;

	if (!scratch || !id || was_sent(id))
		return id;
	size = fill_kernel_stack(scratch, id, byte_cnt);
	if (size)
		send_once(&scratch->stack, size, id, RSP_EV_STACK);
	return id;
}

/* --- files mapped before recording ------------------------------------------------------------ */

/* Requests the unwind tables of mapped binaries before any stack needs them. */
SEC("iter/task_vma")
int on_mapping(struct bpf_iter__task_vma *ctx)
{
	struct vm_area_struct *vma = ctx->vma;
	struct task_struct *task = ctx->task;
	__u32 level = RSP_SCRATCH_ITER;
	struct unwinder *u = bpf_map_lookup_elem(&rsp_unwinders, &level);
	struct file *file;

	if (!task || !vma || !u || !has_part(RSP_PART_STACKS))
		return 0;
	file = BPF_CORE_READ(vma, vm_file);
	if (!file || !(BPF_CORE_READ(vma, vm_flags) & VM_EXEC))
		return 0;
	u->level = level;
	u->tgid = task->tgid;
	u->mm = (__u64)BPF_CORE_READ(vma, vm_mm);
	u->map.start = BPF_CORE_READ(vma, vm_start);
	u->map.end = BPF_CORE_READ(vma, vm_end);
	u->map.binary = 0;
	u->map.table = RSP_TABLE_NONE;
	read_key(file, &u->wanted.key);
	identify(level, &u->wanted.key, &u->map);
	if (u->map.binary && u->map.table == RSP_TABLE_PENDING)
		want_table(u);
	return 0;
}
