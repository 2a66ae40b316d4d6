/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See options.h. */
#include "export/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
	"Usage: rsp-export [OPTION]…\n"
	"Sends the recorder's summaries and snapshots to the servers that export.conf(5) names.\n"
	"\n"
	"      --dry-run        print what would be sent, send nothing, change nothing\n"
	"      --once           send what there is, and exit\n"
	"      --check-config   report errors in the configuration, and exit\n"
	"      --config=FILE    read FILE instead of the system's rsp/export.conf\n"
	"      --socket=PATH    socket of the recorder (default: /run/rsp/rspd.sock)\n"
	"      --store=DIR      directory of snapshots (default: /var/lib/rsp/snapshots)\n"
	"      --help, --version\n";

enum {
	OPT_DRY_RUN = 256,
	OPT_ONCE,
	OPT_CHECK,
	OPT_CONFIG,
	OPT_SOCKET,
	OPT_STORE,
	OPT_HELP,
	OPT_VERSION
};

static const struct option long_options[] = {
	{"dry-run", no_argument, NULL, OPT_DRY_RUN},
	{"once", no_argument, NULL, OPT_ONCE},
	{"check-config", no_argument, NULL, OPT_CHECK},
	{"config", required_argument, NULL, OPT_CONFIG},
	{"socket", required_argument, NULL, OPT_SOCKET},
	{"store", required_argument, NULL, OPT_STORE},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{0},
};

static void take_option(struct rsp_export_options *opt, int c)
{
	switch (c) {
	case OPT_DRY_RUN:
		opt->mode = RSP_EXPORT_DRY_RUN;
		break;
	case OPT_ONCE:
		opt->mode = RSP_EXPORT_ONCE;
		break;
	case OPT_CHECK:
		opt->mode = RSP_EXPORT_CHECK;
		break;
	case OPT_CONFIG:
		opt->config = optarg;
		break;
	case OPT_SOCKET:
		opt->socket = optarg;
		break;
	case OPT_STORE:
		opt->store = optarg;
		break;
	}
}

int rsp_export_options_parse(int argc, char **argv, struct rsp_export_options *ret)
{
	int c;

	*ret = (struct rsp_export_options){
		.socket = "/run/rsp/rspd.sock",
		.store = "/var/lib/rsp/snapshots",
	};
	opterr = 0;
	while ((c = getopt_long(argc, argv, "", long_options, NULL)) >= 0) {
		if (c == OPT_HELP || c == OPT_VERSION) {
			printf(c == OPT_HELP ? "%s" : "rsp-export %s\n",
			       c == OPT_HELP ? help : RSP_VERSION);
			return EXIT_SUCCESS;
		}
		if (c == '?') {
			fprintf(stderr,
				"rsp-export: unknown or incomplete option '%s': see 'rsp-export "
				"--help'\n",
				argv[optind - 1]);
			return RSP_EXPORT_EXIT_USAGE;
		}
		take_option(ret, c);
	}
	if (optind < argc) {
		fprintf(stderr, "rsp-export: '%s' is not an option: see 'rsp-export --help'\n",
			argv[optind]);
		return RSP_EXPORT_EXIT_USAGE;
	}
	return -1;
}
