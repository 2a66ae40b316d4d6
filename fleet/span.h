/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times from the command line -> spans in seconds since 1970, and their texts. */
#ifndef RSP_FLEET_SPAN_H
#define RSP_FLEET_SPAN_H

#include "fleet/fleet.h"

/*
 * Makes the span of --since, --until and --last. The default is the last hour. Returns an enum
 * rsp_exit.
 */
int rsp_fleet_span_of(const struct rsp_fleet_options *opt, struct rsp_fleet_span *ret);
/*
 * Makes the spans of --before and --after. Each option is a span, "T..T", or a moment. If --before
 * is a moment, its span ends there. If --after is a moment, its span begins there. Such a span has
 * the length of --last, but ends now at the latest. Returns an enum rsp_exit.
 */
int rsp_fleet_spans_around(const struct rsp_fleet_options *opt, struct rsp_fleet_span *ret_before,
			   struct rsp_fleet_span *ret_after);

/* "Fri 2026-11-27 14:00:00 UTC to 15:00:00 UTC" */
#define RSP_FLEET_SPAN_TEXT_MAX 160
char *rsp_fleet_span_text(const struct rsp_fleet_span *span,
			  char buf[static RSP_FLEET_SPAN_TEXT_MAX]);

#endif
