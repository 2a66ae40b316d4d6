/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of all options: their names, the verbs that take them, and the functions that apply
 * them.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options-parts.h"
#include "cli/when.h"
#include "lib/base/quantity.h"
#include "lib/export/export.h"
#include "lib/report/requests-report.h"
#include "lib/snapshot/container.h"
#include "lib/snapshot/decode.h"
#include "rsp/pause.h"

#define NO_DURATION "'%s' is not a duration (250ms, 10s, 2min)"

static bool parse_number(const char *text, unsigned long max, unsigned long *ret)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	/* strtoul() would also accept signs and blanks. */
	if (text[0] < '0' || text[0] > '9' || *end || n == 0 || n > max)
		return false;
	*ret = n;
	return true;
}

/* --- options of every verb -------------------------------------------------------------------- */

static int set_help(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->wants_help = true;
	return 0;
}

static int set_version(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->wants_version = true;
	return 0;
}

static int set_socket(const char *value, struct rsp_options *opt)
{
	opt->socket = value;
	return *value ? 0 : rsp_misuse("--socket needs the path of a socket");
}

static int set_store(const char *value, struct rsp_options *opt)
{
	opt->store = value;
	return *value ? 0 : rsp_misuse("--store needs the path of a directory");
}

static int set_no_pager(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->no_pager = true;
	return 0;
}

static int set_host(const char *value, struct rsp_options *opt)
{
	opt->host = value;
	/* ssh would parse a name that begins with '-' as an option. */
	if (!*value || *value == '-')
		return rsp_misuse("'%s' is not the name of a host", value);
	for (const char *p = value; *p; p++)
		if ((unsigned char)*p <= ' ' || *p == 127)
			return rsp_misuse(
				"the name of a host must not contain blanks or control characters");
	return 0;
}

/* --- output ----------------------------------------------------------------------------------- */

static int set_view(const char *value, struct rsp_options *opt)
{
	if (rsp_view_parse(value, &opt->view) == 0)
		return 0;
	return rsp_misuse("'%s' is not a view (" RSP_VIEW_NAMES ")", value);
}

static int set_chains(const char *value, struct rsp_options *opt)
{
	unsigned long n;

	if (!parse_number(value, 1000000, &n))
		return rsp_misuse("'%s' is not a number of chains", value);
	opt->chain_max = n;
	return 0;
}

static int set_json(const char *value, struct rsp_options *opt)
{
	if (!value)
		opt->json = isatty(STDOUT_FILENO) ? RSP_JSON_PRETTY : RSP_JSON_SHORT;
	else if (!strcmp(value, "pretty"))
		opt->json = RSP_JSON_PRETTY;
	else if (!strcmp(value, "short"))
		opt->json = RSP_JSON_SHORT;
	else if (!strcmp(value, "off"))
		opt->json = RSP_JSON_OFF;
	else
		return rsp_misuse("'%s' is not a JSON mode (short, pretty, off)", value);
	return 0;
}

static int omit_legend(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->legend = false;
	return 0;
}

static int set_output(const char *value, struct rsp_options *opt)
{
	opt->output = value;
	return *value ? 0 : rsp_misuse("--output needs the name of a file");
}

static int set_html(const char *value, struct rsp_options *opt)
{
	opt->html = value;
	return *value ? 0 : rsp_misuse("--html needs the name of a file");
}

static int set_open(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->open = true;
	return 0;
}

static int set_http_port(const char *value, struct rsp_options *opt)
{
	unsigned long n;

	if (!parse_number(value, UINT16_MAX, &n))
		return rsp_misuse("'%s' is not a port", value);
	opt->http_port = (unsigned int)n;
	return 0;
}

static int add_debug_dir(const char *value, struct rsp_options *opt)
{
	if (opt->debug_dir_cnt == RSP_DEBUG_DIRS_MAX)
		return rsp_misuse("at most %d directories can be given", RSP_DEBUG_DIRS_MAX);
	opt->debug_dirs[opt->debug_dir_cnt++] = value;
	return *value ? 0 : rsp_misuse("--debug-dir needs the path of a directory");
}

static int set_all(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->all = true;
	return 0;
}

/* --- the process of interest ------------------------------------------------------------------ */

static int set_pid(const char *value, struct rsp_options *opt)
{
	unsigned long n;

	if (!parse_number(value, INT_MAX, &n))
		return rsp_misuse("'%s' is not a process ID", value);
	opt->pid = (pid_t)n;
	return 0;
}

/* If a unit has no suffix, ".service" is added, as in systemctl. */
static int set_unit(const char *value, struct rsp_options *opt)
{
	static char service[256];

	if (!*value || strlen(value) + sizeof(".service") > sizeof(service))
		return rsp_misuse("'%s' is not the name of a unit", value);
	opt->unit = value;
	if (!strchr(value, '.')) {
		snprintf(service, sizeof(service), "%s.service", value);
		opt->unit = service;
	}
	return 0;
}

static int set_cgroup(const char *value, struct rsp_options *opt)
{
	opt->cgroup = value;
	return *value == '/' ? 0 : rsp_misuse("--cgroup needs a path that begins with '/'");
}

static int set_container(const char *value, struct rsp_options *opt)
{
	if (strlen(value) >= RSP_CONTAINER_TEXT_BYTES || !*value)
		return rsp_misuse("'%s' is not the name or ID of a container", value);
	opt->container = value;
	return 0;
}

static int set_comm(const char *value, struct rsp_options *opt)
{
	opt->comm = value;
	return *value ? 0 : rsp_misuse("--comm needs the name of a process");
}

static int set_port(const char *value, struct rsp_options *opt)
{
	unsigned long n;

	if (!parse_number(value, UINT16_MAX, &n))
		return rsp_misuse("'%s' is not a port", value);
	opt->port = (unsigned int)n;
	return 0;
}

static int set_whole(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->whole = true;
	return 0;
}

/* --- the span --------------------------------------------------------------------------------- */

static int set_last(const char *value, struct rsp_options *opt)
{
	if (rsp_duration_parse(value, &opt->last_ns) == 0 && opt->last_ns > 0)
		return 0;
	return rsp_misuse(NO_DURATION, value);
}

static int set_after(const char *value, struct rsp_options *opt)
{
	return rsp_duration_parse(value, &opt->after_ns) == 0 ? 0 : rsp_misuse(NO_DURATION, value);
}

static int parse_time(const char *value, uint64_t *ret_ns)
{
	if (rsp_when_parse(value, ret_ns) == 0)
		return 0;
	return rsp_misuse("'%s' is not a time (\"10:42:00\", \"-5min\", \"now\")", value);
}

static int set_since(const char *value, struct rsp_options *opt)
{
	return parse_time(value, &opt->since_ns);
}

static int set_until(const char *value, struct rsp_options *opt)
{
	return parse_time(value, &opt->until_ns);
}

/* --- requests --------------------------------------------------------------------------------- */

static int set_slowest(const char *value, struct rsp_options *opt)
{
	unsigned long n;

	if (!parse_number(value, RSP_SLOWEST_MAX, &n))
		return rsp_misuse("'%s' is not a number of requests (1 to %d)", value,
				  RSP_SLOWEST_MAX);
	opt->slowest = n;
	return 0;
}

static int set_slower_than(const char *value, struct rsp_options *opt)
{
	if (rsp_duration_parse(value, &opt->slower_than_ns) == 0 && opt->slower_than_ns > 0)
		return 0;
	return rsp_misuse(NO_DURATION, value);
}

static int set_openmetrics(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->openmetrics = true;
	return 0;
}

/* --- flame graphs ----------------------------------------------------------------------------- */

static int set_kind(const char *value, struct rsp_options *opt)
{
	opt->has_kind = true;
	if (rsp_profile_kind_parse(value, &opt->kind) == 0)
		return 0;
	return rsp_misuse("'%s' is not a kind of profile (" RSP_PROFILE_KIND_NAMES ")", value);
}

static int set_format(const char *value, struct rsp_options *opt)
{
	opt->format = value;
	return 0;
}

static int set_title(const char *value, struct rsp_options *opt)
{
	opt->title = value;
	return 0;
}

static int set_per_thread(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->per_thread = true;
	return 0;
}

static int set_inverted(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->inverted = true;
	return 0;
}

static int set_min_width(const char *value, struct rsp_options *opt)
{
	char *end;

	opt->min_width = strtod(value, &end);
	if (end != value && !*end && opt->min_width >= 0 && opt->min_width <= 1000)
		return 0;
	return rsp_misuse("'%s' is not a width in pixels (0 to 1000)", value);
}

static int set_colours(const char *value, struct rsp_options *opt)
{
	opt->colours = strcmp(value, "name") ? RSP_FLAME_BY_KIND : RSP_FLAME_BY_NAME;
	if (!strcmp(value, "name") || !strcmp(value, "kind"))
		return 0;
	return rsp_misuse("'%s' is not a way to choose colors (kind, name)", value);
}

/* --- differences and call graphs -------------------------------------------------------------- */

static int set_at(const char *value, struct rsp_options *opt)
{
	opt->at = value;
	return *value ? 0 : rsp_misuse("--at needs a time or the name of a mark");
}

static int set_per(const char *value, struct rsp_options *opt)
{
	if (!strcmp(value, "run"))
		opt->basis = RSP_DIFF_PER_RUN;
	else if (!strcmp(value, "second"))
		opt->basis = RSP_DIFF_PER_SECOND;
	else if (!strcmp(value, "request"))
		opt->basis = RSP_DIFF_PER_REQUEST;
	else
		return rsp_misuse("'%s' is not one of run, second, request", value);
	return 0;
}

static int set_function(const char *value, struct rsp_options *opt)
{
	opt->function = value;
	return *value ? 0 : rsp_misuse("--function needs the name of a function");
}

static int set_bottom_up(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->bottom_up = true;
	return 0;
}

/* --- top -------------------------------------------------------------------------------------- */

static int set_once(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->once = true;
	return 0;
}

#define INTERVAL_NS_MIN 100000000ULL

static int set_interval(const char *value, struct rsp_options *opt)
{
	if (rsp_duration_parse(value, &opt->interval_ns) == 0 &&
	    opt->interval_ns >= INTERVAL_NS_MIN)
		return 0;
	return rsp_misuse("'%s' is not a duration of at least 100ms", value);
}

/* --- memory ----------------------------------------------------------------------------------- */

static int set_memory(const char *value, struct rsp_options *opt)
{
	char name[16];

	do {
		size_t len = strcspn(value, ",");
		__u32 kind;

		snprintf(name, sizeof(name), "%.*s", (int)len, value);
		kind = rsp_memory_kind_parse(len < sizeof(name) ? name : "");
		if (!kind)
			return rsp_misuse("'%.*s' is not a kind of memory event "
					  "(" RSP_MEMORY_KIND_NAMES ")",
					  (int)len, value);
		opt->memory_kinds |= 1U << kind;
		value += len;
	} while (*value++ == ',');
	return 0;
}

/* --- utilization ------------------------------------------------------------------------------ */

static int set_for(const char *value, struct rsp_options *opt)
{
	if (rsp_duration_parse(value, &opt->for_ns) == 0 && opt->for_ns > 0 &&
	    opt->for_ns <= RSP_PAUSE_MAX_NS)
		return 0;
	return rsp_misuse(NO_DURATION, value);
}

static int set_syscalls(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->syscalls = true;
	return 0;
}

static int set_by_cpu(const char *value, struct rsp_options *opt)
{
	(void)value;
	opt->by_cpu = true;
	return 0;
}

/* ---------------------------------------------------------------------------------------------- */

const struct rsp_option_row rsp_option_rows[] = {
	{"help", 'h', NULL, false, 0, set_help,
	 "show this help, or after a verb the verb's options"},
	{"version", 0, NULL, false, 0, set_version, "show the version"},
	{"socket", 0, "PATH", false, 0, set_socket,
	 "socket of the recorder (default: $RSP_SOCKET, " RSP_DEFAULT_SOCKET ")"},
	{"store", 0, "DIR", false, 0, set_store,
	 "directory of snapshots (default: $RSP_STORE, " RSP_DEFAULT_STORE ")"},
	{"host", 'H', "[USER@]HOST", false, 0, set_host, "run the verb on HOST, over ssh"},
	{"no-pager", 0, NULL, false, 0, set_no_pager, "show long reports without a pager"},
	{"view", 0, "VIEW", false, RSP_OPT_VIEW, set_view, RSP_VIEW_NAMES},
	{"chains", 'n', "N", false, RSP_OPT_CHAINS, set_chains,
	 "show the N heaviest chains, or rows of a table"},
	{"json", 'j', "MODE", true, RSP_OPT_JSON, set_json, "JSON: short, pretty or off"},
	{"all", 'a', NULL, false, RSP_OPT_ALL, set_all,
	 "also show how the service records: stacks, records, programs, abilities"},
	{"no-legend", 0, NULL, false, RSP_OPT_LEGEND, omit_legend, "no header above tables"},
	{"pid", 0, "PID", false, RSP_OPT_PID, set_pid,
	 "the process of interest: any process in the recording"},
	{"whole", 0, NULL, false, RSP_OPT_WHOLE, set_whole,
	 "explain the whole snapshot, not just what was slow"},
	{"unit", 0, "UNIT", false, RSP_OPT_TARGET, set_unit,
	 "the most active process of a systemd unit"},
	{"cgroup", 0, "PATH", false, RSP_OPT_TARGET, set_cgroup,
	 "the most active process of a cgroup"},
	{"container", 0, "NAME", false, RSP_OPT_PID, set_container,
	 "the most active process of a container: ID, NAME, POD/NAME"},
	{"comm", 0, "NAME", false, RSP_OPT_COMM, set_comm, "the most active process of this name"},
	{"port", 0, "PORT", false, RSP_OPT_TARGET, set_port,
	 "the process that sent most from this local port"},
	{"last", 0, "D", false, RSP_OPT_LAST, set_last,
	 "length of the recent past (default: 10s): 250ms, 2min"},
	{"before", 0, "D", false, RSP_OPT_LAST, set_last, "another name of --last"},
	{"after", 0, "D", false, RSP_OPT_LAST, set_after, "how long to continue recording"},
	{"since", 'S', "T", false, RSP_OPT_LAST, set_since,
	 "beginning of the span: \"10:42:00\", \"-5min\", \"now\""},
	{"until", 'U', "T", false, RSP_OPT_LAST, set_until, "end of the span"},
	{"slowest", 0, "N", false, RSP_OPT_REQUESTS, set_slowest,
	 "explain the N slowest requests (default: 5)"},
	{"slower-than", 0, "D", false, RSP_OPT_REQUESTS, set_slower_than,
	 "which requests are slow (default: the slowest 1 %)"},
	{"openmetrics", 0, NULL, false, RSP_OPT_REQUESTS, set_openmetrics,
	 "histograms of the latencies, as OpenMetrics text"},
	{"kind", 0, "KIND", false, RSP_OPT_KIND, set_kind,
	 RSP_PROFILE_KIND_NAMES " (default: oncpu)"},
	{"format", 0, "FORMAT", false, RSP_OPT_FORMAT, set_format,
	 "of flame, diff: folded or svg; of diff: html; of export: " RSP_EXPORT_NAMES},
	{"per-thread", 0, NULL, false, RSP_OPT_FLAME, set_per_thread,
	 "a tower for each thread, not just for each process"},
	{"inverted", 0, NULL, false, RSP_OPT_FLAME, set_inverted,
	 "the outermost functions at the top (icicle graph)"},
	{"min-width", 0, "PX", false, RSP_OPT_FLAME, set_min_width,
	 "leave out narrower boxes (default: 0.1)"},
	{"colors", 0, "HOW", false, RSP_OPT_FLAME, set_colours,
	 "kind: by kind of box (default); name: shades by a hash of the name"},
	{"title", 0, "TEXT", false, RSP_OPT_FLAME, set_title, "the title of the picture"},
	{"once", 0, NULL, false, RSP_OPT_TOP, set_once, "print one interval as text"},
	{"interval", 0, "D", false, RSP_OPT_TOP, set_interval,
	 "how often to refresh (default: 1s)"},
	{"for", 0, "D", false, RSP_OPT_FOR, set_for, "how long to record from now on, or to pause"},
	{"syscalls", 0, NULL, false, RSP_OPT_UTIL, set_syscalls,
	 "count system calls during the recording"},
	{"by-cpu", 0, NULL, false, RSP_OPT_UTIL, set_by_cpu,
	 "show the time of each task on each CPU"},
	{"memory", 0, "KINDS", false, RSP_OPT_MEMORY, set_memory,
	 "also watch the command's memory: " RSP_MEMORY_KIND_NAMES},
	{"debug-dir", 0, "DIR", false, RSP_OPT_DEBUG_DIR, add_debug_dir,
	 "directory of debug files; may be given several times"},
	{"output", 'o', "FILE", false, RSP_OPT_OUTPUT, set_output, "save to FILE"},
	{"http-port", 0, "PORT", false, RSP_OPT_SERVE, set_http_port,
	 "the port on 127.0.0.1 and ::1 (default: any)"},
	{"open", 0, NULL, false, RSP_OPT_OPEN, set_open, "show the page in a browser (xdg-open)"},
	{"html", 0, "FILE", false, RSP_OPT_HTML, set_html, "also write a page of pictures"},
	{"at", 0, "TIME", false, RSP_OPT_DIFF, set_at,
	 "compare the parts of one recording before and after this time (5s, 10:42:00) or mark"},
	{"per", 0, "BASIS", false, RSP_OPT_DIFF, set_per,
	 "give figures per run, second or request"},
	{"function", 0, "NAME", false, RSP_OPT_CALLGRAPH, set_function,
	 "show the callers and callees of this function"},
	{"bottom-up", 0, NULL, false, RSP_OPT_CALLGRAPH, set_bottom_up,
	 "show functions by their own time, with their callers as trees"},
	{0},
};
