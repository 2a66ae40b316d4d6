/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See misses.h. */
#include "daemon/capture/misses.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "rsp/event.h"

#define NAME(name) #name,
static const char *const names[RSP_PROGRAM_CNT] = {RSP_PROGRAMS(NAME)};
#undef NAME

#define PROGRAM(name)	      RSP_PROGRAM_##name
#define PROGRAMS(first, last) RSP_PROGRAM_##first... RSP_PROGRAM_##last

/*
 * For each program, the kind of records that are missing if the kernel skips the program. Some
 * programs, such as those for timers, make no records, but find causes for the records of other
 * programs. Their entry is the kind of those records. The programs that measure functions have no
 * entry: they make no records, and the kernel does not skip them.
 */
static const __u8 kinds[RSP_PROGRAM_CNT] = {
	[PROGRAM(on_switch)] = RSP_EV_SWITCH,
	[PROGRAMS(on_waking, on_waking_paused)] = RSP_EV_WAKING,
	[PROGRAM(on_sample)] = RSP_EV_SAMPLE,
	[PROGRAMS(on_rq_insert, on_rq_complete)] = RSP_EV_BLOCK,
	[PROGRAM(on_getrq)] = RSP_EV_DELAY,
	[PROGRAMS(on_irq_entry, on_timer_exit)] = RSP_EV_IRQ,
	[PROGRAMS(on_tcp_state, on_packet)] = RSP_EV_NET,
	[PROGRAM(on_tcp_retransmit)] = RSP_EV_DELAY,
	[PROGRAMS(on_tcp_send_tp, on_data_ready_kp)] = RSP_EV_NET,
	[PROGRAMS(on_fork, on_rename)] = RSP_EV_TASK,
	[PROGRAM(on_exit)] = RSP_EV_EXIT,
	[PROGRAMS(on_queue_work, on_begin_work)] = RSP_EV_WORK,
	[PROGRAMS(on_reclaim_begin, on_memcg_reclaim_end)] = RSP_EV_DELAY,
};

__u64 rsp_misses_of(const struct bpf_object *obj, const char *name)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(obj, name);
	struct bpf_prog_info info = {};
	__u32 len = sizeof(info);

	if (!prog || bpf_program__fd(prog) < 0 ||
	    bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len) < 0)
		return 0;
	return info.recursion_misses;
}

__u64 rsp_misses_poll(struct rsp_misses *misses, const struct bpf_object *obj, __u64 *ret_kinds)
{
	__u64 sum = 0;

	*ret_kinds = 0;
	for (size_t i = 0; i < RSP_PROGRAM_CNT; i++) {
		__u64 cnt = rsp_misses_of(obj, names[i]);

		if (cnt <= misses->of_program[i])
			continue;
		sum += cnt - misses->of_program[i];
		misses->of_program[i] = cnt;
		*ret_kinds |= 1ULL << kinds[i];
	}
	misses->cnt += sum;
	return sum;
}
