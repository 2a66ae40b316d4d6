/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts how often the kernel skipped BPF programs, and derives the kinds of the missing records.
 * The kernel skips a program that would interrupt itself.
 */
#ifndef RSP_DAEMON_MISSES_H
#define RSP_DAEMON_MISSES_H

#include <linux/types.h>

#include "rsp/cost.h"

struct bpf_object;

struct rsp_misses {
	__u64 cnt; /* since the start */
	__u64 of_program[RSP_PROGRAM_CNT];
};

/*
 * Returns the number of skipped runs since the last call, of programs that make records.
 * *ret_kinds: see struct rsp_ev_lost.
 */
__u64 rsp_misses_poll(struct rsp_misses *misses, const struct bpf_object *obj, __u64 *ret_kinds);

__u64 rsp_misses_of(const struct bpf_object *obj, const char *program);

#endif
