/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a snapshot to a file for another program, see docs/exports.md. Files are written from
 * front to back. Besides the model, memory holds only tables of the different threads, stacks and
 * texts. The Perfetto format also needs a list of all runs. All texts in files are valid UTF-8.
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

/* Finds a format by its name. Returns 0, or -EINVAL if no format has that name. */
int rsp_export_parse(const char *name, enum rsp_export_format *ret);

struct rsp_export;

/*
 * Reads the records and explains the process of interest. only_target: the file contains only the
 * threads of that process, as far as the format allows. snap and trace must outlive the export.
 * Returns 0, -ENOMEM, or -ESRCH if only_target is set and the process does not occur.
 */
int rsp_export_new(struct rsp_snapshot *snap, const struct rsp_trace *trace, bool only_target,
		   struct rsp_export **ret);
struct rsp_export *rsp_export_free(struct rsp_export *x);

/*
 * Writes the file. Returns 0 or -errno: -ESRCH if the format is RSP_EXPORT_JSON and the process of
 * interest does not occur. After an error, the file may be incomplete.
 */
int rsp_export_write(struct rsp_export *x, enum rsp_export_format format, FILE *out);

/*
 * Returns the number of notes, and sets *ret to them. A note describes data that is missing from
 * the file, such as lost records or withheld names. A note is a sentence without a full stop. Files
 * contain the same notes.
 */
size_t rsp_export_notes(const struct rsp_export *x, const char *const **ret);
/*
 * Returns whether records were lost, either within the span or others that its explanation needs.
 */
bool rsp_export_lossy(const struct rsp_export *x);

#endif
