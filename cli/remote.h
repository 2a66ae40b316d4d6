/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl -H HOST: runs the same command line there, over ssh. Files of -o and --html come here. */
#ifndef RSP_CLI_REMOTE_H
#define RSP_CLI_REMOTE_H

#include "cli/options.h"

/*
 * argv: the command line as it was given. Returns the exit status of the other side; or
 * RSP_EXIT_FAILURE if the host cannot be reached, which ssh or this function has reported.
 */
int rsp_remote_run(const struct rsp_verb *verb, const struct rsp_options *opt, int argc,
		   char *const argv[]);

#endif
