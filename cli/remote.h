/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements rspctl -H HOST: runs the command line on HOST, over ssh. Saves the files of -o and
 * --html on this host.
 */
#ifndef RSP_CLI_REMOTE_H
#define RSP_CLI_REMOTE_H

#include "cli/options.h"

/*
 * argv is the original command line. Returns the exit status of rspctl on the other host. If ssh or
 * this function fails, the error has been reported, and the function returns RSP_EXIT_FAILURE.
 */
int rsp_remote_run(const struct rsp_verb *verb, const struct rsp_options *opt, int argc,
		   char *const argv[]);

#endif
