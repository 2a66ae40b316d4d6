/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A snapshot -> its control paths as spans, by lib/export, as lines of OTLP's JSON. Records may be
 * hostile, so another program reads them in a sandbox (rsp-spans), with limits on memory, CPU time
 * and output.
 */
#ifndef RSP_EXPORT_OTLP_SPANS_H
#define RSP_EXPORT_OTLP_SPANS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The newest records, up to this size, are explained. RSP_SPANS_MEMORY limits the child's address
 * space: the service needs this memory in addition to its own.
 */
#define RSP_SPANS_EVENTS_BYTES (32UL << 20)
#define RSP_SPANS_MEMORY       (768UL << 20)
#define RSP_SPANS_FILE_BYTES   (64UL << 20)
#define RSP_SPANS_CPU_S	       60
/* The longest line; a line has up to 256 spans. */
#define RSP_SPANS_LINE_BYTES   (4UL << 20)

/*
 * program: path of rsp-spans. snapshot: may be at any offset. stop: called twice a second, NULL:
 * not needed; if it returns true, the child is killed. ret: a file with the lines, at its
 * beginning; the caller closes it. Returns 0; -EBADMSG: the snapshot cannot be explained within the
 * limits; -ECANCELED; or -errno.
 */
int rsp_otlp_spans(const char *program, int snapshot, bool (*stop)(void *userdata), void *userdata,
		   int *ret);

#endif
