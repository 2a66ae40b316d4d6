/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recent past of the process that the options name, or of the user's own processes, from the
 * recorder.
 */
#ifndef RSP_CLI_RECENT_H
#define RSP_CLI_RECENT_H

#include "cli/fresh.h"

/*
 * Takes a snapshot of the span in opt. If no option names a process, it is about the process of
 * this user that ran most, and contains all of the user's processes. store: the recorder keeps the
 * snapshot. Returns an enum rsp_exit. If it is not 0, the function has reported the error and ret
 * is unchanged.
 */
int rsp_recent_take(const struct rsp_options *opt, bool store, struct rsp_fresh *ret);

#endif
