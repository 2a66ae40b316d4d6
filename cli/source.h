/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the snapshot to which a command line refers:
 * - the snapshot that the command line names;
 * - otherwise the recent past, if the command line names a process or a span, or if the user may
 *   not read the store;
 * - otherwise the newest snapshot of the store.
 */
#ifndef RSP_CLI_SOURCE_H
#define RSP_CLI_SOURCE_H

#include "cli/rspctl.h"

struct rsp_source {
	int fd;		/* -1: none */
	char *name;	/* name for messages: the path, or "the recording" */
	bool is_recent; /* the snapshot is of the recent past, and not in the store */
};

#define RSP_SOURCE_NONE                                                                            \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* opt->args[0], if given, names the snapshot. Returns an enum rsp_exit, and reports errors. */
int rsp_source_open(const struct rsp_options *opt, struct rsp_source *ret);
void rsp_source_done(struct rsp_source *source);

#endif
