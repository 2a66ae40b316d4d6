/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the command line of rspd into struct rsp_options. */
#ifndef RSP_DAEMON_OPTIONS_H
#define RSP_DAEMON_OPTIONS_H

#include <stdbool.h>

#include "daemon/config/config.h"

enum { RSP_EXIT_USAGE = 2, RSP_EXIT_DENIED = 4 };

#define RSP_OPTION_KEY_CNT 6

struct rsp_options {
	const char *config; /* NULL: the system's files */
	const char *socket;
	const char *store;
	const char *btf_path;
	/* values for configuration keys, in the order of keys in options.c; NULL: not given */
	const char *values[RSP_OPTION_KEY_CNT];
	int private_fd; /* -1: not a private recorder */
	bool check;
	bool check_config;
	bool debug;
};

/* Returns -1 if rspd continues. Otherwise prints the message, and returns the exit status. */
int rsp_options_parse(int argc, char **argv, struct rsp_options *ret);

/*
 * Applies the settings of the command line, which override the files. Returns false if a value is
 * invalid.
 */
bool rsp_options_apply(const struct rsp_options *opt, struct rsp_config *config);

#endif
