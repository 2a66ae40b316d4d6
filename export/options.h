/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of rsp-export. */
#ifndef RSP_EXPORT_OPTIONS_H
#define RSP_EXPORT_OPTIONS_H

enum { RSP_EXPORT_EXIT_USAGE = 2, RSP_EXPORT_EXIT_CONFIG = 6 };

struct rsp_export_options {
	const char *config; /* NULL: the files of the system */
	const char *socket;
	const char *store;
	enum { RSP_EXPORT_RUN, RSP_EXPORT_ONCE, RSP_EXPORT_DRY_RUN, RSP_EXPORT_CHECK } mode;
};

/* Returns -1 if rsp-export must run; otherwise the exit status, after printing help or an error. */
int rsp_export_options_parse(int argc, char **argv, struct rsp_export_options *ret);

#endif
