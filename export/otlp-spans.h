/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a snapshot to spans: its control paths (docs/model.md) as lines of OTLP's JSON. Records
 * may be hostile, so a separate program, rsp-spans, reads the snapshot in a sandbox with limits on
 * memory, CPU time and output.
 */
#ifndef RSP_EXPORT_OTLP_SPANS_H
#define RSP_EXPORT_OTLP_SPANS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * RSP_SPANS_EVENTS_BYTES: rsp-spans reads only the newest records, up to this size.
 * RSP_SPANS_MEMORY: limit of the address space of rsp-spans. The service needs this memory in
 * addition to its own.
 */
#define RSP_SPANS_EVENTS_BYTES (32UL << 20)
#define RSP_SPANS_MEMORY       (768UL << 20)
#define RSP_SPANS_FILE_BYTES   (64UL << 20)
#define RSP_SPANS_CPU_S	       60
/* Maximum length of a line in bytes. A line contains up to 256 spans. */
#define RSP_SPANS_LINE_BYTES   (4UL << 20)

/*
 * Runs rsp-spans. program: its path. snapshot: a file descriptor at any offset. stop: called twice
 * a second, or NULL; if it returns true, the function kills rsp-spans. *ret: a file descriptor with
 * the lines, at offset 0, which the caller closes. Returns 0; -EBADMSG if the snapshot cannot be
 * explained within the limits; -ECANCELED after stop() returned true; another -errno.
 */
int rsp_otlp_spans(const char *program, int snapshot, bool (*stop)(void *userdata), void *userdata,
		   int *ret);

#endif
