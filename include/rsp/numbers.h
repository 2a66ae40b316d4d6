/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of binaries. A frame of a user stack has 23 bits for the number of its binary. A user
 * who changes and runs a file often enough could use up all numbers within minutes; a number would
 * then stand for two files. So the numbers are divided into two halves, which are used in turn. The
 * daemon grants a half again only when no record contains a number of this half any more. The rate
 * at which one user other than root takes numbers is limited.
 *
 * Plain C, for BPF programs (after vmlinux.h) and for user space.
 */
#ifndef RSP_NUMBERS_H
#define RSP_NUMBERS_H

#ifndef __bpf__
#include <linux/types.h>
#include <stdbool.h>
#endif

#define RSP_BINARY_VDSO	 1 /* number of the vDSO in all processes */
#define RSP_BINARY_FIRST 2

/*
 * Numbers of values and of binaries per half. The first two values of each half do not stand for
 * files: in the first half, 0 means no binary and 1 the vDSO.
 */
#define RSP_NUMBER_HALF_SIZE (1U << 22)
#define RSP_NUMBER_HALF_CNT  (RSP_NUMBER_HALF_SIZE - RSP_BINARY_FIRST)

#define RSP_NUMBER_ROOT_CNT (RSP_NUMBER_HALF_CNT / 16)

/*
 * Limits for one user: the size of a burst, and the long-term rate. A build of software takes some
 * ten numbers a second.
 */
#define RSP_NUMBER_BURST_CNT  65536
#define RSP_NUMBER_PER_SECOND 32

struct rsp_number_user {
	__u32 spent_cnt; /* numbers of the burst that were used up at the time at_s */
	__u32 at_s;
};

struct rsp_numbers {
	/*
	 * numbers taken since the programs were loaded; may exceed granted_cnt a little if CPUs
	 * race
	 */
	__u64 taken_cnt;
	__u64 granted_cnt;
	__u64 refused_cnt;
};

/*
 * Returns the half to which the cnt-th taken number belongs. Halves are counted from 0 in the order
 * of use: half 2 has the same numbers as half 0.
 */
static inline __attribute__((always_inline)) __u32 rsp_number_half(__u64 cnt)
{
	return (__u32)(cnt / RSP_NUMBER_HALF_CNT);
}

static inline __attribute__((always_inline)) __u32 rsp_number_of(__u64 cnt)
{
	return rsp_number_half(cnt) % 2 * RSP_NUMBER_HALF_SIZE + RSP_BINARY_FIRST +
	       (__u32)(cnt % RSP_NUMBER_HALF_CNT);
}

static inline __attribute__((always_inline)) bool rsp_number_is_in(__u32 number, __u32 half)
{
	return number >= RSP_BINARY_FIRST && number / RSP_NUMBER_HALF_SIZE == half % 2;
}

static inline __attribute__((always_inline)) bool rsp_number_spend(struct rsp_number_user *user,
								   __u32 now_s)
{
	__u64 back_cnt = (__u64)(now_s - user->at_s) * RSP_NUMBER_PER_SECOND;

	user->spent_cnt -= back_cnt < user->spent_cnt ? (__u32)back_cnt : user->spent_cnt;
	user->at_s = now_s;
	if (user->spent_cnt >= RSP_NUMBER_BURST_CNT)
		return false;
	user->spent_cnt++;
	return true;
}

/* Returns 0 if no number is available for this user now. */
static inline __attribute__((always_inline)) __u32
rsp_number_take(struct rsp_numbers *n, struct rsp_number_user *user, bool is_root, __u32 now_s)
{
	__u64 limit = n->granted_cnt - (is_root ? 0 : RSP_NUMBER_ROOT_CNT), cnt = n->taken_cnt;

	if (cnt >= limit || (!is_root && !rsp_number_spend(user, now_s)))
		goto refuse;
	cnt = __sync_fetch_and_add(&n->taken_cnt, 1);
	if (cnt < n->granted_cnt)
		return rsp_number_of(cnt);
refuse:
	__sync_fetch_and_add(&n->refused_cnt, 1);
	return 0;
}

#endif
