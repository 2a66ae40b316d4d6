/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks and counters of a recording in a report as JSON. */
#ifndef RSP_LIB_REPORT_MARKS_JSON_H
#define RSP_LIB_REPORT_MARKS_JSON_H

#include "report.h"

struct json_object;

/*
 * Adds "marks", those of the whole recording, and "counters", within the span. Adds neither if the
 * recording has none. 0 or -errno.
 */
int rsp_json_add_marks(struct json_object *o, const struct rsp_explanation *e);

#endif
