/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows text on a terminal with a pager: $RSP_PAGER, $PAGER, or less. */
#ifndef RSP_CLI_PAGER_H
#define RSP_CLI_PAGER_H

#include "cli/rspctl.h"

struct rsp_isolated;

/*
 * Sends stdout to a pager, if the user wants one. Callers must query the width and the colours of
 * the terminal before. If the pager cannot start, stdout stays the terminal.
 */
void rsp_pager_begin(const struct rsp_options *opt);
/*
 * Flushes stdout, waits until the user leaves the pager, and makes stdout the terminal again.
 * Returns r, an enum rsp_exit, or RSP_EXIT_FAILURE if the pager failed.
 */
int rsp_pager_end(int r);

/*
 * Runs a job like rsp_isolated(), and shows its output in a pager. The job must call
 * rsp_progress_hide() before it prints.
 */
int rsp_paged(const struct rsp_options *opt, const struct rsp_isolated *job);

#endif
