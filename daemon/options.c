/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See options.h. */
#include "daemon/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/base/journal.h"
#include "daemon/snapshots/store.h"

#define DEFAULT_SOCKET "/run/rsp/rspd.sock"
#define DEFAULT_BTF    "/sys/kernel/btf/vmlinux"

static const char help[] =
	"Usage: rspd [OPTION]…\n"
	"Records why processes wait, into a rolling window in memory. rspctl reads it.\n"
	"\n"
	"      --foreground        run in the foreground, which is also the default\n"
	"      --config=FILE       read FILE instead of the system's rsp/rspd.conf\n"
	"      --socket=PATH       listen on PATH (default: " DEFAULT_SOCKET ")\n"
	"      --store=DIR         keep snapshots in DIR (default: " RSP_STORE_DIR ")\n"
	"      --private-fd=N      serve only the connection on descriptor N; read no configuration\n"
	"      --window-size=SIZE  like WindowSize=, and so on: see rspd.conf(5)\n"
	"      --ring-size=SIZE\n"
	"      --sample-hz=N\n"
	"      --budget=PERCENT    limit for the cost of recording, in percent of all CPUs, or off\n"
	"      --time=PERCENT      limit for the share of the time that is recorded\n"
	"      --net=STEP          how to attach to TCP and UDP: auto, tracepoint, fentry, kprobe\n"
	"      --btf=PATH          read the kernel's types from PATH (default: " DEFAULT_BTF ")\n"
	"      --check-config      report errors in the configuration, and exit\n"
	"      --check             print as JSON what this kernel lets it record, and exit\n"
	"      --debug             show messages of libbpf and the verifier\n"
	"      --help, --version\n";

static int parse_fd(const char *s, int *ret)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(s, &end, 10);
	if (errno || end == s || *end || n < 0 || n > 65535)
		return -EINVAL;
	*ret = (int)n;
	return 0;
}

enum {
	OPT_FOREGROUND = 256,
	OPT_CONFIG,
	OPT_SOCKET,
	OPT_STORE,
	OPT_PRIVATE_FD,
	OPT_WINDOW_SIZE,
	OPT_RING_SIZE,
	OPT_SAMPLE_HZ,
	OPT_NET,
	OPT_BUDGET,
	OPT_TIME,
	OPT_BTF,
	OPT_CHECK_CONFIG,
	OPT_CHECK,
	OPT_DEBUG,
	OPT_HELP,
	OPT_VERSION,
};

static const struct option long_options[] = {
	{"foreground", no_argument, NULL, OPT_FOREGROUND},
	{"config", required_argument, NULL, OPT_CONFIG},
	{"socket", required_argument, NULL, OPT_SOCKET},
	{"store", required_argument, NULL, OPT_STORE},
	{"private-fd", required_argument, NULL, OPT_PRIVATE_FD},
	{"window-size", required_argument, NULL, OPT_WINDOW_SIZE},
	{"ring-size", required_argument, NULL, OPT_RING_SIZE},
	{"sample-hz", required_argument, NULL, OPT_SAMPLE_HZ},
	{"net", required_argument, NULL, OPT_NET},
	{"budget", required_argument, NULL, OPT_BUDGET},
	{"time", required_argument, NULL, OPT_TIME},
	{"btf", required_argument, NULL, OPT_BTF},
	{"check-config", no_argument, NULL, OPT_CHECK_CONFIG},
	{"check", no_argument, NULL, OPT_CHECK},
	{"debug", no_argument, NULL, OPT_DEBUG},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{0},
};

static const struct {
	int option;
	const char *section, *key;
} keys[] = {
	{OPT_WINDOW_SIZE, "Recorder", "WindowSize"},
	{OPT_RING_SIZE, "Recorder", "RingSize"},
	{OPT_SAMPLE_HZ, "Recorder", "SampleHz"},
	{OPT_NET, "Recorder", "Net"},
	{OPT_BUDGET, "Budget", "CPU"},
	{OPT_TIME, "Budget", "Time"},
};

_Static_assert(sizeof(keys) / sizeof(keys[0]) == RSP_OPTION_KEY_CNT, "one place for each");

static bool take_key(struct rsp_options *opt, int c)
{
	for (size_t i = 0; i < RSP_OPTION_KEY_CNT; i++) {
		if (keys[i].option != c)
			continue;
		opt->values[i] = optarg;
		return true;
	}
	return false;
}

static int take_option(struct rsp_options *opt, int c)
{
	switch (c) {
	case OPT_FOREGROUND:
		return 0;
	case OPT_CONFIG:
		opt->config = optarg;
		return *optarg ? 0 : -EINVAL;
	case OPT_SOCKET:
		opt->socket = optarg;
		return *optarg ? 0 : -EINVAL;
	case OPT_STORE:
		opt->store = optarg;
		return *optarg == '/' ? 0 : -EINVAL;
	case OPT_PRIVATE_FD:
		return parse_fd(optarg, &opt->private_fd);
	case OPT_BTF:
		opt->btf_path = optarg;
		return 0;
	case OPT_CHECK_CONFIG:
		opt->check_config = true;
		return 0;
	case OPT_CHECK:
		opt->check = true;
		return 0;
	case OPT_DEBUG:
		opt->debug = true;
		return 0;
	default:
		return take_key(opt, c) ? 0 : -EINVAL;
	}
}

static const char *option_name(int c)
{
	const struct option *option = long_options;

	while (option->val != c)
		option++;
	return option->name;
}

bool rsp_options_apply(const struct rsp_options *opt, struct rsp_config *config)
{
	for (size_t i = 0; i < RSP_OPTION_KEY_CNT; i++) {
		if (!opt->values[i] ||
		    rsp_config_set(config, keys[i].section, keys[i].key, opt->values[i]) == 0)
			continue;
		rsp_log(LOG_ERR, "--%s=%s is not valid: see %s= in rspd.conf(5)",
			option_name(keys[i].option), opt->values[i], keys[i].key);
		return false;
	}
	return true;
}

static bool check_values(const struct rsp_options *opt)
{
	struct rsp_config *defaults = rsp_config_new();
	bool ok = defaults && rsp_options_apply(opt, defaults);

	rsp_config_free(defaults);
	return ok;
}

int rsp_options_parse(int argc, char **argv, struct rsp_options *opt)
{
	int c, index = 0;

	*opt = (struct rsp_options){
		.socket = DEFAULT_SOCKET,
		.store = RSP_STORE_DIR,
		.btf_path = DEFAULT_BTF,
		.private_fd = -1,
	};
	opterr = 0;
	while ((c = getopt_long(argc, argv, "", long_options, &index)) >= 0) {
		if (c == OPT_HELP || c == OPT_VERSION) {
			printf(c == OPT_HELP ? "%s" : "rspd %s\n",
			       c == OPT_HELP ? help : RSP_VERSION);
			return EXIT_SUCCESS;
		}
		if (c == '?') {
			rsp_log(LOG_ERR, "unknown or incomplete option '%s': see 'rspd --help'",
				argv[optind - 1]);
			return RSP_EXIT_USAGE;
		}
		if (take_option(opt, c) < 0) {
			rsp_log(LOG_ERR, "--%s=%s is not valid: see 'rspd --help'",
				long_options[index].name, optarg);
			return RSP_EXIT_USAGE;
		}
	}
	if (optind < argc) {
		rsp_log(LOG_ERR, "'%s' is not an option: see 'rspd --help'", argv[optind]);
		return RSP_EXIT_USAGE;
	}
	return check_values(opt) ? -1 : RSP_EXIT_USAGE;
}
