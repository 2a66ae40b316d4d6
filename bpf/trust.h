/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides for a CPU whether stacks may be walked instead of unwound, by the share of wrong stacks
 * among those that were both walked and unwound. Plain C, so that it can be tested without a
 * kernel.
 */
#ifndef RSP_BPF_TRUST_H
#define RSP_BPF_TRUST_H

/* If more than one in RSP_WALK_WRONG_SHARE checked stacks is wrong, walking stops for a while. */
#define RSP_WALK_WRONG_SHARE 1000

/*
 * Number of stacks that are unwound before walking begins again. By then, the cause of the errors,
 * such as an unloaded module, probably no longer exists.
 */
#define RSP_WALK_PAUSE_CNT 65536

/* After this number of checks, the counts are halved, so that older checks count less. */
#define RSP_WALK_DECAY_CNT 16384

struct rsp_trust {
	__u32 checked_cnt;
	__u32 wrong_cnt;
	__u32 pause_left_cnt;
	__u32 pad;
};

/* Must be called once per stack. */
static inline __attribute__((always_inline)) bool rsp_trust_may_walk(struct rsp_trust *trust)
{
	if (!trust->pause_left_cnt)
		return true;
	trust->pause_left_cnt--;
	return false;
}

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
