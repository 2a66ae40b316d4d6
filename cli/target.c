/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See target.h. */
#include "cli/target.h"

int rsp_target_cnt(const struct rsp_options *opt)
{
	return (opt->pid != 0) + (opt->port != 0) + (opt->unit != NULL) + (opt->cgroup != NULL) +
	       (opt->comm != NULL) + (opt->container != NULL);
}

bool rsp_target_is_resolved(const struct rsp_options *opt)
{
	return opt->unit || opt->cgroup || opt->container || opt->port;
}

int rsp_target_fail(void)
{
	rsp_fail(0, "only one of --pid, --unit, --cgroup, --container, --comm and --port can "
		    "choose a process");
	return RSP_EXIT_USAGE;
}
