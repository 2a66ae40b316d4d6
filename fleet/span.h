/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts times on the command line to spans, in seconds since 1970, and spans to text. */
#ifndef RSP_FLEET_SPAN_H
#define RSP_FLEET_SPAN_H

#include "fleet/fleet.h"

/* The default is the last hour. Reports errors. Returns an enum rsp_exit. */
int rsp_fleet_span_of(const struct rsp_fleet_options *opt, struct rsp_fleet_span *ret);
/*
 * Each option is a span ("T..T") or a moment. A moment of --before is the end of its span, and a
 * moment of --after is the beginning of its span. The length of both spans is --last, but the span
 * of --after ends now at the latest. Reports errors. Returns an enum rsp_exit.
 */
int rsp_fleet_spans_around(const struct rsp_fleet_options *opt, struct rsp_fleet_span *ret_before,
			   struct rsp_fleet_span *ret_after);

/* Writes a text like "Fri 2026-11-27 14:00:00 UTC to 15:00:00 UTC". Returns buf. */
#define RSP_FLEET_SPAN_TEXT_MAX 160
char *rsp_fleet_span_text(const struct rsp_fleet_span *span,
			  char buf[static RSP_FLEET_SPAN_TEXT_MAX]);

#endif
