/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of `rspctl serve` that lists the processes of a snapshot. */
#ifndef RSP_CLI_SERVE_PROCESSES_H
#define RSP_CLI_SERVE_PROCESSES_H

#include <stdio.h>

#include "cli/rspctl.h"

/* Takes the arguments of rsp_pipeline_html(), and returns the same values. */
int rsp_serve_processes(int fd, const char *name, const struct rsp_options *opt);

void rsp_serve_put_head(const char *title, FILE *out);

#endif
