/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of the processes of a snapshot, as a page of `rspctl serve`. */
#ifndef RSP_CLI_SERVE_PROCESSES_H
#define RSP_CLI_SERVE_PROCESSES_H

#include <stdio.h>

#include "cli/rspctl.h"

/* Writes the list to the standard output. Arguments and result are as of rsp_pipeline_html(). */
int rsp_serve_processes(int fd, const char *name, const struct rsp_options *opt);

void rsp_serve_put_head(const char *title, FILE *out);

#endif
