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

static const char *const libc_modules[] = {"libc.so*", "libc-*", "libpthread*", "ld-*"};

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

/* enters_kernel: this is the user frame from which the kernel was entered. */
static bool is_telling(const struct rsp_frame *f, bool enters_kernel)
{
	if (strncmp(f->symbol, "0x", 2) == 0)
		return false;
	if (f->kernel)
		return !MATCHES(f->symbol, kernel_plumbing);
	/* libc's stub of the system call: the call is named beside the stack already. */
	if (enters_kernel && MATCHES(f->module, libc_modules))
		return false;
	return !MATCHES(f->symbol, user_plumbing);
}

size_t rsp_frames_telling(const struct rsp_frame *frames, size_t frame_cnt, bool waiting,
			  const struct rsp_frame **ret, size_t max)
{
	bool in_kernel = waiting || (frame_cnt > 0 && frames[0].kernel);
	size_t user = 0, cnt = 0;
	bool user_tells = false;

	if (frame_cnt == 0 || max == 0)
		return 0;
	while (user < frame_cnt && frames[user].kernel)
		user++;
	for (size_t i = user; i < frame_cnt && !user_tells; i++)
		user_tells = is_telling(&frames[i], in_kernel && i == user);

	for (size_t i = waiting && user_tells ? user : 0; i < frame_cnt && cnt < max; i++) {
		if (cnt > 0 && user_tells && i < user)
			continue;
		if (is_telling(&frames[i], in_kernel && i == user))
			ret[cnt++] = &frames[i];
	}
	if (cnt == 0)
		ret[cnt++] = &frames[0];
	return cnt;
}
