/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that choose a process. */
#ifndef RSP_CLI_TARGET_H
#define RSP_CLI_TARGET_H

#include <stdbool.h>

#include "cli/rspctl.h"

/* Returns the number of given options that choose a process, such as --pid and --unit. */
int rsp_target_cnt(const struct rsp_options *opt);
/* Returns whether an option was given that selects one process by its unit, cgroup, … */
bool rsp_target_is_resolved(const struct rsp_options *opt);
/* Reports that several are given. Returns RSP_EXIT_USAGE. */
int rsp_target_fail(void);

#endif
