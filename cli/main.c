/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl: asks the recorder for snapshots and explains them. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/browser.h"
#include "cli/forwarded.h"
#include "cli/options-parts.h"
#include "cli/output.h"
#include "cli/remote.h"
#include "lib/base/cleanup.h"

#define REPORT_OPTIONS (RSP_OPT_VIEW | RSP_OPT_JSON | RSP_OPT_CHAINS)
#define TARGET_OPTIONS (RSP_OPT_TARGET | RSP_OPT_COMM)

static const struct rsp_verb verbs[] = {
	{"list", rsp_verb_list, RSP_OPT_JSON | RSP_OPT_LEGEND, 0, 0, "",
	 "the snapshots in the store (the default)"},
	{"run", rsp_verb_run, REPORT_OPTIONS | RSP_OPT_OUTPUT | RSP_OPT_HTML | RSP_OPT_MEMORY, 1,
	 INT_MAX, "-- CMD [ARG…]", "record a command from start to end, explain it"},
	{"snapshot", rsp_verb_snapshot,
	 REPORT_OPTIONS | RSP_OPT_OUTPUT | RSP_OPT_HTML | RSP_OPT_PID | TARGET_OPTIONS |
		 RSP_OPT_LAST,
	 0, 0, "[--pid PID]", "save the recent past of your processes, explain one"},
	{"explain", rsp_verb_report, REPORT_OPTIONS | RSP_OPT_PID | RSP_OPT_COMM | RSP_OPT_WHOLE, 0,
	 1, "[SNAPSHOT]", "explain a snapshot (default: the newest)"},
	{"report", rsp_verb_report, REPORT_OPTIONS | RSP_OPT_PID | RSP_OPT_COMM | RSP_OPT_WHOLE, 0,
	 1, "[SNAPSHOT] --view VIEW", "show a snapshot in another view"},
	{"requests", rsp_verb_requests,
	 RSP_OPT_JSON | RSP_OPT_PID | TARGET_OPTIONS | RSP_OPT_LAST | RSP_OPT_WHOLE |
		 RSP_OPT_REQUESTS,
	 0, 1, "[SNAPSHOT]", "latencies of a server's requests; why some are slow"},
	{"diff", rsp_verb_diff,
	 RSP_OPT_JSON | RSP_OPT_PID | TARGET_OPTIONS | RSP_OPT_CHAINS | RSP_OPT_DIFF |
		 RSP_OPT_FORMAT | RSP_OPT_KIND | RSP_OPT_OUTPUT,
	 1, 2 * RSP_DIFF_RECORDINGS_MAX, "BEFORE[,…] AFTER[,…]",
	 "significant changes between recordings"},
	{"callgraph", rsp_verb_callgraph,
	 RSP_OPT_JSON | RSP_OPT_PID | TARGET_OPTIONS | RSP_OPT_CHAINS | RSP_OPT_LAST |
		 RSP_OPT_WHOLE | RSP_OPT_CALLGRAPH | RSP_OPT_KIND,
	 0, 1, "[SNAPSHOT]", "functions, their callers and callees"},
	{"top", rsp_verb_top, RSP_OPT_CHAINS | RSP_OPT_PID | TARGET_OPTIONS | RSP_OPT_TOP, 0, 0, "",
	 "the present: hot functions, waiting threads, requests"},
	{"util", rsp_verb_util,
	 RSP_OPT_JSON | RSP_OPT_CHAINS | RSP_OPT_PID | TARGET_OPTIONS | RSP_OPT_LAST |
		 RSP_OPT_WHOLE | RSP_OPT_OUTPUT | RSP_OPT_UTIL | RSP_OPT_LIVE | RSP_OPT_FOR,
	 0, 1, "[SNAPSHOT | -- CMD]", "time on CPUs by process and mode; system calls"},
	{"html", rsp_verb_html,
	 RSP_OPT_OUTPUT | RSP_OPT_PID | RSP_OPT_COMM | RSP_OPT_WHOLE | RSP_OPT_OPEN, 0, 1,
	 "[SNAPSHOT] -o FILE", "show a snapshot as pictures, in a page for a browser"},
	{"flame", rsp_verb_flame,
	 RSP_OPT_OUTPUT | RSP_OPT_PID | TARGET_OPTIONS | RSP_OPT_LAST | RSP_OPT_WHOLE |
		 RSP_OPT_FORMAT | RSP_OPT_FLAME | RSP_OPT_KIND | RSP_OPT_LIVE | RSP_OPT_FOR,
	 0, 1, "[SNAPSHOT | -- CMD]", "a flame graph of time on CPUs or in waits, or of memory"},
	{"export", rsp_verb_export,
	 RSP_OPT_OUTPUT | RSP_OPT_PID | TARGET_OPTIONS | RSP_OPT_LAST | RSP_OPT_WHOLE |
		 RSP_OPT_FORMAT,
	 0, 1, "[SNAPSHOT] -o FILE", "a file for another program: pprof, perfetto, …"},
	{"serve", rsp_verb_serve, RSP_OPT_OPEN | RSP_OPT_SERVE, 0, 1, "[SNAPSHOT]",
	 "stored snapshots as pages, for browsers on this machine"},
	{"merge", rsp_verb_merge, RSP_OPT_OUTPUT, 2, RSP_HOST_CNT_MAX, "SNAPSHOT SNAPSHOT… -o FILE",
	 "one snapshot of several hosts, with waits across hosts"},
	{"fleet", rsp_verb_fleet, RSP_OPT_OWN, 1, INT_MAX, "QUESTION",
	 "ask all hosts: top, outliers, diff, requests, get"},
	{"symbolize", rsp_verb_symbolize, RSP_OPT_DEBUG_DIR | RSP_OPT_OUTPUT, 1, 1, "SNAPSHOT",
	 "name functions again, with local debug files"},
	{"info", rsp_verb_info, RSP_OPT_JSON, 0, 1, "[SNAPSHOT]",
	 "process, span and origin of a snapshot"},
	{"delete", rsp_verb_delete, 0, 1, 1, "ID", "remove a snapshot from the store"},
	{"slo", rsp_verb_slo, RSP_OPT_JSON | RSP_OPT_LEGEND | RSP_OPT_LAST, 0, 2,
	 "[list|test NAME]", "limits on latencies, and what was measured"},
	{"trigger", rsp_verb_trigger, 0, 1, 1, "NAME",
	 "take a snapshot as if that SLO were breached"},
	{"mark", rsp_verb_mark, 0, 1, 1, "TEXT",
	 "mark this moment: a deployment, the phase of a test"},
	{"pause", rsp_verb_pause, RSP_OPT_FOR, 0, 1, "[REASON]",
	 "stop recording, also over restarts; what was recorded stays"},
	{"resume", rsp_verb_resume, 0, 0, 0, "", "record again after a pause"},
	{"status", rsp_verb_status, RSP_OPT_JSON | RSP_OPT_ALL, 0, 0, "",
	 "problems of the recorder, its content and its cost"},
	{"summary", rsp_verb_summary, RSP_OPT_JSON, 0, 0, "",
	 "the newest summary: where units spent a short time"},
	{"metrics", rsp_verb_metrics, 0, 0, 0, "",
	 "the same as OpenMetrics text, for monitoring systems"},
	{"doctor", rsp_verb_doctor, RSP_OPT_JSON | RSP_OPT_LEGEND, 0, 0, "",
	 "what this machine lets the recorder record"},
	{"help", NULL, 0, 0, 1, "[VERB]", "show the options of a verb"},
	{0},
};

/*
 * Runs a verb on another host (-H). With --open, this host first saves the page to a file, and then
 * shows it.
 */
static int run_there(const struct rsp_verb *verb, struct rsp_options *opt, int argc,
		     char *const argv[])
{
	_cleanup_free_ char *name = NULL;
	int r = RSP_EXIT_OK, opened;

	if (verb->run == rsp_verb_serve)
		return rsp_misuse(
			"'serve' serves only browsers on its own machine: it cannot be combined with -H");
	if (opt->open && !opt->output) {
		r = rsp_browser_name(&name);
		opt->output = name;
	}
	if (!r)
		r = rsp_remote_run(verb, opt, argc, argv);
	if (r != RSP_EXIT_OK && r != RSP_EXIT_LOSSY)
		rsp_browser_forget(name);
	if (!opt->open || (r != RSP_EXIT_OK && r != RSP_EXIT_LOSSY))
		return r;
	opened = rsp_browser_open(opt->output, opt->output);
	return opened ? opened : r;
}

/* The host that called ssh saves the files and opens the browser. */
static int run_forwarded(const struct rsp_verb *verb, struct rsp_options *opt, bool with_files)
{
	if (opt->open && !opt->output)
		opt->output = "page.html";
	opt->open = false;
	return with_files ? rsp_forwarded_run(verb->run, opt) : verb->run(opt);
}

int main(int argc, char **argv)
{
	const struct rsp_verb *verb;
	struct rsp_options opt;
	bool with_files = false;
	int forwarded = rsp_forwarded_decode(&argc, &argv, &with_files), status;
	char **words = NULL;

	(void)rsp_output_width();
	if (forwarded < 0)
		return rsp_fail(forwarded, "cannot read the command line of the other host: %m");
	/* rsp_options_parse() reorders argv, but the other host needs the original order. */
	words = calloc((size_t)argc + 1, sizeof(*words));
	if (!words)
		return rsp_fail(-ENOMEM, "cannot read the command line: %m");
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	verb = rsp_options_parse(argc, argv, verbs, &opt, &status);
	if (verb && forwarded)
		status = run_forwarded(verb, &opt, with_files);
	else if (verb && opt.host)
		status = run_there(verb, &opt, argc, words);
	else if (verb)
		status = verb->run(&opt);
	free(words);
	return status;
}
