/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the first sentence of a report: the answer. If an SLO triggered the snapshot, its breach
 * comes first.
 */
#include "lib/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings.h"

int rsp_headline_make(const struct rsp_explanation *e, const struct rsp_findings *findings,
		      char **ret)
{
	_cleanup_free_ char *trigger = NULL;
	int r = rsp_report_trigger(e->meta, &trigger);

	if (r < 0)
		return r;
	return asprintf(ret, "%s%s%s", trigger, *trigger ? ": " : "", findings->v[0].text) < 0
		       ? -ENOMEM
		       : 0;
}

/* Copies text to buf. If text is too long, cuts it after a complete character and appends "…". */
static void copy_cut(const char *text, char *buf, size_t len)
{
	static const char cut[] = "…";
	size_t n = strlen(text);

	if (n < len) {
		memcpy(buf, text, n + 1);
		return;
	}
	if (len < sizeof(cut)) {
		memset(buf, 0, len);
		return;
	}
	n = len - sizeof(cut);
	while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	memcpy(buf, text, n);
	memcpy(buf + n, cut, sizeof(cut));
}

int rsp_report_headline(const struct rsp_explanation *e, char *buf, size_t len)
{
	_cleanup_(rsp_findings_done) struct rsp_findings findings = {0};
	_cleanup_free_ char *text = NULL;
	int r = rsp_findings_make(e, &findings);

	if (r == 0)
		r = rsp_headline_make(e, &findings, &text);
	if (r < 0)
		return r;
	copy_cut(text, buf, len);
	return 0;
}
