/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that choose a process. */
#ifndef RSP_CLI_TARGET_H
#define RSP_CLI_TARGET_H

#include <stdbool.h>

#include "cli/rspctl.h"

/* Returns how many options that choose a process were given, such as --pid and --unit. */
int rsp_target_cnt(const struct rsp_options *opt);
/*
 * Returns whether --unit, --cgroup, --container or --port was given. The recorder finds the process
 * for these options.
 */
bool rsp_target_is_resolved(const struct rsp_options *opt);
int rsp_target_fail(void);

#endif
