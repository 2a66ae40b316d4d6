/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl flame [SNAPSHOT]: writes a flame graph of a saved snapshot or of the recent past, as
 * folded stacks for other tools or as a picture.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/document.h"
#include "cli/fresh.h"
#include "cli/live.h"
#include "cli/options-parts.h"
#include "cli/profile-notes.h"
#include "cli/recent.h"
#include "cli/source.h"
#include "cli/target.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/flame/flame.h"

#define TEXT_MAX RSP_PROFILE_NOTE_BYTES

/* --- the graph -------------------------------------------------------------------------------- */

static void make_title(const struct rsp_meta *meta, const struct rsp_options *opt,
		       const struct rsp_profile_options *how, const struct rsp_profile *p,
		       char *ret)
{
	const char *kind = rsp_profile_words(how->kind)->title;
	const char *root = p->nodes.cnt ? rsp_profile_text(p, p->nodes.v[0].name) : "process";

	if (opt->title)
		snprintf(ret, TEXT_MAX, "%s", opt->title);
	else if (how->descendants)
		snprintf(ret, TEXT_MAX, "%s: %s", kind, meta->command);
	else if (how->tgid)
		snprintf(ret, TEXT_MAX, "%s of %s [%u]", kind, root, rsp_host_tid(how->tgid));
	else if (how->comm)
		snprintf(ret, TEXT_MAX, "%s of %s", kind, how->comm);
	else
		snprintf(ret, TEXT_MAX, "%s of all processes%s", kind,
			 meta->redacted ? " of the user" : "");
}

static int write_svg(const struct rsp_model *m, const struct rsp_profile *p,
		     const struct rsp_options *opt, const struct rsp_profile_options *how,
		     const char *missing, FILE *out)
{
	const struct rsp_meta *meta = &m->trace->snap->meta;
	const struct rsp_profile_words *words = rsp_profile_words(how->kind);
	char title[TEXT_MAX], subtitle[TEXT_MAX], total[RSP_FORMAT_MAX], span[RSP_FORMAT_MAX];
	char share[RSP_FORMAT_MAX], inferred[RSP_FORMAT_MAX + 64] = "", empty[TEXT_MAX];

	make_title(meta, opt, how, p, title);
	if (p->inferred)
		snprintf(inferred, sizeof(inferred),
			 "; %s of it inferred from samples of other runs",
			 rsp_format_share(p->inferred, p->total, share, sizeof(share)));
	snprintf(subtitle, sizeof(subtitle), "%s in all threads, in a span of %s, on %s%s",
		 rsp_format_amount(p->total, words->unit, total, sizeof(total)),
		 rsp_format_ns(m->until_ns - m->since_ns, span, sizeof(span)), meta->host,
		 inferred);
	return rsp_flame_svg(p,
			     &(struct rsp_flame_options){
				     .title = title,
				     .subtitle = subtitle,
				     .warning = *missing ? missing : NULL,
				     .empty = rsp_profile_empty(m, p, how->kind, empty),
				     .events = words->events,
				     .colours = opt->colours,
				     .inverted = opt->inverted,
				     .min_width = opt->min_width,
			     },
			     out);
}

/* Chooses the format by --format, or else by the suffix of the output file. */
static bool wants_svg(const struct rsp_options *opt)
{
	const char *dot = opt->output ? strrchr(opt->output, '.') : NULL;

	if (opt->format)
		return strcmp(opt->format, "svg") == 0;
	return dot && strcmp(dot, ".svg") == 0;
}

/* Prints the notes on stderr, for both formats: folded stacks cannot contain them. */
static void warn(const struct rsp_model *m, const struct rsp_profile *p,
		 const struct rsp_profile_options *how, const char *missing)
{
	char empty[TEXT_MAX];

	if (*missing)
		rsp_warn("note: %s", missing);
	if (!p->total)
		rsp_warn("note: %s", rsp_profile_empty(m, p, how->kind, empty));
}

static int write_graph(const struct rsp_model *m, const struct rsp_chosen *chosen,
		       const struct rsp_options *opt, FILE *out, bool *lossy)
{
	const struct rsp_profile_options how = {
		.kind = opt->kind,
		.per_thread = opt->per_thread,
		.tgid = chosen->tgid,
		.descendants = chosen->descendants,
		.comm = chosen->comm,
	};
	_cleanup_(rsp_profile_done) struct rsp_profile p = {0};
	char missing[TEXT_MAX];
	int r;

	r = rsp_profile_make(m, &how, &p);
	if (r < 0)
		return r;
	/*
	 * Without threads, the snapshot does not contain the chosen process. For a recorded command
	 * (descendants), this is not an error: the recording may be damaged.
	 */
	if (!p.thread_cnt && (how.tgid || how.comm) && !how.descendants)
		return -ESRCH;
	*lossy = rsp_profile_missing(m, &p, &how, missing);
	warn(m, &p, &how, missing);
	return wants_svg(opt) ? write_svg(m, &p, opt, &how, missing, out)
			      : rsp_flame_folded(&p, out);
}

static int write_flame(const struct rsp_opened *opened, const struct rsp_options *opt, FILE *out,
		       bool *lossy)
{
	const struct rsp_chosen chosen = rsp_opened_choose(opened, opt);
	struct rsp_model *m = NULL;
	int r = rsp_model_new(opened->trace, &m);

	if (r == 0)
		r = write_graph(m, &chosen, opt, out, lossy);
	rsp_model_free(m);
	return r;
}

static const struct rsp_document flame = {write_flame, "flame graph", "draw"};

/*
 * A watch of memory covers only one process and its descendants, so the graph of memory needs no
 * filter.
 */
static int draw_live(const struct rsp_options *opt)
{
	__u32 memory = rsp_profile_words(opt->kind)->memory;
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	struct rsp_options all = *opt;
	int r;

	if (memory && !opt->command && !opt->pid)
		return rsp_misuse(
			"the recorder watches the memory of one process and its descendants: "
			"name it with --pid, or give a command after '--'");
	r = rsp_live_record(opt, memory ? 1U << memory : 0, &fresh);
	if (r)
		return r;
	all.of_target = !memory && opt->pid;
	/*
	 * A new recording has exactly the requested span, so --whole cannot extend the span.
	 * Instead, it means all processes.
	 */
	all.all_processes = opt->whole;
	all.whole = false;
	all.pid = 0;
	return rsp_document_make(&flame, fresh.fd, "the recording", &all, opt->output);
}

int rsp_verb_flame(const struct rsp_options *opt)
{
	_cleanup_(rsp_source_done) struct rsp_source source = RSP_SOURCE_NONE;
	struct rsp_options all = *opt;
	int r;

	if (opt->format && strcmp(opt->format, "folded") && strcmp(opt->format, "svg"))
		return rsp_misuse("'%s' is not a format of flame graphs (folded, svg)",
				  opt->format);
	if (!opt->output && !opt->format && isatty(STDOUT_FILENO)) {
		rsp_fail(0,
			 "a flame graph cannot be shown on a terminal: name a file with -o, like "
			 "graph.svg, or print folded stacks with --format=folded");
		return RSP_EXIT_USAGE;
	}
	r = rsp_live_check(opt, "flame");
	if (r)
		return r;
	if (rsp_live_is_meant(opt))
		return draw_live(opt);
	r = rsp_source_open(opt, &source);
	if (r)
		return r;
	/*
	 * --unit, --cgroup, --container and --port choose one process, and the graph shows only
	 * this process.
	 */
	all.of_target = rsp_target_is_resolved(opt);
	return rsp_document_make(&flame, source.fd, source.name, &all, opt->output);
}
