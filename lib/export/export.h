/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A snapshot -> a file for another program: docs/exports.md. Files are written front to back, and
 * only tables that grow with the number of different things are kept in memory. All texts in them
 * are valid UTF-8.
 */
#ifndef RSP_LIB_EXPORT_H
#define RSP_LIB_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/trace/trace.h"

enum rsp_export_format {
	RSP_EXPORT_NONE,
	RSP_EXPORT_PPROF,
	RSP_EXPORT_PERFETTO,
	RSP_EXPORT_CHROME,
	RSP_EXPORT_FIREFOX,
	RSP_EXPORT_OTLP,
	RSP_EXPORT_JSON,
};

#define RSP_EXPORT_NAMES "pprof, perfetto, chrome, firefox, otlp, json"

int rsp_export_parse(const char *name, enum rsp_export_format *ret); /* -EINVAL */

struct rsp_export;

/*
 * Reads the records and explains the process of interest. only_target: the file is to contain
 * nothing but that process, as far as the format allows. snap and trace must outlive it. 0;
 * -ESRCH: only_target, and the process does not occur; -ENOMEM.
 */
int rsp_export_new(struct rsp_snapshot *snap, const struct rsp_trace *trace, bool only_target,
		   struct rsp_export **ret);
struct rsp_export *rsp_export_free(struct rsp_export *x);

/* 0 or -errno. After an error, the file may be cut short. */
int rsp_export_write(struct rsp_export *x, enum rsp_export_format format, FILE *out);

/*
 * Sentences without a full stop about what is missing from the file: lost records, other users'
 * names. Files contain them, too. Returns how many.
 */
size_t rsp_export_notes(const struct rsp_export *x, const char *const **ret);

#endif
