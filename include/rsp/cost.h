/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of the run times of the BPF programs. A program measures its own run time while the
 * daemon requests this. The kernel could also measure run times, but only CAP_SYS_ADMIN may enable
 * this, and each change interrupts all CPUs.
 *
 * Included by BPF programs (after vmlinux.h) and by user space (after <linux/types.h>).
 */
#ifndef RSP_COST_H
#define RSP_COST_H

#ifndef __bpf__
#include <linux/types.h>
#endif

/*
 * The programs that measure their run times, and the kind of records that are missing if the kernel
 * skips a program. Some programs make no records, but find causes for records of other programs;
 * their entry is the kind of those records. 0: the program makes no records, and the kernel does
 * not skip it.
 */
#define RSP_PROGRAMS(X)                                                                            \
	X(on_switch, RSP_EV_SWITCH)                                                                \
	X(on_waking, RSP_EV_WAKING)                                                                \
	X(on_wakeup_new, RSP_EV_WAKING)                                                            \
	X(on_waking_paused, RSP_EV_WAKING)                                                         \
	X(on_sample, RSP_EV_SAMPLE)                                                                \
	X(on_rq_insert, RSP_EV_BLOCK)                                                              \
	X(on_rq_issue, RSP_EV_BLOCK)                                                               \
	X(on_rq_complete, RSP_EV_BLOCK)                                                            \
	X(on_getrq, RSP_EV_DELAY)                                                                  \
	X(on_irq_entry, RSP_EV_IRQ)                                                                \
	X(on_irq_exit, RSP_EV_IRQ)                                                                 \
	X(on_softirq_entry, RSP_EV_IRQ)                                                            \
	X(on_softirq_exit, RSP_EV_IRQ)                                                             \
	X(on_local_timer_entry, RSP_EV_IRQ)                                                        \
	X(on_local_timer_exit, RSP_EV_IRQ)                                                         \
	X(on_irq_work_entry, RSP_EV_IRQ)                                                           \
	X(on_irq_work_exit, RSP_EV_IRQ)                                                            \
	X(on_call_function_entry, RSP_EV_IRQ)                                                      \
	X(on_call_function_exit, RSP_EV_IRQ)                                                       \
	X(on_call_function_single_entry, RSP_EV_IRQ)                                               \
	X(on_call_function_single_exit, RSP_EV_IRQ)                                                \
	X(on_hrtimer_entry, RSP_EV_IRQ)                                                            \
	X(on_hrtimer_exit, RSP_EV_IRQ)                                                             \
	X(on_timer_entry, RSP_EV_IRQ)                                                              \
	X(on_timer_exit, RSP_EV_IRQ)                                                               \
	X(on_tcp_state, RSP_EV_NET)                                                                \
	X(on_packet, RSP_EV_NET)                                                                   \
	X(on_tcp_retransmit, RSP_EV_DELAY)                                                         \
	X(on_tcp_send_tp, RSP_EV_NET)                                                              \
	X(on_udp_send_tp, RSP_EV_NET)                                                              \
	X(on_data_ready_tp, RSP_EV_NET)                                                            \
	X(on_tcp_send_fe, RSP_EV_NET)                                                              \
	X(on_udp_send_fe, RSP_EV_NET)                                                              \
	X(on_udp6_send_fe, RSP_EV_NET)                                                             \
	X(on_data_ready_fe, RSP_EV_NET)                                                            \
	X(on_unix_close_fe, RSP_EV_NET)                                                            \
	X(on_unix_close_kp, RSP_EV_NET)                                                            \
	X(on_tcp_send_kp, RSP_EV_NET)                                                              \
	X(on_udp_send_kp, RSP_EV_NET)                                                              \
	X(on_udp6_send_kp, RSP_EV_NET)                                                             \
	X(on_data_ready_kp, RSP_EV_NET)                                                            \
	X(on_fork, RSP_EV_TASK)                                                                    \
	X(on_exec, RSP_EV_TASK)                                                                    \
	X(on_rename, RSP_EV_TASK)                                                                  \
	X(on_exit, RSP_EV_EXIT)                                                                    \
	X(on_queue_work, RSP_EV_WORK)                                                              \
	X(on_begin_work, RSP_EV_WORK)                                                              \
	X(on_reclaim_begin, RSP_EV_DELAY)                                                          \
	X(on_reclaim_end, RSP_EV_DELAY)                                                            \
	X(on_memcg_reclaim_begin, RSP_EV_DELAY)                                                    \
	X(on_memcg_reclaim_end, RSP_EV_DELAY)                                                      \
	X(on_function_entry, 0)                                                                    \
	X(on_function_return, 0)

#define RSP_PROGRAM_ENUMERATOR(name, kind) RSP_PROGRAM_##name,
enum rsp_program { RSP_PROGRAMS(RSP_PROGRAM_ENUMERATOR) RSP_PROGRAM_CNT };
#undef RSP_PROGRAM_ENUMERATOR

/*
 * Numbers of runs and total run times of the programs on one CPU, since the programs were loaded.
 * Except for on_waking_paused, they grow only while run times are measured.
 */
struct rsp_runs {
	struct {
		__u64 cnt;
		__u64 ns;
	} v[RSP_PROGRAM_CNT];
};

#endif
