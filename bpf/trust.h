/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a CPU's walked stacks can be trusted, as those that were also unwound show. Plain C, so
 * that it can be tested without a kernel.
 */
#ifndef RSP_BPF_TRUST_H
#define RSP_BPF_TRUST_H

/* Beyond one wrong among so many, walking ends for a while. */
#define RSP_WALK_WRONG_SHARE 1000

/*
 * For so many stacks, which are all unwound. What misled the walk is likely gone then, as a module
 * that was unloaded; if not, the few wrong stacks before the next pause are one in ten thousand.
 */
#define RSP_WALK_PAUSE_CNT 65536

/* So many checks count twice as much as those before them. */
#define RSP_WALK_DECAY_CNT 16384

struct rsp_trust {
	__u32 checked_cnt;
	__u32 wrong_cnt;
	__u32 pause_left_cnt;
	__u32 pad;
};

/* Once for each stack. */
static inline __attribute__((always_inline)) bool rsp_trust_may_walk(struct rsp_trust *trust)
{
	if (!trust->pause_left_cnt)
		return true;
	trust->pause_left_cnt--;
	return false;
}

/* A stack was walked and unwound. */
static inline __attribute__((always_inline)) void rsp_trust_check(struct rsp_trust *trust,
								  bool is_wrong)
{
	trust->checked_cnt++;
	trust->wrong_cnt += is_wrong;
	if (trust->wrong_cnt * RSP_WALK_WRONG_SHARE > trust->checked_cnt + RSP_WALK_WRONG_SHARE) {
		trust->checked_cnt = trust->wrong_cnt = 0;
		trust->pause_left_cnt = RSP_WALK_PAUSE_CNT;
	} else if (trust->checked_cnt >= RSP_WALK_DECAY_CNT) {
		trust->checked_cnt /= 2;
		trust->wrong_cnt /= 2;
	}
}

#endif
