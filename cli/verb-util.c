/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl util [SNAPSHOT]: shows how CPUs, processes and tasks spent a span. */
#include <stdio.h>

#include "cli/document.h"
#include "cli/fresh.h"
#include "cli/live.h"
#include "cli/options-parts.h"
#include "cli/output.h"
#include "cli/recent.h"
#include "cli/save.h"
#include "cli/source.h"
#include "cli/target.h"
#include "lib/base/cleanup.h"
#include "lib/report/util-report.h"

/* --- the report ------------------------------------------------------------------------------- */

/* The terminal on stdout, queried before the sandbox starts, because the sandbox forbids this. */
static struct {
	unsigned int width;
	bool colour;
} terminal;

static int write_report(const struct rsp_opened *opened, const struct rsp_options *opt, FILE *out,
			bool *lossy)
{
	const struct rsp_chosen chosen = rsp_opened_choose(opened, opt);
	const struct rsp_util_options how = {
		.pid = chosen.tgid,
		.descendants = chosen.descendants,
		.comm = chosen.comm,
		.by_cpu = opt->by_cpu,
		.row_max = opt->chain_max,
		.json = opt->json != RSP_JSON_OFF,
		.pretty = opt->json == RSP_JSON_PRETTY,
		.colour = terminal.colour,
		.width = terminal.width,
	};

	return rsp_util_report(opened->trace, &how, out, lossy);
}

static const struct rsp_document document = {
	.write = write_report,
	.noun = "report",
	.verb = "show",
};

static int report(int fd, const char *name, const struct rsp_options *opt)
{
	terminal.width = rsp_output_width();
	terminal.colour = rsp_output_wants_colour();
	return rsp_document_make(&document, fd, name, opt, NULL);
}

static int of_source(const struct rsp_options *opt)
{
	_cleanup_(rsp_source_done) struct rsp_source source = RSP_SOURCE_NONE;
	struct rsp_options all = *opt;
	int r = rsp_source_open(opt, &source);

	if (r)
		return r;
	all.of_target = rsp_target_is_resolved(opt) || (source.is_recent && opt->pid);
	if (source.is_recent)
		all.pid = 0;
	return report(source.fd, source.name, &all);
}

/* --- from now on ------------------------------------------------------------------------------ */

static int live(const struct rsp_options *opt)
{
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	struct rsp_options all = *opt;
	int r = rsp_live_record(opt, 0, &fresh);

	if (r)
		return r;
	all.of_target = opt->pid;
	all.pid = 0;
	/*
	 * A new recording has exactly the requested span, so --whole cannot extend the span.
	 * Instead, it means all processes.
	 */
	all.all_processes = opt->whole;
	all.whole = false;
	r = report(fresh.fd, "the recording", &all);
	if (opt->output) {
		int saved = rsp_save(fresh.fd, opt->output);

		if (saved < 0)
			return rsp_fail(saved, "cannot save the snapshot as %s: %m", opt->output);
		rsp_warn("saved as %s", opt->output);
	}
	return r;
}

/* --- the verb --------------------------------------------------------------------------------- */

static int check(const struct rsp_options *opt)
{
	bool is_live = rsp_live_is_meant(opt);
	int r = rsp_live_check(opt, "util");

	if (r)
		return r;
	if (opt->syscalls && !is_live && !opt->arg_cnt)
		return rsp_misuse(
			"system calls can only be counted from now on: give the time with --for, "
			"or a command after '--'");
	if (opt->output && !is_live)
		return rsp_misuse("--output saves only recordings made with --for or a command");
	return 0;
}

int rsp_verb_util(const struct rsp_options *opt)
{
	int r = check(opt);

	if (r)
		return r;
	return rsp_live_is_meant(opt) ? live(opt) : of_source(opt);
}
