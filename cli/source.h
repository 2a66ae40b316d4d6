/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The snapshot that a command line means: the one that it names, else the recent past of the
 * process that it names, else the newest of the store.
 */
#ifndef RSP_CLI_SOURCE_H
#define RSP_CLI_SOURCE_H

#include "cli/rspctl.h"

struct rsp_source {
	int fd;		/* -1: none */
	char *name;	/* what messages call it: its path, or "what was recorded" */
	bool is_recent; /* taken just now, and kept nowhere */
};

#define RSP_SOURCE_NONE                                                                            \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/*
 * Opens it; the name of a snapshot is opt->args[0]. Returns an enum rsp_exit. If it is not 0, the
 * function has reported the error.
 */
int rsp_source_open(const struct rsp_options *opt, struct rsp_source *ret);
void rsp_source_done(struct rsp_source *source);

#endif
