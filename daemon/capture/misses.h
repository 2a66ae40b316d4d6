/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel says of its programs -> how often it skipped one, and which records are missing
 * for that. It does where a program interrupts itself: a timer of a softirq expires, and in the
 * middle of its program one of a hard interrupt does.
 */
#ifndef RSP_DAEMON_MISSES_H
#define RSP_DAEMON_MISSES_H

#include <linux/types.h>

#include "rsp/cost.h"

struct bpf_object;

/* Zeroed: nothing was skipped yet. */
struct rsp_misses {
	__u64 cnt; /* since the start */
	__u64 of_program[RSP_PROGRAM_CNT];
};

/* Returns how many there were since the last look; *ret_kinds as in rsp_ev_lost. */
__u64 rsp_misses_poll(struct rsp_misses *misses, const struct bpf_object *obj, __u64 *ret_kinds);

#endif
