/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups chains in which the same programs waited for one another in the same way. The stacks and
 * the thread IDs may differ.
 */
#ifndef RSP_LIB_REPORT_GROUPS_H
#define RSP_LIB_REPORT_GROUPS_H

#include "lib/model/explain/explain.h"

#define RSP_GROUP_PLACES 3

struct rsp_chain_group {
	const struct rsp_chain *heaviest; /* the heaviest chain, as an example of the group */
	__u64 ns, count, unknown_ns;	  /* unknown_ns: time of runs without a stack */
	size_t chain_cnt, sample_cnt;
	/*
	 * The functions in which the last hops ran, from samples, heaviest first. A symbol of NULL
	 * ends the list. If too little time was sampled, the list is empty.
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
