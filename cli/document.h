/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a snapshot to a document: a page, a flame graph, or a file for another program. An
 * unprivileged process writes the document.
 */
#ifndef RSP_CLI_DOCUMENT_H
#define RSP_CLI_DOCUMENT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/isolated.h"
#include "cli/opened.h"

struct rsp_document {
	/*
	 * Writes the document to out. Sets *lossy if records are missing. Returns 0, -ESRCH if the
	 * snapshot does not contain the process of interest, or -errno.
	 */
	int (*write)(const struct rsp_opened *opened, const struct rsp_options *opt, FILE *out,
		     bool *lossy);
	const char *noun; /* "page", for messages */
	const char *verb; /* "draw", for messages: "cannot draw FILE: …" */
	bool is_large;	  /* the document may be much larger than the snapshot */
	/* --comm chooses one process, the process of interest */
	bool is_about_one;
};

/*
 * name: of the snapshot, for messages. output: the document's file, which is saved completely or
 * not at all; NULL: the standard output. Returns an enum rsp_exit. If the result is neither
 * RSP_EXIT_OK nor RSP_EXIT_LOSSY, the function has reported the error.
 */
int rsp_document_make(const struct rsp_document *doc, int fd, const char *name,
		      const struct rsp_options *opt, const char *output);

/*
 * Runs the job, and saves its output at the path output, completely or not at all. The process of
 * the job may not open files, so this function sets *out and job->output to an open file. Returns
 * the same values as rsp_document_make().
 */
int rsp_document_save(struct rsp_isolated *job, FILE **out, const char *noun, const char *output);

#endif
