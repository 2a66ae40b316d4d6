/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See features.h. */
#include "features.h"

#include <string.h>

#include "rsp/parts.h"

const struct rsp_feature rsp_features[RSP_FEATURE_CNT] = {
	[RSP_FEATURE_SCHED] = {"sched", 0, true, {"on_switch", "on_waking", "on_wakeup_new"}},
	[RSP_FEATURE_SYSCALLS] = {"syscalls", RSP_PART_SYSCALLS, false, {"on_switch"}},
	[RSP_FEATURE_FILES] = {"files", RSP_PART_FILES, false, {"on_switch"}},
	[RSP_FEATURE_STACKS] = {"stacks", RSP_PART_STACKS, false, {"on_switch", "on_waking"}},
	[RSP_FEATURE_QUOTAS] = {"quotas", RSP_PART_QUOTAS, false, {"on_switch", "on_waking"}},
	[RSP_FEATURE_LIMITS] = {"limits",
				RSP_PART_LIMITS,
				false,
				{"on_switch", "on_waking", "slo_root_level"}},
	[RSP_FEATURE_TASKS] = {"tasks", 0, false, {"on_fork", "on_exec", "on_rename", "on_exit"}},
	[RSP_FEATURE_CENSUS] = {"census", 0, false, {"on_census"}},
	[RSP_FEATURE_SLICES] = {"slices", 0, false, {"on_pause", "on_resume"}},
	[RSP_FEATURE_LONG_WAITS] = {"long-waits", 0, false, {"on_waking_paused"}},
	[RSP_FEATURE_MAPPINGS] = {"mappings", 0, false, {"on_mapping"}},
	[RSP_FEATURE_BLOCK] = {"block",
			       0,
			       false,
			       {"on_rq_insert", "on_rq_issue", "on_rq_complete"}},
	[RSP_FEATURE_DISK_FILES] = {"disk-files",
				    RSP_PART_PAGES,
				    false,
				    {"on_rq_insert", "on_rq_issue"}},
	[RSP_FEATURE_IO_LIMITS] = {"io-limits", 0, false, {"on_getrq"}},
	[RSP_FEATURE_RECLAIM] = {"reclaim", 0, false, {"on_reclaim_begin", "on_reclaim_end"}},
	[RSP_FEATURE_CGROUP_RECLAIM] = {"cgroup-reclaim",
					0,
					false,
					{"on_memcg_reclaim_begin", "on_memcg_reclaim_end"}},
	[RSP_FEATURE_INTERRUPTS] = {"interrupts",
				    0,
				    false,
				    {"on_irq_entry", "on_irq_exit", "on_softirq_entry",
				     "on_softirq_exit"}},
	[RSP_FEATURE_CPU_INTERRUPTS] = {"cpu-interrupts",
					0,
					false,
					{"on_local_timer_entry", "on_local_timer_exit",
					 "on_irq_work_entry", "on_irq_work_exit",
					 "on_call_function_entry", "on_call_function_exit",
					 "on_call_function_single_entry",
					 "on_call_function_single_exit"}},
	[RSP_FEATURE_TIMERS] = {"timers",
				0,
				false,
				{"on_hrtimer_entry", "on_hrtimer_exit", "on_timer_entry",
				 "on_timer_exit"}},
	[RSP_FEATURE_WORK] = {"work", 0, false, {"on_queue_work", "on_begin_work"}},
	[RSP_FEATURE_TCP_STATE] = {"tcp-state", 0, false, {"on_tcp_state"}},
	[RSP_FEATURE_TCP_SEND] = {"tcp-send",
				  0,
				  false,
				  {"on_tcp_send_tp", "on_tcp_send_fe", "on_tcp_send_kp"}},
	[RSP_FEATURE_TCP_NAGLE] = {"tcp-nagle",
				   RSP_PART_NAGLE,
				   false,
				   {"on_tcp_send_tp", "on_tcp_send_fe", "on_tcp_send_kp"}},
	[RSP_FEATURE_TCP_RETRANSMIT] = {"tcp-retransmit", 0, false, {"on_tcp_retransmit"}},
	[RSP_FEATURE_UDP_SEND] = {"udp-send",
				  0,
				  false,
				  {"on_udp_send_tp", "on_udp_send_fe", "on_udp6_send_fe",
				   "on_udp_send_kp", "on_udp6_send_kp"}},
	[RSP_FEATURE_NET_RECEIVE] = {"net-receive",
				     0,
				     false,
				     {"on_packet", "on_data_ready_tp", "on_data_ready_fe",
				      "on_data_ready_kp"}},
	[RSP_FEATURE_SAMPLES] = {"samples", 0, false, {"on_sample"}},
	[RSP_FEATURE_FUNCTIONS] = {"functions",
				   0,
				   false,
				   {"on_function_entry", "on_function_return"}},
};

bool rsp_feature_has(const struct rsp_feature *feature, const char *program)
{
	for (size_t i = 0; feature->programs[i]; i++)
		if (strcmp(feature->programs[i], program) == 0)
			return true;
	return false;
}
