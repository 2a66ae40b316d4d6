/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of the processes of a snapshot, as a page of `rspctl serve`. */
#ifndef RSP_CLI_SERVE_PROCESSES_H
#define RSP_CLI_SERVE_PROCESSES_H

#include <stdio.h>

#include "cli/rspctl.h"

/* Writes it to the standard output. As rsp_pipeline_html(). */
int rsp_serve_processes(int fd, const char *name, const struct rsp_options *opt);

/* Text as HTML has it. */
void rsp_serve_put_text(const char *text, FILE *out);
void rsp_serve_put_head(const char *title, FILE *out);

#endif
