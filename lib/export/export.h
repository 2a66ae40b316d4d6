/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a snapshot to a file for another program (docs/exports.md). Files are written from front
 * to back. All texts in files are valid UTF-8.
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

/* Returns 0, or -EINVAL if there is no format with this name. */
int rsp_export_parse(const char *name, enum rsp_export_format *ret);

struct rsp_export;

/*
 * Makes the model, and explains the process of interest. only_target: the file contains only
 * threads of this process, as far as the format allows. snap and trace must outlive the export.
 * Returns 0, -ENOMEM, or -ESRCH: only_target is set, and the snapshot does not contain the process.
 */
int rsp_export_new(struct rsp_snapshot *snap, const struct rsp_trace *trace, bool only_target,
		   struct rsp_export **ret);
struct rsp_export *rsp_export_free(struct rsp_export *x);

/*
 * Returns 0 or -errno. -ESRCH: the format is RSP_EXPORT_JSON, and the snapshot does not contain the
 * process of interest. After an error, the file may be incomplete.
 */
int rsp_export_write(struct rsp_export *x, enum rsp_export_format format, FILE *out);

/*
 * Returns the number of notes, and sets *ret to them. A note is a sentence, without a full stop,
 * about data that is missing from the file. The file contains the same notes.
 */
size_t rsp_export_notes(const struct rsp_export *x, const char *const **ret);
/* Returns whether records that the file or the explanation needs were lost. */
bool rsp_export_lossy(const struct rsp_export *x);

#endif
