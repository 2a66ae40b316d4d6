/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes an explanation as text for a terminal. Names are not trusted, so they are cleaned. */
#include "lib/report/report.h"

#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/report-container.h"
#include "lib/report/report-hosts.h"
#include "lib/report/report-marks.h"
#include "lib/report/report-pen.h"
#include "lib/report/requests-beside.h"
#include "lib/snapshot/decode.h"

#define WIDTH_DEFAULT 100
#define WIDTH_MIN     40
#define FINDINGS_MAX  8	   /* limit for findings, to fit on a screen; JSON contains all findings */
#define COMMAND_COLS  4096 /* limit for commands; large, because users paste them */

int rsp_view_parse(const char *name, enum rsp_view *ret)
{
	static const char *const names[] = {
		[RSP_VIEW_EXPLAIN] = "explain", [RSP_VIEW_TABLE] = "table",
		[RSP_VIEW_CHAINS] = "chains",	[RSP_VIEW_PATHS] = "paths",
		[RSP_VIEW_IO] = "io",		[RSP_VIEW_NET] = "net",
		[RSP_VIEW_LOCKS] = "locks",	[RSP_VIEW_IRQ] = "irq",
		[RSP_VIEW_EDGES] = "edges",	[RSP_VIEW_MARKS] = "marks",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i] && strcmp(name, names[i]) == 0) {
			*ret = (enum rsp_view)i;
			return 0;
		}
	}
	return -EINVAL;
}

unsigned int rsp_view_details(enum rsp_view view)
{
	switch (view) {
	case RSP_VIEW_PATHS:
		return RSP_EXPLAIN_PATHS;
	case RSP_VIEW_IO:
	case RSP_VIEW_NET:
	case RSP_VIEW_IRQ:
	case RSP_VIEW_EDGES:
		return RSP_EXPLAIN_MACHINE;
	default:
		return 0;
	}
}

/* --- findings --------------------------------------------------------------------------------- */

static void put_evidence(const struct rsp_pen *pen, const struct rsp_finding *finding)
{
	const struct rsp_evidence *evidence = &finding->evidence[0];
	__u64 since_ns = pen->e->meta->since_ns, at_ms = 0;
	char ns[RSP_FORMAT_MAX], line[64], text[RSP_FORMAT_NAME_BYTES(RSP_PEN_NAME_MAX)];

	if (finding->evidence_cnt == 0)
		return;
	if (evidence->at_ns > since_ns)
		at_ms = (evidence->at_ns - since_ns) / 1000000;
	snprintf(line, sizeof(line), "      longest %s at +%llu.%03llu s: ",
		 rsp_format_ns(evidence->ns, ns, sizeof(ns)), at_ms / 1000, at_ms % 1000);
	fputs(line, pen->out);
	rsp_format_name(evidence->text, RSP_PEN_NAME_MAX, text, sizeof(text));
	rsp_pen_sentence(pen, RSP_SGR_STACK, rsp_format_columns(line), 8, text);
}

static void put_container(const struct rsp_pen *pen)
{
	char line[RSP_CONTAINER_LINE_BYTES];

	if (*rsp_container_line(pen->e->container, line))
		fprintf(pen->out, "      in %s\n", line);
}

static int put_answer(const struct rsp_pen *pen, const struct rsp_findings *findings)
{
	_cleanup_free_ char *headline = NULL;
	int r = rsp_headline_make(pen->e, findings, &headline);

	if (r < 0)
		return r;
	rsp_pen_sentence(pen, RSP_SGR_ANSWER, 0, 2, headline);
	put_evidence(pen, &findings->v[0]);
	put_container(pen);
	rsp_put_near_marks(pen);
	return 0;
}

/* Unless the finding about idle time is the answer, its line comes last. */
static bool is_idle_line(const struct rsp_finding *finding)
{
	return strcmp(finding->kind, "idle") == 0;
}

static void put_idle(const struct rsp_pen *pen, const struct rsp_findings *findings)
{
	for (size_t i = 1; i < findings->cnt; i++) {
		if (!is_idle_line(&findings->v[i]))
			continue;
		fputc('\n', pen->out);
		rsp_pen_sentence(pen, "", 0, 2, findings->v[i].text);
	}
}

static void put_other_findings(const struct rsp_pen *pen, const struct rsp_findings *findings)
{
	size_t cnt = 0;

	for (size_t i = 1; i < findings->cnt; i++) {
		if (is_idle_line(&findings->v[i]) || ++cnt >= FINDINGS_MAX)
			continue;
		fputs(cnt == 1 ? "\nAlso\n  - " : "  - ", pen->out);
		rsp_pen_sentence(pen, "", 4, 4, findings->v[i].text);
		put_evidence(pen, &findings->v[i]);
	}
	if (cnt >= FINDINGS_MAX)
		fprintf(pen->out, "  … and %zu smaller: --json has them all\n",
			cnt + 1 - FINDINGS_MAX);
}

/* --- beside typical requests ------------------------------------------------------------------ */

static void put_beside(const struct rsp_pen *pen)
{
	const struct rsp_beside *beside = pen->opt->beside;
	char name[RSP_SERVER_BYTES], a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX];
	const struct rsp_comparison *c;

	if (!beside || !beside->sentence)
		return;
	c = &beside->comparison;
	fputc('\n', pen->out);
	rsp_pen_sentence(pen, "", 0, 2, beside->sentence);
	rsp_pen_say(
		pen, "",
		"Requests of %s, port %u: this one compared with the middle half of the others (%s of "
		"%s explained), ms per request",
		rsp_requests_server(c->row, name, sizeof(name)), c->row->port,
		rsp_requests_count(c->typical_explained_cnt, a, sizeof(a)),
		rsp_requests_count(c->typical_cnt, b, sizeof(b)));
	rsp_requests_put_differences(pen, c, "this one");
}

/* --- accuracy and next commands --------------------------------------------------------------- */

static void put_shed(const struct rsp_pen *pen)
{
	char text[512] = "", span[RSP_FORMAT_MAX];
	size_t len = 0;

	if (pen->e->requested_ns)
		rsp_pen_say(pen, "", "Recording was paused by request (rspctl pause) for %s of it.",
			    rsp_format_ns(pen->e->requested_ns, span, sizeof(span)));
	for (__u32 step = RSP_SHED_NOTHING + 1; step < RSP_SHED_CNT && len < sizeof(text); step++)
		if (pen->e->shed_ns[step])
			len += (size_t)snprintf(
				text + len, sizeof(text) - len, "%s%s for %s of it",
				len ? ", " : "", rsp_shed_name(step),
				rsp_format_ns(pen->e->shed_ns[step], span, sizeof(span)));
	if (len && pen->e->budget_ppm)
		rsp_pen_say(
			pen, "",
			"The recorder left out %s: it was above its budget of %g %% of the CPUs.",
			text, pen->e->budget_ppm / 1e4);
	else if (len) /* a recorder without a budget pauses only because of Time= */
		rsp_pen_say(pen, "",
			    "The recorder left out %s: it is configured to record only part of the "
			    "time.",
			    text);
}

/* Waits for the recorder are mentioned if they take at least a hundredth of the time. */
#define OWN_MIN_DIVISOR 100

static void put_own(const struct rsp_pen *pen)
{
	__u64 ns = rsp_report_own_ns(pen->e);
	char time[RSP_FORMAT_MAX], share[RSP_FORMAT_MAX];

	if (ns == 0 || ns < pen->e->total_ns / OWN_MIN_DIVISOR)
		return;
	rsp_pen_say(pen, "", "The recorder itself (rspd, rsp-worker, rspctl) took %s of it (%s).",
		    rsp_format_ns(ns, time, sizeof(time)),
		    rsp_format_share(ns, pen->e->total_ns, share, sizeof(share)));
}

/*
 * Only records within the span matter: older records only show states at the start of the span, and
 * these states are kept.
 */
static void put_left_out(const struct rsp_pen *pen)
{
	char span[RSP_FORMAT_MAX];

	if (pen->e->left_out_ns)
		rsp_pen_say(
			pen, RSP_SGR_WARNING,
			"INCOMPLETE: the first %s (%llu records) were left out to bound time and "
			"memory; --whole explains all of a saved snapshot.",
			rsp_format_ns(pen->e->left_out_ns, span, sizeof(span)),
			pen->e->left_out_cnt);
}

static void put_coverage(const struct rsp_pen *pen)
{
	const struct rsp_explanation *e = pen->e;
	char window[RSP_FORMAT_MAX], asked[RSP_FORMAT_MAX];

	rsp_format_ns(rsp_report_recorded_ns(e), window, sizeof(window));
	rsp_format_ns(e->wall_ns, asked, sizeof(asked));
	fputc('\n', pen->out);
	rsp_pen_say(pen, "", "Coverage: %llu event%s, %llu lost; recorded %s of the %s asked for.",
		    e->event_cnt, e->event_cnt == 1 ? "" : "s", e->lost_cnt, window, asked);
	put_shed(pen);
	put_own(pen);
	rsp_report_put_hosts(e->meta, pen->out);
	if (e->meta->redacted)
		rsp_pen_say(pen, "",
			    "Redacted: other users' tasks appear only where the process waited for "
			    "them, without names; \"uid N\" is one of user N.");
	if (rsp_report_lossy(e))
		rsp_pen_say(pen, RSP_SGR_WARNING,
			    "INCOMPLETE: records were lost; times and counts may be too small.");
	put_left_out(pen);
	if (e->window_ns < e->wall_ns)
		rsp_pen_say(pen, RSP_SGR_WARNING,
			    "INCOMPLETE: the first %s of the span were not recorded: the recorder "
			    "started later, or the window (WindowSize=) is too small.",
			    rsp_format_ns(e->wall_ns - e->window_ns, window, sizeof(window)));
}

static void put_legend(const struct rsp_pen *pen)
{
	if (pen->said_inferred)
		rsp_pen_say(pen, "",
			    "(inferred): concluded, not measured: the function of a run that was "
			    "too short to be sampled, or the thread that a poll waited for.");
	if (pen->said_unknown)
		rsp_pen_say(pen, "", "(unknown): measured, but the records do not say why.");
	if (pen->said_at_least)
		rsp_pen_say(pen, "", "(at least): it began before the window or went on after it.");
}

static const char *view_of(const struct rsp_finding *answer)
{
	static const struct {
		const char *kind, *view;
	} views[] = {
		{"disk", "io"},
		{"sync", "io"},
		{"network", "net"},
		{"slow_remote", "net"},
		{"serial_round_trips", "net"},
		{"lock_convoy", "locks"},
		{"hardware", "irq"},
	};

	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		if (strcmp(answer->kind, views[i].kind) == 0)
			return views[i].view;
	return "chains";
}

/*
 * Writes a note about a command, and ends its line. used: number of columns that the command takes.
 * The command is not wrapped, because users paste it. If the note does not fit, it gets a line of
 * its own.
 */
static void put_note(const struct rsp_pen *pen, size_t used, const char *note)
{
	bool fits = !pen->opt->width || used + strlen("   ") + strlen(note) <= pen->width;

	fprintf(pen->out, "%s%s\n", fits ? "   " : "\n        ", note);
}

static void put_next(const struct rsp_pen *pen, enum rsp_view view,
		     const struct rsp_findings *findings)
{
	const struct rsp_meta *meta = pen->e->meta;
	const char *selection = pen->opt->selection ? pen->opt->selection : "";
	char name[RSP_FORMAT_NAME_BYTES(COMMAND_COLS)], process[sizeof(name)];
	int len;

	fputs("\nNext: ", pen->out);
	if (pen->opt->source) {
		rsp_format_name(pen->opt->source, COMMAND_COLS, name, sizeof(name));
		rsp_format_name(selection, COMMAND_COLS, process, sizeof(process));
		fprintf(pen->out, "rspctl report %s%s --view %s\n", name, process,
			view == RSP_VIEW_EXPLAIN  ? view_of(&findings->v[0])
			: view == RSP_VIEW_CHAINS ? "table"
						  : "chains");
		if (view == RSP_VIEW_EXPLAIN && pen->e->requests.cnt)
			fprintf(pen->out, "      rspctl requests %s --pid %u\n", name,
				meta->target_pid);
		fprintf(pen->out, "      rspctl html %s%s -o page.html", name, process);
		put_note(pen,
			 strlen("      rspctl html  -o page.html") + rsp_format_columns(name) +
				 rsp_format_columns(process),
			 "(pictures, for a browser)");
	} else if (*meta->command) {
		rsp_format_name(meta->command, COMMAND_COLS, name, sizeof(name));
		fprintf(pen->out, "rspctl run -o FILE -- %s", name);
		put_note(pen, strlen("Next: rspctl run -o FILE -- ") + rsp_format_columns(name),
			 "(keeps the recording)");
	} else {
		len = fprintf(pen->out, "rspctl snapshot --pid %u -o FILE", meta->target_pid);
		put_note(pen, strlen("Next: ") + (size_t)len, "(keeps the recording)");
	}
}

static int put_view(struct rsp_pen *pen, enum rsp_view view, const struct rsp_findings *findings)
{
	switch (view) {
	case RSP_VIEW_EXPLAIN:
		put_beside(pen);
		put_other_findings(pen, findings);
		rsp_put_table(pen);
		return rsp_put_chains(pen);
	case RSP_VIEW_TABLE:
		rsp_put_table(pen);
		return rsp_put_processes(pen);
	case RSP_VIEW_CHAINS:
		return rsp_put_chains(pen);
	case RSP_VIEW_PATHS:
		return rsp_put_paths(pen);
	case RSP_VIEW_IO:
	case RSP_VIEW_NET:
	case RSP_VIEW_LOCKS:
	case RSP_VIEW_IRQ:
	case RSP_VIEW_EDGES:
		return rsp_put_survey(pen, view);
	case RSP_VIEW_MARKS:
		return rsp_put_marks(pen);
	}
	return -EINVAL;
}

int rsp_report_text(const struct rsp_explanation *e, enum rsp_view view,
		    const struct rsp_report_options *opt, FILE *out)
{
	_cleanup_(rsp_findings_done) struct rsp_findings findings = {0};
	unsigned int width = opt->width ? opt->width : WIDTH_DEFAULT;
	struct rsp_pen pen = {
		.out = out,
		.e = e,
		.opt = opt,
		.width = width < WIDTH_MIN ? WIDTH_MIN : width,
		.full = view == RSP_VIEW_CHAINS,
	};
	int r;

	r = rsp_findings_make(e, &findings);
	if (r < 0)
		return r;
	r = put_answer(&pen, &findings);
	if (r == 0)
		r = put_view(&pen, view, &findings);
	if (r < 0)
		return r;
	put_idle(&pen, &findings);
	put_coverage(&pen);
	put_legend(&pen);
	put_next(&pen, view, &findings);
	errno = 0;
	if (fflush(out) != 0 || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
