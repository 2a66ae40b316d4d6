/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes NET records. Included only by net.bpf.c. */
#ifndef RSP_NET_RECORD_BPF_H
#define RSP_NET_RECORD_BPF_H

#include "bpf/rsp.bpf.h"

extern void bpf_preempt_disable(void) __ksym __weak;
extern void bpf_preempt_enable(void) __ksym __weak;

const volatile bool rsp_forbids_preemption = false;

/*
 * Disables preemption if the kernel allows it (since Linux 6.10). A program that is preempted
 * between reserving and submitting a record holds back all later records of the CPU. If the next
 * task triggers the same program, the kernel skips the program. While preemption is disabled, a
 * program must not call global functions.
 */
static __always_inline void forbid_preemption(void)
{
	if (rsp_forbids_preemption)
		bpf_preempt_disable();
}

static __always_inline int allow_preemption(void)
{
	if (rsp_forbids_preemption)
		bpf_preempt_enable();
	return 0;
}

/* sk: identity of the socket. */
static __always_inline void fill_net(struct rsp_ev_net *rec, __u64 sk, __u32 bytes, __u32 seq,
				     __u64 object)
{
	rec->tid = (__u32)bpf_get_current_pid_tgid();
	rec->bytes = bytes;
	rec->sk = sk;
	rec->object = object;
	rec->seq = seq;
	rec->pad = 0;
}

static __always_inline int net_event(__u64 sk, __u16 flags, __u32 bytes, __u32 seq, __u64 object)
{
	struct rsp_ev_net *rec = rsp_reserve(rsp_ev_net, RSP_EV_NET, flags);

	if (!rec)
		return 0;
	fill_net(rec, sk, bytes, seq, object);
	rsp_submit(rec);
	return 0;
}

#endif
