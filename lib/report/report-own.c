/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures how much the recorder slowed the process down. */
#include "lib/report/report.h"
#include "lib/trace/own.h"

static bool waits_for_recorder(const struct rsp_chain *chain)
{
	const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];

	if (leaf->category == RSP_CAT_RUNQUEUE || leaf->category == RSP_CAT_PREEMPTED)
		return rsp_is_recorder(leaf->object);
	return rsp_is_recorder(leaf->comm);
}

__u64 rsp_report_own_ns(const struct rsp_explanation *e)
{
	__u64 ns = 0;

	if (rsp_is_recorder(e->comm))
		return 0;
	for (size_t i = 0; i < e->chain_cnt; i++)
		ns += waits_for_recorder(&e->chains[i]) ? e->chains[i].ns : 0;
	return ns;
}
