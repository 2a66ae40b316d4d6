/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the report about the last seconds of one process, as lines of text. */
#ifndef RSP_CLI_TOP_CHAINS_H
#define RSP_CLI_TOP_CHAINS_H

#include <signal.h>

#include "cli/rspctl.h"

struct rsp_top_text {
	char **v; /* clean */
	size_t cnt, cap;
};

/*
 * Returns early if *stop is set. If the report cannot be made, *ret contains the reason. Returns 0
 * or -errno.
 */
int rsp_top_chains(const struct rsp_options *opt, unsigned int pid, int cols,
		   const volatile sig_atomic_t *stop, struct rsp_top_text *ret);
void rsp_top_text_done(struct rsp_top_text *text);

#endif
