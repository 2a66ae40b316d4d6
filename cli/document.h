/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A snapshot -> a document: a page, a flame graph, a file for another program. A process without
 * rights writes it.
 */
#ifndef RSP_CLI_DOCUMENT_H
#define RSP_CLI_DOCUMENT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/opened.h"

struct rsp_document {
	/*
	 * Writes the document to out. Sets *lossy if records are missing from it. 0; -ESRCH: the
	 * process of interest does not occur; or -errno.
	 */
	int (*write)(const struct rsp_opened *opened, const struct rsp_options *opt, FILE *out,
		     bool *lossy);
	const char *noun; /* "page", for messages */
	const char *verb; /* "draw": "cannot draw FILE: …" */
	bool is_large;	  /* many times as large as the snapshot: never all of it in memory */
};

/*
 * Makes the document of the snapshot in fd. output: the name of the file that gets it, which is
 * there whole or not at all; NULL: the standard output. name: what the user calls the snapshot.
 * Returns an enum rsp_exit. If it is neither RSP_EXIT_OK nor RSP_EXIT_LOSSY, the function has
 * reported the error.
 */
int rsp_document_make(const struct rsp_document *doc, int fd, const char *name,
		      const struct rsp_options *opt, const char *output);

#endif
