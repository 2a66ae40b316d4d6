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

struct rsp_finding {
	const char *kind; /* "waits_on", "disk", …: docs/json-report.md lists them; static */
	__u64 ns;
	char *text; /* one sentence with numbers and units; valid UTF-8, no control characters */
};

struct rsp_findings {
	struct rsp_finding *v; /* most time first; the first is the answer */
	size_t cnt;
};

int rsp_findings_make(const struct rsp_explanation *e, struct rsp_findings *ret); /* -ENOMEM */
void rsp_findings_done(struct rsp_findings *f);

/* Records were lost: what is said holds, but it is less than all. */
bool rsp_report_lossy(const struct rsp_explanation *e);

/* --- views ----------------------------------------------------------------------------------- */

enum rsp_view {
	RSP_VIEW_EXPLAIN, /* findings, table, heaviest chains: the default */
	RSP_VIEW_TABLE,
	RSP_VIEW_CHAINS,
};

int rsp_view_parse(const char *name, enum rsp_view *ret); /* -EINVAL */

struct rsp_report_options {
	bool colour;
	unsigned int width; /* of the terminal; 0: 100 */
	size_t chain_max;   /* how many chains; 0: a default fit for the view */
	const char *source; /* for "next commands": words that mean it to rspctl; NULL: unsaved */
};

/* Writes to out; 0 or -errno of the stream. */
int rsp_report_text(const struct rsp_explanation *e, enum rsp_view view,
		    const struct rsp_report_options *opt, FILE *out);

/* docs/json-report.md. After an error what was written may be cut short. */
int rsp_report_json(const struct rsp_explanation *e, bool pretty, FILE *out);

#endif
