/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the command line into a verb and struct rsp_options. */
#ifndef RSP_CLI_OPTIONS_H
#define RSP_CLI_OPTIONS_H

#include "cli/rspctl.h"

#define RSP_DEFAULT_SOCKET "/run/rsp/rspd.sock"
#define RSP_DEFAULT_STORE  "/var/lib/rsp/snapshots"

/* Bits of rsp_verb.options: the options that the verb takes, besides those that all verbs take. */
enum rsp_option_bit {
	RSP_OPT_OUTPUT = 1 << 0,
	RSP_OPT_VIEW = 1 << 1,
	RSP_OPT_JSON = 1 << 2,
	RSP_OPT_CHAINS = 1 << 3,
	RSP_OPT_LEGEND = 1 << 4,
	RSP_OPT_PID = 1 << 5,
	RSP_OPT_LAST = 1 << 6,
	RSP_OPT_DEBUG_DIR = 1 << 7,
	RSP_OPT_WHOLE = 1 << 8,
	RSP_OPT_TARGET = 1 << 9, /* --unit, --cgroup, --port */
	RSP_OPT_HTML = 1 << 10,
	RSP_OPT_UTIL = 1 << 11,	    /* --syscalls, --by-cpu */
	RSP_OPT_REQUESTS = 1 << 12, /* --slowest, --slower-than, --openmetrics */
	RSP_OPT_FORMAT = 1 << 13,
	RSP_OPT_FLAME = 1 << 14,     /* --per-thread, --inverted, --min-width, --colors, --title */
	RSP_OPT_DIFF = 1 << 15,	     /* --at, --per */
	RSP_OPT_CALLGRAPH = 1 << 16, /* --function, --bottom-up */
	RSP_OPT_KIND = 1 << 17,	     /* --kind */
	RSP_OPT_TOP = 1 << 18,	     /* --once, --interval */
	RSP_OPT_OPEN = 1 << 19,
	RSP_OPT_SERVE = 1 << 20, /* --http-port */
	RSP_OPT_LIVE = 1 << 21,	 /* --for up to ten minutes, or a command after "--" */
	RSP_OPT_MEMORY = 1 << 22,
	RSP_OPT_FOR = 1 << 23,
	RSP_OPT_OWN = 1 << 24, /* another program parses the verb's options and prints their help */
	RSP_OPT_ALL = 1 << 25,
	RSP_OPT_COMM = 1 << 26,
};

struct rsp_verb {
	const char *name;
	int (*run)(const struct rsp_options *opt); /* NULL: the verb prints help */
	unsigned int options;
	int arg_min, arg_max; /* INT_MAX: a command line follows */
	const char *synopsis; /* of the arguments */
	const char *help;
};

/*
 * verbs ends with a NULL name; the first verb is the default. Returns NULL if the function has
 * printed the help, the version or an error; the caller then exits with *ret_exit.
 */
const struct rsp_verb *rsp_options_parse(int argc, char **argv, const struct rsp_verb *verbs,
					 struct rsp_options *ret, int *ret_exit);

const char *rsp_options_default_store(void);

#endif
