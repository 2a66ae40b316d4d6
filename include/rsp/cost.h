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

/* The programs that measure their run times. */
#define RSP_PROGRAMS(X)                                                                            \
	X(on_switch)                                                                               \
	X(on_waking)                                                                               \
	X(on_wakeup_new)                                                                           \
	X(on_waking_paused)                                                                        \
	X(on_sample)                                                                               \
	X(on_rq_insert)                                                                            \
	X(on_rq_issue)                                                                             \
	X(on_rq_complete)                                                                          \
	X(on_getrq)                                                                                \
	X(on_irq_entry)                                                                            \
	X(on_irq_exit)                                                                             \
	X(on_softirq_entry)                                                                        \
	X(on_softirq_exit)                                                                         \
	X(on_local_timer_entry)                                                                    \
	X(on_local_timer_exit)                                                                     \
	X(on_irq_work_entry)                                                                       \
	X(on_irq_work_exit)                                                                        \
	X(on_call_function_entry)                                                                  \
	X(on_call_function_exit)                                                                   \
	X(on_call_function_single_entry)                                                           \
	X(on_call_function_single_exit)                                                            \
	X(on_hrtimer_entry)                                                                        \
	X(on_hrtimer_exit)                                                                         \
	X(on_timer_entry)                                                                          \
	X(on_timer_exit)                                                                           \
	X(on_tcp_state)                                                                            \
	X(on_packet)                                                                               \
	X(on_tcp_retransmit)                                                                       \
	X(on_tcp_send_tp)                                                                          \
	X(on_udp_send_tp)                                                                          \
	X(on_data_ready_tp)                                                                        \
	X(on_tcp_send_fe)                                                                          \
	X(on_udp_send_fe)                                                                          \
	X(on_udp6_send_fe)                                                                         \
	X(on_data_ready_fe)                                                                        \
	X(on_unix_close_fe)                                                                        \
	X(on_unix_close_kp)                                                                        \
	X(on_tcp_send_kp)                                                                          \
	X(on_udp_send_kp)                                                                          \
	X(on_udp6_send_kp)                                                                         \
	X(on_data_ready_kp)                                                                        \
	X(on_fork)                                                                                 \
	X(on_exec)                                                                                 \
	X(on_rename)                                                                               \
	X(on_exit)                                                                                 \
	X(on_queue_work)                                                                           \
	X(on_begin_work)                                                                           \
	X(on_reclaim_begin)                                                                        \
	X(on_reclaim_end)                                                                          \
	X(on_memcg_reclaim_begin)                                                                  \
	X(on_memcg_reclaim_end)                                                                    \
	X(on_function_entry)                                                                       \
	X(on_function_return)

#define RSP_PROGRAM_ENUMERATOR(name) RSP_PROGRAM_##name,
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
