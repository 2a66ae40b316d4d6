/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts the control paths (docs/model.md) of a snapshot to spans. Records may be hostile, so a
 * separate program, rsp-spans, reads the snapshot in a sandbox.
 */
#ifndef RSP_EXPORT_OTLP_SPANS_H
#define RSP_EXPORT_OTLP_SPANS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * rsp-spans reads only the newest records, up to RSP_SPANS_EVENTS_BYTES. RSP_SPANS_MEMORY limits
 * its address space.
 */
#define RSP_SPANS_EVENTS_BYTES (32UL << 20)
#define RSP_SPANS_MEMORY       (768UL << 20)
#define RSP_SPANS_FILE_BYTES   (64UL << 20)
#define RSP_SPANS_CPU_S	       60
/* A line contains up to 256 spans. */
#define RSP_SPANS_LINE_BYTES   (4UL << 20)

/*
 * program: path of rsp-spans. snapshot: a file descriptor at any offset. stop: called twice a
 * second, or NULL; if it returns true, the function kills rsp-spans. *ret: a file descriptor with
 * the lines, at offset 0, which the caller closes. Returns 0; -EBADMSG: the snapshot cannot be
 * explained within the limits; -ECANCELED after stop() returned true; another -errno.
 */
int rsp_otlp_spans(const char *program, int snapshot, bool (*stop)(void *userdata), void *userdata,
		   int *ret);

#endif
