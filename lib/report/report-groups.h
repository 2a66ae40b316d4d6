/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chains that differ only in stacks, taken together: the same programs waited for one another in
 * the same way. A build has thousands of chains and a handful of these.
 */
#ifndef RSP_LIB_REPORT_GROUPS_H
#define RSP_LIB_REPORT_GROUPS_H

#include "lib/model/explain.h"

#define RSP_GROUP_PLACES 3

struct rsp_chain_group {
	const struct rsp_chain *heaviest; /* of its members; stands for all */
	__u64 ns, count, unknown_ns;	  /* running, but nothing tells where */
	size_t chain_cnt, sample_cnt;
	/* Where its leaves ran, by samples, heaviest first; symbol NULL: no more (none of few
	 * samples). */
	struct {
		const char *symbol;
		__u64 ns;
	} places[RSP_GROUP_PLACES];
};

/* Heaviest group first; *ret is the caller's (free). 0 or -ENOMEM. */
int rsp_chain_groups_make(const struct rsp_explanation *e, struct rsp_chain_group **ret,
			  size_t *ret_cnt);

#endif
