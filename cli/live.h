/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records from now on: a command from its start to its end (opt->command), or everything that
 * happens within the next opt->for_ns.
 */
#ifndef RSP_CLI_LIVE_H
#define RSP_CLI_LIVE_H

#include "cli/recorder.h"

/* Returns 0, or RSP_EXIT_USAGE if the options contradict one another. */
int rsp_live_check(const struct rsp_options *opt, const char *verb);

static inline bool rsp_live_is_meant(const struct rsp_options *opt)
{
	return opt->for_ns || opt->command;
}

/*
 * Makes the recorder count system calls if opt->syscalls is set, and watch the memory of process
 * pid and its descendants if memory_kinds, a set of enum rsp_memory_kind, is not empty. The watch
 * ends when rec is closed. Returns an enum rsp_exit, and reports errors.
 */
int rsp_live_watch(const struct rsp_recorder *rec, const struct rsp_options *opt, pid_t pid,
		   __u32 memory_kinds);
/*
 * Makes the service ignore its budget until rec is closed, for ten minutes at most. Does nothing if
 * the user may not do this, or if there are too many watches.
 */
void rsp_live_ignore_budget(const struct rsp_recorder *rec, const struct rsp_options *opt);
int rsp_live_record(const struct rsp_options *opt, __u32 memory_kinds, struct rsp_fresh *ret);

#endif
