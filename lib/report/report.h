/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An explanation -> text for a person or JSON for a program. Pure: the same explanation gives the
 * same bytes.
 */
#ifndef RSP_LIB_REPORT_H
#define RSP_LIB_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/model/explain.h"
#include "lib/base/format.h"

/* --- findings: what a performance engineer would say ---------------------------------------- */

#define RSP_EVIDENCE_MAX 3

/* One time that what a finding says was seen: to be looked up in the records. */
struct rsp_evidence {
	__u64 at_ns, ns;	   /* when it began, how long it took */
	const struct rsp_hop *hop; /* the task, what it was in, its stack; borrowed, never NULL */
	char *text;		   /* "lock-1 [12/77] blocked in futex at enqueue ← serve" */
};

struct rsp_finding {
	const char *kind; /* "waits_on", "disk", …: docs/json-report.md lists them; static */
	__u64 ns;	  /* by the clock */
	__u64 thread_ns;  /* the sum over the threads that spent it so */
	__u64 weight_ns;  /* orders the findings */
	bool is_idle;	  /* nobody waited for the threads that it is about: it comes last */
	bool inferred;	  /* a conclusion from what was measured, not itself measured */
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

/* Records were lost: what is said holds, but it is less than all. */
bool rsp_report_lossy(const struct rsp_explanation *e);

/*
 * Returns how much of the requested span was recorded: its part within the window, minus the pauses
 * of the recorder.
 */
__u64 rsp_report_recorded_ns(const struct rsp_explanation *e);
/* How long the process waited for the recorder's own processes: for a CPU that they had, or for
 * what they did. 0 if it is one of them. */
__u64 rsp_report_own_ns(const struct rsp_explanation *e);

/* --- why the snapshot was taken -------------------------------------------------------------- */

/*
 * "SLO checkout: a request took 312 ms, the limit is 250 ms": which limit was passed, by how much.
 * "" of a snapshot that somebody asked for. *ret is the caller's (free). 0 or -ENOMEM.
 */
int rsp_report_trigger(const struct rsp_meta *meta, char **ret);
/*
 * The first sentence of a text report: the answer, after what passed which limit, if that is why
 * the snapshot was taken. Printable UTF-8 without newline; cut to len. 0 or -ENOMEM.
 */
int rsp_report_headline(const struct rsp_explanation *e, char *buf, size_t len);

/* The same, whole, where findings are made already; *ret is the caller's (free). */
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
	RSP_VIEW_MARKS, /* and counters of the machine */
};

/* All that can be asked for, as a person reads it. */
#define RSP_VIEW_NAMES "explain, table, chains, paths, io, net, locks, irq, edges, marks"

int rsp_view_parse(const char *name, enum rsp_view *ret); /* -EINVAL */
/*
 * Returns the details of an explanation (enum rsp_explain_details) that the text of a view needs.
 * JSON needs all of them.
 */
unsigned int rsp_view_details(enum rsp_view view);

/* The request that passed a limit, beside typical ones: requests-beside.h. */
struct rsp_beside;

struct rsp_report_options {
	bool colour;
	unsigned int width; /* of the terminal; 0: 100 */
	size_t chain_max;   /* how many chains, or rows of a survey; 0: what fits the view */
	const char *source; /* for "next commands": words that mean it to rspctl; NULL: unsaved */
	const struct rsp_beside *beside; /* of RSP_VIEW_EXPLAIN; NULL: none */
};

/* Writes to out; 0 or -errno of the stream. */
int rsp_report_text(const struct rsp_explanation *e, enum rsp_view view,
		    const struct rsp_report_options *opt, FILE *out);

/* docs/json-report.md. beside: NULL: none. After an error what was written may be cut short. */
int rsp_report_json(const struct rsp_explanation *e, const struct rsp_beside *beside, bool pretty,
		    FILE *out);

#endif
