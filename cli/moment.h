/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts moments of a recording, in these forms, to CLOCK_MONOTONIC:
 *   "5s", "+5s"                        5 s after the beginning of the span
 *   "-5s"                              5 s before the end of the span
 *   "10:42:00", "2026-11-21 10:42"     a time in the local time zone; without a date, it is on the
 *                                      day on which the span begins
 *   "deploy 42"                        the time of the mark with this text; a prefix of the text
 *                                      is enough if only one mark has this prefix
 */
#ifndef RSP_CLI_MOMENT_H
#define RSP_CLI_MOMENT_H

#include "lib/trace/trace.h"

/*
 * A part of a recording, in CLOCK_MONOTONIC. If to_ns is 0, the part is the whole span of the
 * recording.
 */
struct rsp_stretch {
	uint64_t from_ns, to_ns;
};

/*
 * An empty text means the beginning or the end of the span. name: of the recording, for messages.
 * Returns an enum rsp_exit, and reports errors.
 */
int rsp_stretch_find(const struct rsp_trace *trace, const char *from, const char *to,
		     const char *name, struct rsp_stretch *ret);

#endif
