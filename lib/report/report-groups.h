/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of chains that differ only in stacks: the same programs waited for one another in the same
 * way. A build has thousands of chains, but few groups.
 */
#ifndef RSP_LIB_REPORT_GROUPS_H
#define RSP_LIB_REPORT_GROUPS_H

#include "lib/model/explain/explain.h"

#define RSP_GROUP_PLACES 3

struct rsp_chain_group {
	const struct rsp_chain *heaviest; /* the heaviest member, which represents the group */
	__u64 ns, count, unknown_ns;	  /* unknown_ns: running without samples */
	size_t chain_cnt, sample_cnt;
	/*
	 * Where its leaves ran, by samples, heaviest first. symbol NULL: end of the list, which is
	 * empty if there are few samples.
	 */
	struct {
		const char *symbol;
		__u64 ns;
	} places[RSP_GROUP_PLACES];
};

/* Makes the groups, heaviest first. The caller frees *ret. Returns 0 or -ENOMEM. */
int rsp_chain_groups_make(const struct rsp_explanation *e, struct rsp_chain_group **ret,
			  size_t *ret_cnt);

#endif
