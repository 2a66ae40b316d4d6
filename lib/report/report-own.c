/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cost of the recorder for the process: waits for a CPU on which the recorder ran, and waits
 * for its activities.
 */
#include <string.h>

#include "lib/report/report.h"

bool rsp_report_is_recorder(const char *comm)
{
	static const char *const names[] = {"rspd", "rsp-worker", "rspctl"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(comm, names[i]) == 0)
			return true;
	return strncmp(comm, "rspd-", strlen("rspd-")) == 0;
}

static bool waits_for_recorder(const struct rsp_chain *chain)
{
	const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];

	if (leaf->category == RSP_CAT_RUNQUEUE || leaf->category == RSP_CAT_PREEMPTED)
		return rsp_report_is_recorder(leaf->object);
	return rsp_report_is_recorder(leaf->comm);
}

__u64 rsp_report_own_ns(const struct rsp_explanation *e)
{
	__u64 ns = 0;

	if (rsp_report_is_recorder(e->comm))
		return 0;
	for (size_t i = 0; i < e->chain_cnt; i++)
		ns += waits_for_recorder(&e->chains[i]) ? e->chains[i].ns : 0;
	return ns;
}
