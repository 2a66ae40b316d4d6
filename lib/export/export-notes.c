/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the notes of a file: sentences about data that is missing from it. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "lib/export/export-parts.h"
#include "lib/report/report.h"

static int __attribute__((format(printf, 2, 3))) note(struct rsp_export *x, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (x->note_cnt == RSP_EXPORT_NOTES_MAX)
		return 0;
	x->notes[x->note_cnt] = rsp_export_text(x, text);
	return *x->notes[x->note_cnt++] ? 0 : -ENOMEM;
}

static bool has_spans(const struct rsp_model *m)
{
	for (size_t i = 0; i < m->threads.cnt; i++)
		if (m->threads.v[i].tid && m->threads.v[i].spans.cnt)
			return true;
	return false;
}

static __u64 lost_in_span(const struct rsp_export *x)
{
	return rsp_trace_lost(x->trace, x->model->since_ns, x->model->until_ns);
}

bool rsp_export_lossy(const struct rsp_export *x)
{
	return lost_in_span(x) || (x->explanation && rsp_report_lossy(x->explanation));
}

static int note_losses(struct rsp_export *x)
{
	char paused[RSP_FORMAT_MAX], asked[RSP_FORMAT_MAX];
	__u64 lost = lost_in_span(x);
	__u64 ns = rsp_gap_within(&x->model->pauses, x->model->since_ns, x->model->until_ns);
	int r = 0;

	if (x->snap->truncated || x->trace->bad_cnt)
		r |= note(x, "the snapshot is damaged or cut short: its usable part is shown");
	if (lost)
		r |= note(x, "%llu records were lost: times and counts may be too small", lost);
	else if (rsp_export_lossy(x))
		r |= note(x, "records were lost: times and counts may be too small");
	if (ns)
		r |= note(x, "recording was paused for %s of %s, and what happened then is missing",
			  rsp_format_ns(ns, paused, sizeof(paused)),
			  rsp_format_ns(x->model->until_ns - x->model->since_ns, asked,
					sizeof(asked)));
	if (x->snap->left_out_cnt)
		r |= note(x, "the oldest %llu records are left out, to bound memory",
			  (unsigned long long)x->snap->left_out_cnt);
	return r;
}

int rsp_export_take_notes(struct rsp_export *x)
{
	int r = note_losses(x);

	if (x->snap->meta.redacted)
		r |= note(x, "names, stacks and files of other users' processes are withheld");
	if (!has_spans(x->model))
		r |= note(x, "the snapshot contains no scheduling records");
	else if (!x->explanation)
		r |= note(x, "the process of interest, %u, does not occur in the snapshot",
			  x->snap->meta.target_pid);
	return r ? -ENOMEM : 0;
}
