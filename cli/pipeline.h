/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a snapshot, explains it with the libraries in lib/, and writes a report or a page.
 * Functions that fail report the error, and return an enum rsp_exit.
 */
#ifndef RSP_CLI_PIPELINE_H
#define RSP_CLI_PIPELINE_H

#include "cli/rspctl.h"

/*
 * Prints the report that opt asks for. source, selection: the arguments with which `rspctl` can
 * make the report again (struct rsp_report_options). Returns RSP_EXIT_LOSSY if records are missing.
 */
int rsp_pipeline_explain(int fd, const char *name, const struct rsp_options *opt,
			 const char *source, const char *selection);

/*
 * Prints the report about the requests of servers. If an SLO triggered the snapshot, the report
 * covers the whole window. Returns RSP_EXIT_LOSSY if records are missing.
 */
int rsp_pipeline_requests(int fd, const char *name, const struct rsp_options *opt);

/*
 * output: the file of the page; NULL: the standard output. If the process of interest does not
 * occur in the snapshot, the page shows the whole machine.
 */
int rsp_pipeline_html(int fd, const char *name, const struct rsp_options *opt, const char *output);

#endif
