/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report-frames.h. */
#include "report-frames.h"

#include <string.h>

/*
 * Frames that every stack of some kind has, so they tell nothing: how the kernel is entered, how a
 * task is put to sleep, how threads and programs begin. A trailing '*' matches any rest.
 */
static const char *const kernel_plumbing[] = {
	"entry_SYSCALL_*",
	"entry_SYSENTER_*",
	"do_syscall_64",
	"do_int80_*",
	"x64_sys_call",
	"__x64_sys_*",
	"__ia32_sys_*",
	"__do_sys_*",
	"__se_sys_*",
	"ksys_*",
	"asm_exc_*",
	"exc_page_fault",
	"do_user_addr_fault",
	"asm_sysvec_*",
	"sysvec_*",
	"asm_common_interrupt",
	"common_interrupt",
	"irqentry_*",
	"exit_to_user_mode*",
	"syscall_exit_to_user_mode*",
	"schedule",
	"__schedule",
	"preempt_schedule*",
	"__cond_resched",
	"schedule_timeout*",
	"schedule_hrtimeout*",
	"schedule_preempt_disabled",
	"io_schedule*",
	"ret_from_fork*",
	"kthread",
	/* Without a PMU the sampling interrupt waits until they let it in: their callers' time. */
	"_raw_spin_unlock_irq*",
	"_raw_read_unlock_irq*",
	"_raw_write_unlock_irq*",
	"finish_task_switch*",
};

static const char *const user_plumbing[] = {
	"_start",
	"__libc_start_*",
	"start_thread",
	"clone",
	"clone3",
	"__clone*",
	"syscall",
	"__syscall_cancel*",
	"__internal_syscall_cancel",
	"__syscall_cp*",
	"__futex_abstimed_wait*",
};

static const char *const libc_modules[] = {"libc.so*", "libc-*", "libc.musl*", "libpthread*",
					   "ld-*"};

static bool matches(const char *name, const char *const *patterns, size_t cnt)
{
	for (size_t i = 0; i < cnt; i++) {
		size_t len = strlen(patterns[i]);
		bool open = patterns[i][len - 1] == '*';

		if (open ? strncmp(name, patterns[i], len - 1) == 0
			 : strcmp(name, patterns[i]) == 0)
			return true;
	}
	return false;
}

#define MATCHES(name, patterns) matches(name, patterns, sizeof(patterns) / sizeof((patterns)[0]))

static bool is_plumbing(const struct rsp_frame *f)
{
	if (f->kernel)
		return MATCHES(f->symbol, kernel_plumbing);
	return MATCHES(f->symbol, user_plumbing) || strcmp(f->module, "?") == 0;
}

/*
 * Of the hop's frames from..to-1 up to max that tell something. Nameless functions do not, but the
 * first one may if nameless is set: its module is worth knowing.
 */
static size_t take(const struct rsp_hop *hop, size_t from, size_t to, bool nameless,
		   const struct rsp_frame **ret, size_t max)
{
	size_t cnt = 0;

	for (size_t i = from; i < to && cnt < max; i++) {
		const struct rsp_frame *f = &hop->frames[i];

		if (!is_plumbing(f) && (rsp_frame_has_name(f) || (nameless && cnt == 0)))
			ret[cnt++] = f;
	}
	return cnt;
}

static bool is_run(const struct rsp_hop *hop)
{
	return hop->kind == RSP_HOP_LEAF &&
	       (hop->category == RSP_CAT_RUNNING_SAMPLED ||
		hop->category == RSP_CAT_RUNNING_UNSAMPLED || hop->category == RSP_CAT_PREEMPTED);
}

size_t rsp_frames_telling(const struct rsp_hop *hop, const struct rsp_frame **ret, size_t max)
{
	size_t all = hop->frame_cnt, user = 0, program, cnt;

	while (user < all && hop->frames[user].kernel)
		user++;
	/* libc's way into the kernel: the system call is named beside the stack already. */
	for (program = user; program < all && MATCHES(hop->frames[program].module, libc_modules);)
		program++;

	if (is_run(hop)) {
		size_t leaf = take(hop, 0, user, false, ret, max > 0);

		/* Interrupted in the program, not called by it, the kernel has no leaf to tell. */
		cnt = leaf + take(hop, leaf ? program : user, all, !leaf, ret + leaf, max - leaf);
		return cnt > leaf ? cnt : take(hop, 0, user, false, ret, max);
	}
	cnt = take(hop, program, all, false, ret, max);
	if (cnt == 0)
		cnt = take(hop, program, all, true, ret, max > 0);
	if (cnt == 0 && !*hop->syscall)
		cnt = take(hop, 0, user, false, ret, max);
	return cnt;
}
