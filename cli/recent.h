/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recent past of the process that the options name, or of the user's own processes, from the
 * recorder.
 */
#ifndef RSP_CLI_RECENT_H
#define RSP_CLI_RECENT_H

#include "cli/fresh.h"

/* Returns the number of given options that choose a process, such as --pid and --unit. */
int rsp_recent_target_cnt(const struct rsp_options *opt);
/* Returns whether an option was given that selects one process by its unit, cgroup, … */
bool rsp_recent_is_resolved(const struct rsp_options *opt);
/* Reports that several are given. Returns RSP_EXIT_USAGE. */
int rsp_recent_fail_targets(void);
/*
 * Takes a snapshot of the span in opt. If no option names a process, it is about the process of
 * this user that ran most, and contains all of the user's processes. store: the recorder keeps the
 * snapshot. Returns an enum rsp_exit. If it is not 0, the function has reported the error and ret
 * is unchanged.
 */
int rsp_recent_take(const struct rsp_options *opt, bool store, struct rsp_fresh *ret);

#endif
