/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way of a snapshot through the core library: file -> explanation -> report, or page. Each
 * function tells the user what failed and returns an enum rsp_exit.
 */
#ifndef RSP_CLI_PIPELINE_H
#define RSP_CLI_PIPELINE_H

#include "cli/rspctl.h"

/*
 * Reads the snapshot in fd and prints the report that opt asks for. name: what the user calls it.
 * source: as in struct rsp_report_options. RSP_EXIT_LOSSY if something is missing from it.
 */
int rsp_pipeline_explain(int fd, const char *name, const struct rsp_options *opt,
			 const char *source);

/*
 * Prints what servers did with the requests that the snapshot in fd contains. Of a snapshot that
 * was taken for an SLO, all of its window. Returns as above.
 */
int rsp_pipeline_requests(int fd, const char *name, const struct rsp_options *opt);

/*
 * Writes the same as a page of pictures to the file output, NULL: the standard output. If a
 * snapshot is of a process that does not occur in it, what the machine did is shown.
 */
int rsp_pipeline_html(int fd, const char *name, const struct rsp_options *opt, const char *output);

#endif
