/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the run times of the programs that are defined with RSP_PROG or RSP_KPROBE. Declares
 * rsp_shed, by which the daemon selects data that the programs leave out to reduce their cost.
 */
#ifndef RSP_COST_BPF_H
#define RSP_COST_BPF_H

#include "rsp/cost.h"

/* The daemon changes rsp_measuring and rsp_shed while BPF programs run. */
extern __u32 rsp_measuring; /* 1: programs measure their run time */
extern __u32 rsp_shed;	    /* enum rsp_shed: data to leave out */

extern struct rsp_runs_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct rsp_runs);
} rsp_runs SEC(".maps");

static __always_inline __u64 begin_run(void)
{
	return rsp_measuring ? bpf_ktime_get_ns() : 0;
}

static __always_inline void end_run(__u32 program, __u64 begun_ns)
{
	struct rsp_runs *runs;
	__u32 zero = 0;

	if (!begun_ns)
		return;
	runs = bpf_map_lookup_elem(&rsp_runs, &zero);
	if (!runs)
		return;
	runs->v[program].cnt++;
	runs->v[program].ns += bpf_ktime_get_ns() - begun_ns;
}

#define RSP_TIMED(name, type, arguments, args...)                                                  \
	name(type *ctx);                                                                           \
	static __always_inline int timed_##name(type *ctx, ##args);                                \
	int name(type *ctx)                                                                        \
	{                                                                                          \
		__u64 begun_ns = begin_run();                                                      \
		int ret;                                                                           \
                                                                                                   \
		_Pragma("GCC diagnostic push");                                                    \
		_Pragma("GCC diagnostic ignored \"-Wint-conversion\"");                            \
		ret = timed_##name(arguments);                                                     \
		_Pragma("GCC diagnostic pop");                                                     \
		end_run(RSP_PROGRAM_##name, begun_ns);                                             \
		return ret;                                                                        \
	}                                                                                          \
	static __always_inline int timed_##name(type *ctx, ##args)

/* Defines a program like BPF_PROG, with measured run time. */
#define RSP_PROG(name, args...)	  RSP_TIMED(name, unsigned long long, ___bpf_ctx_cast(args), ##args)
#define RSP_KPROBE(name, args...) RSP_TIMED(name, struct pt_regs, ___bpf_kprobe_args(args), ##args)

#endif
