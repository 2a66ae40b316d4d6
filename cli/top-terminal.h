/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `rspctl top` in a terminal: keys and colours. Every exit restores the terminal. */
#ifndef RSP_CLI_TOP_TERMINAL_H
#define RSP_CLI_TOP_TERMINAL_H

#include "cli/top-session.h"

/* Returns an enum rsp_exit. */
int rsp_top_terminal(struct rsp_top_session *s, const struct rsp_options *opt,
		     uint64_t interval_ns);

#endif
