/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See options.h. Options may stand before or behind the verb, but not behind a command's name. */
#include "cli/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/when.h"
#include "lib/base/quantity.h"
#include "lib/report/requests-report.h"

#define DEFAULT_SOCKET	"/run/rsp/rspd.sock"
#define DEFAULT_STORE	"/var/lib/rsp/snapshots"
#define DEFAULT_LAST_NS 10000000000ULL
#define HELP_COL	34

/* Options without a letter; the values lie beyond those of letters. */
enum {
	LONG_SOCKET = 256,
	LONG_STORE,
	LONG_JSON,
	LONG_VIEW,
	LONG_PID,
	LONG_WHOLE,
	LONG_LAST,
	LONG_UNIT,
	LONG_CGROUP,
	LONG_COMM,
	LONG_PORT,
	LONG_AFTER,
	LONG_DEBUG_DIR,
	LONG_HTML,
	LONG_SLOWEST,
	LONG_SLOWER_THAN,
	LONG_OPENMETRICS,
	LONG_NO_LEGEND,
	LONG_NO_PAGER,
	LONG_VERSION,
};

/* Beside enum rsp_option_bit. */
enum {
	ASKED_HELP = 1 << 30,
	ASKED_VERSION = 1 << 29,
};

static const struct option longs[] = {
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, LONG_VERSION},
	{"socket", required_argument, NULL, LONG_SOCKET},
	{"store", required_argument, NULL, LONG_STORE},
	{"output", required_argument, NULL, 'o'},
	{"view", required_argument, NULL, LONG_VIEW},
	{"json", optional_argument, NULL, LONG_JSON},
	{"chains", required_argument, NULL, 'n'},
	{"no-legend", no_argument, NULL, LONG_NO_LEGEND},
	{"no-pager", no_argument, NULL, LONG_NO_PAGER},
	{"pid", required_argument, NULL, LONG_PID},
	{"whole", no_argument, NULL, LONG_WHOLE},
	{"unit", required_argument, NULL, LONG_UNIT},
	{"cgroup", required_argument, NULL, LONG_CGROUP},
	{"comm", required_argument, NULL, LONG_COMM},
	{"port", required_argument, NULL, LONG_PORT},
	{"last", required_argument, NULL, LONG_LAST},
	{"before", required_argument, NULL, LONG_LAST},
	{"after", required_argument, NULL, LONG_AFTER},
	{"since", required_argument, NULL, 'S'},
	{"until", required_argument, NULL, 'U'},
	{"debug-dir", required_argument, NULL, LONG_DEBUG_DIR},
	{"html", required_argument, NULL, LONG_HTML},
	{"slowest", required_argument, NULL, LONG_SLOWEST},
	{"slower-than", required_argument, NULL, LONG_SLOWER_THAN},
	{"openmetrics", no_argument, NULL, LONG_OPENMETRICS},
	{0},
};

static void print_help(const struct rsp_verb *verbs)
{
	puts("rspctl [OPTION…] [VERB] [ARG…]\n"
	     "\n"
	     "Explain why a process was slow, from what the flight recorder saw.\n");
	for (const struct rsp_verb *v = verbs; v->name; v++) {
		size_t cols = 3 + strlen(v->name) + rsp_format_columns(v->synopsis);

		printf("  %s %s%*s%s\n", v->name, v->synopsis,
		       cols < HELP_COL ? (int)(HELP_COL - cols) : 1, "", v->help);
	}
	puts("\n"
	     "  -h --help                  show this\n"
	     "     --version               show the version\n"
	     "     --socket=PATH           of the recorder (default: $RSP_SOCKET, " DEFAULT_SOCKET
	     ")\n"
	     "     --store=DIR             of snapshots (default: $RSP_STORE, " DEFAULT_STORE ")\n"
	     "     --view=VIEW             " RSP_VIEW_NAMES "\n"
	     "  -n --chains=N              show the N heaviest chains, or rows of a table\n"
	     "     --json[=MODE], -j       JSON: short, pretty or off\n"
	     "     --no-legend             no header above tables\n"
	     "     --pid=PID               the process of interest; of a snapshot, any it holds\n"
	     "     --whole                 explain all that a snapshot holds, not just what was slow\n"
	     "     --unit=UNIT             the process of it that ran most, of a systemd unit;\n"
	     "     --cgroup=PATH           … of a cgroup;\n"
	     "     --comm=NAME             … of those with that name;\n"
	     "     --port=PORT             the one that sent most from that local port\n"
	     "     --last=10s, --before=D  how far to look back: 250ms, 10s, 2min\n"
	     "     --after=D               how long to go on recording\n"
	     "  -S --since=T, -U --until=T an exact span: \"10:42:00\", \"-5min\", \"now\"\n"
	     "     --slowest=N             explain the N slowest requests (default: 5)\n"
	     "     --slower-than=50ms      which requests are slow (default: the slowest 1 %)\n"
	     "     --openmetrics           histograms of the latencies, as OpenMetrics text\n"
	     "     --debug-dir=DIR         where debug files are; more than once for several\n"
	     "  -o --output=FILE           save the snapshot (html: the page) to FILE\n"
	     "     --html=FILE             a page of pictures, too\n"
	     "\n"
	     "See rspctl(1).");
}

/* Tells what is wrong with the command line, and where to read on. */
static int __attribute__((format(printf, 1, 2))) misuse(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	rsp_fail(0, "%s: see 'rspctl --help'", text);
	return RSP_EXIT_USAGE;
}

static bool parse_number(const char *text, unsigned long max, unsigned long *ret)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	/* strtoul also takes signs and blanks. */
	if (text[0] < '0' || text[0] > '9' || *end || n == 0 || n > max)
		return false;
	*ret = n;
	return true;
}

static bool parse_json_mode(const char *text, enum rsp_json_mode *ret)
{
	if (!text)
		*ret = isatty(STDOUT_FILENO) ? RSP_JSON_PRETTY : RSP_JSON_SHORT;
	else if (!strcmp(text, "pretty"))
		*ret = RSP_JSON_PRETTY;
	else if (!strcmp(text, "short"))
		*ret = RSP_JSON_SHORT;
	else if (!strcmp(text, "off"))
		*ret = RSP_JSON_OFF;
	else
		return false;
	return true;
}

/* A unit without its suffix is a service, as for systemctl. */
static int apply_unit(const char *value, struct rsp_options *opt)
{
	static char service[256];

	if (!*value || strlen(value) + sizeof(".service") > sizeof(service))
		return misuse("'%s' is no name of a unit", value);
	opt->unit = value;
	if (!strchr(value, '.')) {
		snprintf(service, sizeof(service), "%s.service", value);
		opt->unit = service;
	}
	return 0;
}

static int apply_target(int option, const char *value, struct rsp_options *opt)
{
	unsigned long n;

	switch (option) {
	case LONG_UNIT:
		return apply_unit(value, opt);
	case LONG_CGROUP:
		opt->cgroup = value;
		return *value == '/' ? 0 : misuse("--cgroup needs a path that begins with '/'");
	case LONG_COMM:
		opt->comm = value;
		return *value ? 0 : misuse("--comm needs the name of a process");
	default:
		if (!parse_number(value, UINT16_MAX, &n))
			return misuse("'%s' is no port", value);
		opt->port = (unsigned int)n;
		return 0;
	}
}

static int apply_requests(int option, const char *value, struct rsp_options *opt)
{
	unsigned long n;

	if (option == LONG_OPENMETRICS) {
		opt->openmetrics = true;
		return 0;
	}
	if (option == LONG_SLOWER_THAN) {
		if (rsp_duration_parse(value, &opt->slower_than_ns) == 0 && opt->slower_than_ns > 0)
			return 0;
		return misuse("'%s' is not a duration (250ms, 10s, 2min)", value);
	}
	if (!parse_number(value, RSP_SLOWEST_MAX, &n))
		return misuse("'%s' is not a number of requests (1 to %d)", value, RSP_SLOWEST_MAX);
	opt->slowest = n;
	return 0;
}

/* What one option asks for. *used collects rsp_option_bit. 0 or RSP_EXIT_USAGE. */
static int apply(int option, const char *value, struct rsp_options *opt, unsigned int *used)
{
	unsigned long n;

	switch (option) {
	case LONG_SOCKET:
		opt->socket = value;
		return *value ? 0 : misuse("--socket needs the path of a socket");
	case LONG_STORE:
		opt->store = value;
		return *value ? 0 : misuse("--store needs the path of a directory");
	case LONG_NO_PAGER:
		return 0;
	case 'h':
		*used |= ASKED_HELP;
		return 0;
	case LONG_VERSION:
		*used |= ASKED_VERSION;
		return 0;
	case 'o':
		*used |= RSP_OPT_OUTPUT;
		opt->output = value;
		return *value ? 0 : misuse("--output needs the name of a file");
	case LONG_VIEW:
		*used |= RSP_OPT_VIEW;
		if (rsp_view_parse(value, &opt->view) == 0)
			return 0;
		return misuse("'%s' is no view (" RSP_VIEW_NAMES ")", value);
	case LONG_JSON:
	case 'j':
		*used |= RSP_OPT_JSON;
		if (parse_json_mode(value, &opt->json))
			return 0;
		return misuse("'%s' is no JSON mode (short, pretty, off)", value);
	case 'n':
		*used |= RSP_OPT_CHAINS;
		if (!parse_number(value, 1000000, &n))
			return misuse("'%s' is no number of chains", value);
		opt->chain_max = n;
		return 0;
	case LONG_NO_LEGEND:
		*used |= RSP_OPT_LEGEND;
		opt->legend = false;
		return 0;
	case LONG_PID:
		*used |= RSP_OPT_PID;
		if (!parse_number(value, INT_MAX, &n))
			return misuse("'%s' is no process id", value);
		opt->pid = (pid_t)n;
		return 0;
	case LONG_WHOLE:
		*used |= RSP_OPT_WHOLE;
		opt->whole = true;
		return 0;
	case LONG_LAST:
		*used |= RSP_OPT_LAST;
		if (rsp_duration_parse(value, &opt->last_ns) == 0 && opt->last_ns > 0)
			return 0;
		return misuse("'%s' is no duration (250ms, 10s, 2min)", value);
	case LONG_AFTER:
		*used |= RSP_OPT_LAST;
		if (rsp_duration_parse(value, &opt->after_ns) == 0)
			return 0;
		return misuse("'%s' is no duration (250ms, 10s, 2min)", value);
	case 'S':
	case 'U':
		*used |= RSP_OPT_LAST;
		if (rsp_when_parse(value, option == 'S' ? &opt->since_ns : &opt->until_ns) == 0)
			return 0;
		return misuse("'%s' is no time (\"10:42:00\", \"-5min\", \"now\")", value);
	case LONG_UNIT:
	case LONG_CGROUP:
	case LONG_COMM:
	case LONG_PORT:
		*used |= RSP_OPT_TARGET;
		return apply_target(option, value, opt);
	case LONG_HTML:
		*used |= RSP_OPT_HTML;
		opt->html = value;
		return *value ? 0 : misuse("--html needs the name of a file");
	case LONG_SLOWEST:
	case LONG_SLOWER_THAN:
	case LONG_OPENMETRICS:
		*used |= RSP_OPT_REQUESTS;
		return apply_requests(option, value, opt);
	case LONG_DEBUG_DIR:
		*used |= RSP_OPT_DEBUG_DIR;
		if (opt->debug_dir_cnt == RSP_DEBUG_DIRS_MAX)
			return misuse("no more than %d directories", RSP_DEBUG_DIRS_MAX);
		opt->debug_dirs[opt->debug_dir_cnt++] = value;
		return *value ? 0 : misuse("--debug-dir needs the path of a directory");
	case ':':
		return misuse("%s needs a value", value);
	default:
		return misuse("unknown option %s", value);
	}
}

/* What getopt_long() stumbled over in a word, as the user wrote it. */
static const char *culprit(const char *word, char *buf, size_t len)
{
	if (word[1] == '-')
		return word;
	snprintf(buf, len, "-%c", optopt);
	return buf;
}

static const struct rsp_verb *find_verb(const struct rsp_verb *verbs, const char *name)
{
	for (const struct rsp_verb *v = verbs; v->name; v++)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

static int check_verb(const struct rsp_verb *verb, const struct rsp_options *opt, unsigned int used)
{
	static const char *const names[] = {
		"--output",    "--view",
		"--json",      "--chains",
		"--no-legend", "--pid",
		"a span",      "--debug-dir",
		"--whole",     "--unit, --cgroup, --comm or --port",
		"--html",      "--slowest, --slower-than or --openmetrics"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (used & ~verb->options & (1U << i))
			return misuse("'%s' does not take %s", verb->name, names[i]);
	if (opt->arg_cnt < verb->arg_min)
		return misuse("'%s' needs more: rspctl %s %s", verb->name, verb->name,
			      verb->synopsis);
	if (opt->arg_cnt > verb->arg_max)
		return misuse("'%s' does not know what to do with '%s'", verb->name,
			      opt->args[verb->arg_max]);
	if (opt->html && opt->output && !strcmp(opt->html, opt->output))
		return misuse("--output and --html name the same file");
	return 0;
}

static const char *default_from_environment(const char *name, const char *fallback)
{
	const char *value = getenv(name);

	return value && *value ? value : fallback;
}

/* "+": getopt stops at each word that is no option: the verb, its arguments, a command's name. */
static int parse_words(int argc, char **argv, const struct rsp_verb *verbs,
		       const struct rsp_verb **ret_verb, struct rsp_options *opt,
		       unsigned int *used)
{
	const struct rsp_verb *verb = NULL;
	char buf[8];

	for (;;) {
		const char *word = argv[optind];
		int option = getopt_long(argc, argv, "+:hjo:n:S:U:", longs, NULL);
		int r;

		if (option >= 0) {
			bool bad = option == ':' || option == '?';

			r = apply(option, bad ? culprit(word, buf, sizeof(buf)) : optarg, opt,
				  used);
			if (r)
				return r;
		} else if (optind >= argc || !strcmp(argv[optind - 1], "--") ||
			   (verb && verb->arg_max == INT_MAX)) {
			break;
		} else if (verb) {
			opt->args[opt->arg_cnt++] = argv[optind++];
		} else {
			verb = find_verb(verbs, argv[optind++]);
			if (!verb)
				return misuse("unknown verb '%s'", argv[optind - 1]);
		}
	}
	while (optind < argc)
		opt->args[opt->arg_cnt++] = argv[optind++];
	opt->args[opt->arg_cnt] = NULL;
	*ret_verb = verb ? verb : verbs;
	return 0;
}

const struct rsp_verb *rsp_options_parse(int argc, char **argv, const struct rsp_verb *verbs,
					 struct rsp_options *ret, int *ret_exit)
{
	const struct rsp_verb *verb = verbs;
	unsigned int used = 0;

	*ret = (struct rsp_options){
		.socket = default_from_environment("RSP_SOCKET", DEFAULT_SOCKET),
		.store = default_from_environment("RSP_STORE", DEFAULT_STORE),
		.legend = true,
		.slowest = RSP_SLOWEST_DEFAULT,
		.last_ns = DEFAULT_LAST_NS,
		.args = argv, /* words that were read make room for those that are kept */
	};
	opterr = 0;
	*ret_exit = parse_words(argc, argv, verbs, &verb, ret, &used);
	if (*ret_exit)
		return NULL;
	if (used & ASKED_HELP || used & ASKED_VERSION) {
		if (used & ASKED_HELP)
			print_help(verbs);
		else
			puts("rspctl " RSP_VERSION);
		*ret_exit = rsp_output_flush();
		return NULL;
	}
	ret->spanned = used & RSP_OPT_LAST;
	*ret_exit = check_verb(verb, ret, used);
	return *ret_exit ? NULL : verb;
}
