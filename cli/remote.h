/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl -H HOST: runs a command line on HOST, over ssh. Files of -o and --html are saved here. */
#ifndef RSP_CLI_REMOTE_H
#define RSP_CLI_REMOTE_H

#include "cli/options.h"

/*
 * argv is the original command line. Returns the exit status of rspctl on the other host, or
 * RSP_EXIT_FAILURE after ssh or this function has reported an error.
 */
int rsp_remote_run(const struct rsp_verb *verb, const struct rsp_options *opt, int argc,
		   char *const argv[]);

#endif
