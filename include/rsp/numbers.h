/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of binaries. A frame has 23 bits for them, and whoever changes and runs a file often
 * enough could use them up within minutes: then one number would mean two files.
 *
 * So numbers are taken from one half of what there is, and when that is used up from the other. The
 * programs take, the daemon grants: a half is granted anew when no record has its numbers any more.
 * A user gets a share in a time, and the last part of what is granted is for root.
 *
 * Plain C, for BPF programs (after vmlinux.h) and for user space.
 */
#ifndef RSP_NUMBERS_H
#define RSP_NUMBERS_H

#ifndef __bpf__
#include <linux/types.h>
#include <stdbool.h>
#endif

#define RSP_BINARY_VDSO	 1 /* number; the same in all processes */
#define RSP_BINARY_FIRST 2

/* 0 and the vdso's have no equal in the second half. */
#define RSP_NUMBER_HALF_SIZE (1U << 22)
#define RSP_NUMBER_HALF_CNT  (RSP_NUMBER_HALF_SIZE - RSP_BINARY_FIRST)

#define RSP_NUMBER_ROOT_CNT (RSP_NUMBER_HALF_CNT / 16)

/*
 * A user's share: so many at once, and so many a second in the long run. A build takes some ten a
 * second; one user alone needs more than a day for a half.
 */
#define RSP_NUMBER_BURST_CNT  65536
#define RSP_NUMBER_PER_SECOND 32

struct rsp_number_user {
	__u32 spent_cnt; /* of the burst */
	__u32 at_s;	 /* when that was so */
};

struct rsp_numbers {
	__u64 taken_cnt; /* since load; goes a little beyond granted_cnt where CPUs race */
	__u64 granted_cnt;
	__u64 refused_cnt;
};

/* Counts halves from the first on, which is granted again as the third. */
static inline __attribute__((always_inline)) __u32 rsp_number_half(__u64 cnt)
{
	return (__u32)(cnt / RSP_NUMBER_HALF_CNT);
}

/* The number of the cnt-th binary. */
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

/* A number for a binary that a user runs; 0: there is none for that user now. */
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
