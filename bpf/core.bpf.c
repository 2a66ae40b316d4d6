/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defines maps and knobs that the programs share. Contains no program. */
#include "bpf/ustack.bpf.h"

const volatile __u64 rsp_secret = 0;
const volatile __u32 rsp_ring_mask = 4095;
const volatile __u32 rsp_wake_bytes = 0;
const volatile __u32 rsp_slot_mask = RSP_SLOTS_MIN - 1;
const volatile __u32 rsp_parts = RSP_PARTS_ALL;
const volatile __u64 rsp_fn_hrtimer_wakeup = 0;
const volatile __u64 rsp_fn_process_timeout = 0;
const volatile __u64 rsp_fn_wq_barrier_func = 0;
const volatile __u64 rsp_fn_throttle_dispatch = 0;
__u64 rsp_epoch = 0;
__u32 rsp_measuring = 0;
__u32 rsp_shed = RSP_SHED_NOTHING;
__u32 rsp_ring_of[RSP_CPU_MAX] = {};
struct rsp_loss rsp_losses[RSP_CPU_MAX] = {};
struct rsp_loss rsp_control_loss = {};

struct rsp_rings_map rsp_rings SEC(".maps");
struct rsp_bell_map rsp_bell SEC(".maps");
struct rsp_control_map rsp_control SEC(".maps");
struct rsp_seen_map rsp_seen SEC(".maps");
struct rsp_cpus_map rsp_cpus SEC(".maps");
struct rsp_scratches_map rsp_scratches SEC(".maps");
struct rsp_stack_stats_map rsp_stack_stats SEC(".maps");
struct rsp_runs_map rsp_runs SEC(".maps");
struct rsp_repeats_map rsp_repeats SEC(".maps");
struct rsp_shapes_map rsp_shapes SEC(".maps");

char LICENSE[] SEC("license")
= "GPL";
