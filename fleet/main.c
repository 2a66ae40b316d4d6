/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsp-fleet QUESTION: main program, see fleet.h. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "fleet/connection.h"
#include "lib/base/format.h"
#include "lib/base/quantity.h"
#include "lib/base/wrap.h"

#define DEFAULT_LAST_NS	   3600000000000ULL
#define DEFAULT_TIMEOUT_NS 60000000000ULL
#define DEFAULT_LIMIT	   10
#define LIMIT_MAX	   1000
/* columns in which help texts begin */
#define HELP_COL	   30
#define OPTION_COL	   27

static const struct question {
	const char *name;
	int (*run)(struct rsp_fleet *fleet);
	int arg_max;
	bool with_tables;
	const char *synopsis, *help;
} questions[] = {
	{"top", rsp_fleet_top, 0, true, "",
	 "units by the time that they took, and what blocks them"},
	{"outliers", rsp_fleet_outliers, 0, true, "",
	 "hosts that differ from the others, and in what"},
	{"diff", rsp_fleet_diff, 0, true, "--before T --after T",
	 "units and chains that changed between two spans"},
	{"requests", rsp_fleet_requests, 0, true, "--slowest",
	 "the slowest requests, their hosts and causes"},
	{"get", rsp_fleet_get, 1, true, "ID|latest [-o FILE]",
	 "fetch a snapshot of any host, and explain it"},
	{"setup", rsp_fleet_setup, 0, false, "", "create or upgrade the tables in ClickHouse"},
	{0},
};

enum option_value {
	OPT_HELP = 'h',
	OPT_OUTPUT = 'o',
	OPT_LIMIT = 'n',
	OPT_JSON = 'j',
	OPT_SINCE = 'S',
	OPT_UNTIL = 'U',
	OPT_LAST = 256,
	OPT_BEFORE,
	OPT_AFTER,
	OPT_UNIT,
	OPT_HOST,
	OPT_SLOWEST,
	OPT_SHOW_SQL,
	OPT_CLICKHOUSE,
	OPT_DATABASE,
	OPT_USER,
	OPT_CONFIG,
	OPT_TIMEOUT,
};

static const struct row {
	const char *name;
	int value; /* the letter of the option, or a number larger than any letter */
	int has_value;
	const char *value_name, *help;
} rows[] = {
	{"help", OPT_HELP, no_argument, NULL, "show this help"},
	{"since", OPT_SINCE, required_argument, "T",
	 "beginning of the span: \"10:42\", \"2026-11-21 10:42\", \"-2h\""},
	{"until", OPT_UNTIL, required_argument, "T", "end of the span (default: now)"},
	{"last", OPT_LAST, required_argument, "D", "length of the span (default: 1h)"},
	{"unit", OPT_UNIT, required_argument, "UNIT", "only this systemd unit"},
	{"host", OPT_HOST, required_argument, "HOST", "only this host"},
	{"before", OPT_BEFORE, required_argument, "T",
	 "diff: the span that ends at T and is as long as --last; or a span, T..T"},
	{"after", OPT_AFTER, required_argument, "T",
	 "diff: the span that begins at T; or a span, T..T"},
	{"slowest", OPT_SLOWEST, no_argument, NULL, "requests: the slowest ones"},
	{"output", OPT_OUTPUT, required_argument, "FILE", "get: save the snapshot as FILE"},
	{"limit", OPT_LIMIT, required_argument, "N", "rows of a table (default: 10)"},
	{"json", OPT_JSON, optional_argument, "MODE", "JSON: short, pretty or off"},
	{"clickhouse", OPT_CLICKHOUSE, required_argument, "URL",
	 "the server: https://HOST:8443 (default: fleet.conf)"},
	{"database", OPT_DATABASE, required_argument, "NAME", "its database (default: rsp)"},
	{"user", OPT_USER, required_argument, "NAME", "its user (default: fleet.conf)"},
	{"config", OPT_CONFIG, required_argument, "FILE",
	 "read FILE (default: ~/.config/rsp/fleet.conf, /etc/rsp/fleet.conf)"},
	{"show-sql", OPT_SHOW_SQL, no_argument, NULL, "also print the queries, on standard error"},
	{"timeout", OPT_TIMEOUT, required_argument, "D", "limit on each query (default: 60s)"},
	{0},
};

#define ROW_CNT (sizeof(rows) / sizeof(rows[0]))

__attribute__((format(printf, 1, 2))) static int misuse(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	rsp_fail(0, "%s: see 'rspctl fleet --help'", text);
	return RSP_EXIT_USAGE;
}

/* --- help ------------------------------------------------------------------------------------- */

/* Prints a name that takes cols columns, and its help text from column col or later. */
static void print_row(const char *name, size_t cols, const char *help, size_t col)
{
	size_t gap = cols < col ? col - cols : 1;

	printf("%s%*s", name, (int)gap, "");
	rsp_wrap(stdout, help, cols + gap, col, rsp_output_width());
	putchar('\n');
}

static int print_help(void)
{
	puts("rspctl fleet QUESTION [OPTION…]\n"
	     "\n"
	     "Ask all hosts whose summaries rsp-export sends to ClickHouse.\n");
	for (const struct question *q = questions; q->name; q++) {
		char name[64];

		snprintf(name, sizeof(name), "  %s %s", q->name, q->synopsis);
		print_row(name, rsp_format_columns(name), q->help, HELP_COL);
	}
	puts("");
	for (const struct row *row = rows; row->name; row++) {
		char name[64], letter[] = {'-', (char)row->value, '\0'};
		bool is_optional = row->has_value == optional_argument;

		snprintf(name, sizeof(name), "  %2s --%s%s%s%s%s", row->value < 256 ? letter : "",
			 row->name, is_optional ? "[" : "", row->value_name ? "=" : "",
			 row->value_name ? row->value_name : "", is_optional ? "]" : "");
		print_row(name, strlen(name), row->help, OPTION_COL);
	}
	puts("\nSee rspctl(1).");
	return rsp_output_flush();
}

/* --- options ---------------------------------------------------------------------------------- */

static int set_limit(const char *value, struct rsp_fleet_options *opt)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (value[0] < '0' || value[0] > '9' || *end || n == 0 || n > LIMIT_MAX)
		return misuse("'%s' is not a number from 1 to %d", value, LIMIT_MAX);
	opt->limit = n;
	return 0;
}

static int set_json(const char *value, struct rsp_fleet_options *opt)
{
	if (!value || !strcmp(value, "pretty"))
		opt->json = RSP_JSON_PRETTY;
	else if (!strcmp(value, "short"))
		opt->json = RSP_JSON_SHORT;
	else if (!strcmp(value, "off"))
		opt->json = RSP_JSON_OFF;
	else
		return misuse("'%s' is not a mode of JSON (short, pretty, off)", value);
	return 0;
}

static int set_duration(const char *value, uint64_t *ret_ns)
{
	if (rsp_duration_parse(value, ret_ns) == 0 && *ret_ns >= 1000000000)
		return 0;
	return misuse("'%s' is not a duration of at least a second (10s, 2min, 24h)", value);
}

static int apply(int value, const char *arg, struct rsp_fleet_options *opt)
{
	const char **texts[] = {
		[OPT_BEFORE] = &opt->before,	 [OPT_AFTER] = &opt->after,
		[OPT_UNIT] = &opt->unit,	 [OPT_HOST] = &opt->host,
		[OPT_SINCE] = &opt->since,	 [OPT_UNTIL] = &opt->until,
		[OPT_OUTPUT] = &opt->output,	 [OPT_CLICKHOUSE] = &opt->clickhouse,
		[OPT_DATABASE] = &opt->database, [OPT_USER] = &opt->user,
		[OPT_CONFIG] = &opt->config,
	};

	switch (value) {
	case OPT_LAST:
		return set_duration(arg, &opt->last_ns);
	case OPT_TIMEOUT:
		return set_duration(arg, &opt->timeout_ns);
	case OPT_LIMIT:
		return set_limit(arg, opt);
	case OPT_JSON:
		return set_json(arg, opt);
	case OPT_SLOWEST:
		opt->slowest = true;
		return 0;
	case OPT_SHOW_SQL:
		opt->shows_sql = true;
		return 0;
	}
	*texts[value] = arg;
	return *arg && strlen(arg) < RSP_FLEET_NAME_MAX
		       ? 0
		       : misuse("the value of an option is empty or too long");
}

/* Returns 0, an exit status, or -1 if the user asked for help. */
static int parse(int argc, char **argv, struct rsp_fleet_options *opt)
{
	struct option longs[ROW_CNT];

	*opt = (struct rsp_fleet_options){
		.last_ns = DEFAULT_LAST_NS,
		.timeout_ns = DEFAULT_TIMEOUT_NS,
		.limit = DEFAULT_LIMIT,
	};
	for (size_t i = 0; i < ROW_CNT; i++)
		longs[i] = (struct option){rows[i].name, rows[i].has_value, NULL, rows[i].value};
	opterr = 0;
	for (;;) {
		int value = getopt_long(argc, argv, ":hjS:U:n:o:", longs, NULL), r;

		if (value < 0)
			break;
		if (value == OPT_HELP)
			return -1;
		if (value == ':')
			return misuse("%s needs a value", argv[optind - 1]);
		if (value == '?')
			return misuse("unknown option %s", argv[optind - 1]);
		r = apply(value, optarg, opt);
		if (r)
			return r;
	}
	opt->args = argv + optind;
	opt->arg_cnt = argc - optind;
	return 0;
}

static const struct question *find(const char *name)
{
	for (const struct question *q = questions; q->name; q++)
		if (!strcmp(q->name, name))
			return q;
	return NULL;
}

int main(int argc, char **argv)
{
	const struct question *question;
	struct rsp_fleet fleet = {0};
	int r = parse(argc, argv, &fleet.opt);

	if (r)
		return r < 0 ? print_help() : r;
	question = fleet.opt.arg_cnt ? find(fleet.opt.args[0]) : NULL;
	if (!fleet.opt.arg_cnt)
		return misuse("'fleet' needs a question");
	if (!question)
		return misuse("unknown question '%s'", fleet.opt.args[0]);
	fleet.opt.args++;
	fleet.opt.arg_cnt--;
	if (fleet.opt.arg_cnt > question->arg_max)
		return misuse("'%s' does not take the argument '%s'", question->name,
			      fleet.opt.args[question->arg_max]);
	r = rsp_fleet_config_read(fleet.opt.config, &fleet.config);
	if (!r)
		r = rsp_fleet_connect(&fleet, question->with_tables);
	if (!r)
		r = question->run(&fleet);
	rsp_fleet_disconnect(&fleet);
	return r;
}
