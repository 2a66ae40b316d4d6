/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes an explanation as text for people, or as JSON for programs. The same explanation always
 * gives the same output.
 */
#ifndef RSP_LIB_REPORT_H
#define RSP_LIB_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/format.h"
#include "lib/model/explain/explain.h"

/* --- findings --------------------------------------------------------------------------------- */

#define RSP_EVIDENCE_MAX 3

/* One occurrence of a finding, which a reader can find in the records. */
struct rsp_evidence {
	__u64 at_ns, ns;	   /* beginning and duration */
	const struct rsp_hop *hop; /* the task with its state and stack; borrowed, never NULL */
	char *text;		   /* like "lock-1 [12/77] blocked in futex at enqueue ← serve" */
};

struct rsp_finding {
	const char *kind; /* key like "waits_on" or "disk" (docs/json-report.md); static */
	__u64 ns;	  /* elapsed time of the finding */
	__u64 thread_ns;  /* sum over threads */
	__u64 weight_ns;  /* findings with larger weights come first */
	/* the finding is about idle threads */
	bool is_idle;
	bool inferred; /* concluded from measurements, not measured */
	char *text;    /* one sentence with numbers and units; valid UTF-8, no control characters */
	struct rsp_evidence evidence[RSP_EVIDENCE_MAX]; /* longest first */
	size_t evidence_cnt;
};

struct rsp_findings {
	/* the first is the answer; the rest are sorted by weight, largest first, idle ones last */
	struct rsp_finding *v;
	size_t cnt;
};

int rsp_findings_make(const struct rsp_explanation *e, struct rsp_findings *ret); /* -ENOMEM */
void rsp_findings_done(struct rsp_findings *f);

/* Returns whether records were lost. Times and counts in the report may then be too small. */
bool rsp_report_lossy(const struct rsp_explanation *e);

/*
 * Returns the length of the recorded part of the span: the part within the window, minus the
 * recorder's pauses.
 */
__u64 rsp_report_recorded_ns(const struct rsp_explanation *e);
/*
 * Returns the length of all pauses of the recorder, both to stay within its budget and at the
 * request of a user.
 */
__u64 rsp_report_paused_ns(const struct rsp_explanation *e);
/*
 * Returns how long the process waited for processes of the recorder: for a CPU on which they ran,
 * or for their work. Returns 0 if the process itself belongs to the recorder.
 */
__u64 rsp_report_own_ns(const struct rsp_explanation *e);

/* --- why the snapshot was taken -------------------------------------------------------------- */

/*
 * Sets *ret to a sentence about the exceeded limit, like "SLO checkout: a request took 312 ms, the
 * limit is 250 ms", or to "" if no SLO triggered the snapshot. The caller frees *ret. Returns 0 or
 * -ENOMEM.
 */
int rsp_report_trigger(const struct rsp_meta *meta, char **ret);
/*
 * Writes the first sentence of a text report into buf: the answer. If an SLO triggered the
 * snapshot, the breach comes first. The sentence is printable UTF-8 without a newline, cut to len
 * bytes. Returns 0 or -ENOMEM.
 */
int rsp_report_headline(const struct rsp_explanation *e, char *buf, size_t len);

/*
 * Makes the sentence of rsp_report_headline() from existing findings, without cutting it. The
 * caller frees *ret. Returns 0 or -ENOMEM.
 */
int rsp_headline_make(const struct rsp_explanation *e, const struct rsp_findings *findings,
		      char **ret);

/* --- views ----------------------------------------------------------------------------------- */

enum rsp_view {
	RSP_VIEW_EXPLAIN, /* findings, table and heaviest chains; the default */
	RSP_VIEW_TABLE,
	RSP_VIEW_CHAINS,
	RSP_VIEW_PATHS,
	/* Tables of the survey (docs/model.md). */
	RSP_VIEW_IO,
	RSP_VIEW_NET,
	RSP_VIEW_LOCKS,
	RSP_VIEW_IRQ,
	RSP_VIEW_EDGES,
	RSP_VIEW_MARKS, /* marks, and counters of the machine */
};

/* The names of all views, for error messages. */
#define RSP_VIEW_NAMES "explain, table, chains, paths, io, net, locks, irq, edges, marks"

int rsp_view_parse(const char *name, enum rsp_view *ret); /* -EINVAL */
/*
 * Returns the details of an explanation (enum rsp_explain_details) that the text of a view needs.
 * JSON needs all details.
 */
unsigned int rsp_view_details(enum rsp_view view);

/* A comparison of the request that exceeded a limit with typical requests: requests-beside.h. */
struct rsp_beside;

struct rsp_report_options {
	bool colour;
	unsigned int width; /* columns of the terminal; 0: 100 */
	/* maximum number of chains, or of rows of a survey; 0: the default of the view */
	size_t chain_max;
	/*
	 * for the text "Next: …": the argument of rspctl that names the snapshot (NULL: the
	 * snapshot is not saved), and the options that chose the process, like " --pid 12" (NULL:
	 * none)
	 */
	const char *source, *selection;
	const struct rsp_beside *beside; /* only for RSP_VIEW_EXPLAIN; NULL: no comparison */
};

/* Returns 0 or -errno. */
int rsp_report_text(const struct rsp_explanation *e, enum rsp_view view,
		    const struct rsp_report_options *opt, FILE *out);

/*
 * Writes the JSON object that docs/json-report.md specifies. beside may be NULL. Returns 0 or
 * -errno. After an error, the output may be incomplete.
 */
int rsp_report_json(const struct rsp_explanation *e, const struct rsp_beside *beside, bool pretty,
		    FILE *out);

#endif
