/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes a snapshot of the recent past of the process that the options choose, or else of the user's
 * own processes.
 */
#ifndef RSP_CLI_RECENT_H
#define RSP_CLI_RECENT_H

#include "cli/fresh.h"

/*
 * If no option chooses a process, the process of interest is the process of this user that left a
 * CPU most often. store: the recorder keeps the snapshot. Returns an enum rsp_exit. If the result
 * is not 0, the function has reported the error and ret is unchanged.
 */
int rsp_recent_take(const struct rsp_options *opt, bool store, struct rsp_fresh *ret);

#endif
