/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rsp-spans: a child of rsp-export. Explains the snapshot on its standard input, and writes the
 * control paths as lines of OTLP's JSON to its standard output. Records may be hostile, so
 * rsp-spans works in a sandbox, without rsp-export's secrets.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "export/otlp-spans.h"
#include "lib/export/export.h"
#include "lib/sandbox/sandbox.h"
#include "lib/snapshot/snapshot.h"
#include "lib/trace/trace.h"

/* The process ends after this function, so it does not free memory. */
static int write_spans(int snapshot, FILE *out)
{
	struct rsp_snapshot *snap = NULL;
	struct rsp_trace *trace = NULL;
	struct rsp_export *x = NULL;
	int r = rsp_snapshot_open_recent_fd(snapshot, RSP_SPANS_EVENTS_BYTES, &snap);

	if (r == 0)
		r = rsp_trace_new(snap, &trace);
	if (r == 0)
		r = rsp_export_new(snap, trace, false, &x);
	if (r == 0)
		r = rsp_export_write(x, RSP_EXPORT_OTLP, out);
	if (fflush(out) != 0 && r == 0)
		r = -errno;
	return r;
}

int main(int argc, char **argv)
{
	int r;

	if (argc != 1 || isatty(STDOUT_FILENO)) {
		fputs("rsp-spans: rsp-export starts this; see rspctl export\n", stderr);
		return 2;
	}
	rsp_sandbox_limit_cpu(RSP_SPANS_CPU_S);
	r = rsp_sandbox_enter(RSP_SPANS_MEMORY, RSP_SPANS_FILE_BYTES, NULL, NULL);
	if (r == 0)
		r = write_spans(STDIN_FILENO, stdout);
	/* Skips exit handlers, because the sandbox may forbid their system calls. */
	_exit(r < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}
