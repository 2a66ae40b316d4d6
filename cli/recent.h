/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recent past of a process that the options name, from the recorder. */
#ifndef RSP_CLI_RECENT_H
#define RSP_CLI_RECENT_H

#include "cli/fresh.h"

/* How many of --pid, --unit, --cgroup, --comm, --port are given. */
int rsp_recent_target_cnt(const struct rsp_options *opt);
/*
 * Asks for a snapshot of the span that opt asks for. store: the recorder is to keep it. Returns an
 * enum rsp_exit; if that is not 0, ret is unchanged and the user has been told why.
 */
int rsp_recent_take(const struct rsp_options *opt, bool store, struct rsp_fresh *ret);

#endif
