/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An explanation -> text for a person or JSON for a program. The same explanation always gives the
 * same bytes.
 */
#ifndef RSP_LIB_REPORT_H
#define RSP_LIB_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/format.h"
#include "lib/model/explain/explain.h"

/* --- findings --------------------------------------------------------------------------------- */

#define RSP_EVIDENCE_MAX 3

/* One occurrence of a finding, which can be looked up in the records. */
struct rsp_evidence {
	__u64 at_ns, ns;	   /* beginning and length */
	const struct rsp_hop *hop; /* the task, its state and its stack; borrowed, never NULL */
	char *text;		   /* "lock-1 [12/77] blocked in futex at enqueue ← serve" */
};

struct rsp_finding {
	const char *kind; /* "waits_on", "disk", …: docs/json-report.md lists them; static */
	__u64 ns;	  /* by the clock */
	__u64 thread_ns;  /* sum over the threads */
	__u64 weight_ns;  /* orders the findings */
	bool is_idle;	  /* no task waited for the threads of the finding: it comes last */
	bool inferred;	  /* inferred from measurements, not measured */
	char *text; /* one sentence with numbers and units; valid UTF-8, no control characters */
	struct rsp_evidence evidence[RSP_EVIDENCE_MAX]; /* the weightiest first */
	size_t evidence_cnt;
};

struct rsp_findings {
	struct rsp_finding *v; /* the first is the answer; then most time first */
	size_t cnt;
};

int rsp_findings_make(const struct rsp_explanation *e, struct rsp_findings *ret); /* -ENOMEM */
void rsp_findings_done(struct rsp_findings *f);

/* Returns whether records were lost: the report is correct, but incomplete. */
bool rsp_report_lossy(const struct rsp_explanation *e);

/*
 * Returns how much of the requested span was recorded: its part within the window, minus the pauses
 * of the recorder.
 */
__u64 rsp_report_recorded_ns(const struct rsp_explanation *e);
/* Returns the length of all pauses of the recorder, for its budget and by request. */
__u64 rsp_report_paused_ns(const struct rsp_explanation *e);
/*
 * Returns the time in which the process waited for the recorder's own processes: for a CPU on which
 * they ran, or for their activities. Returns 0 if the process is one of them.
 */
__u64 rsp_report_own_ns(const struct rsp_explanation *e);

/* --- why the snapshot was taken -------------------------------------------------------------- */

/*
 * Returns the limit that was exceeded, and by how much: "SLO checkout: a request took 312 ms, the
 * limit is 250 ms"; "" if a user requested the snapshot. The caller frees *ret. 0 or -ENOMEM.
 */
int rsp_report_trigger(const struct rsp_meta *meta, char **ret);
/*
 * Writes the first sentence of a text report: the answer, preceded by the breach if an SLO
 * triggered the snapshot. It is printable UTF-8 without newline, cut to len. Returns 0 or -ENOMEM.
 */
int rsp_report_headline(const struct rsp_explanation *e, char *buf, size_t len);

/* Makes the same sentence, uncut, from findings that exist already. The caller frees *ret. */
int rsp_headline_make(const struct rsp_explanation *e, const struct rsp_findings *findings,
		      char **ret);

/* --- views ----------------------------------------------------------------------------------- */

enum rsp_view {
	RSP_VIEW_EXPLAIN, /* findings, table, heaviest chains: the default */
	RSP_VIEW_TABLE,
	RSP_VIEW_CHAINS,
	RSP_VIEW_PATHS,
	/* Tables of the survey. */
	RSP_VIEW_IO,
	RSP_VIEW_NET,
	RSP_VIEW_LOCKS,
	RSP_VIEW_IRQ,
	RSP_VIEW_EDGES,
	RSP_VIEW_MARKS, /* marks, and counters of the machine */
};

/* The names of all views, for messages. */
#define RSP_VIEW_NAMES "explain, table, chains, paths, io, net, locks, irq, edges, marks"

int rsp_view_parse(const char *name, enum rsp_view *ret); /* -EINVAL */
/*
 * Returns the details of an explanation (enum rsp_explain_details) that the text of a view needs.
 * JSON needs all of them.
 */
unsigned int rsp_view_details(enum rsp_view view);

/* The comparison of a request that exceeded a limit with typical ones: requests-beside.h. */
struct rsp_beside;

struct rsp_report_options {
	bool colour;
	unsigned int width; /* of the terminal; 0: 100 */
	/* number of chains, or of rows of a survey; 0: the default of the view */
	size_t chain_max;
	/* for "next commands": arguments of rspctl that name the snapshot; NULL: not saved */
	const char *source;
	const struct rsp_beside *beside; /* only for RSP_VIEW_EXPLAIN; NULL: none */
};

/* Writes to out. Returns 0 or -errno of the stream. */
int rsp_report_text(const struct rsp_explanation *e, enum rsp_view view,
		    const struct rsp_report_options *opt, FILE *out);

/*
 * Writes the object of docs/json-report.md. beside: NULL: none. After an error, the output may be
 * incomplete.
 */
int rsp_report_json(const struct rsp_explanation *e, const struct rsp_beside *beside, bool pretty,
		    FILE *out);

#endif
