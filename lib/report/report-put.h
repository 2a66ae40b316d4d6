/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes names and durations in sentences. */
#ifndef RSP_LIB_REPORT_PUT_H
#define RSP_LIB_REPORT_PUT_H

#include <stdio.h>

#include "lib/base/format.h"

#define RSP_PUT_NAME_COLS 48

/* Writes a name, cleaned and shortened, or "?" for an empty name. */
static inline void rsp_put_name(FILE *f, const char *name)
{
	char buf[RSP_FORMAT_NAME_BYTES(RSP_PUT_NAME_COLS)];

	fputs(*name ? rsp_format_name(name, RSP_PUT_NAME_COLS, buf, sizeof(buf)) : "?", f);
}

static inline void rsp_put_duration(FILE *f, __u64 ns)
{
	char buf[RSP_FORMAT_MAX];

	fputs(rsp_format_ns(ns, buf, sizeof(buf)), f);
}

#endif
