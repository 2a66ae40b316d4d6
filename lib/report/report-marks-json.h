/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds the marks and counters of a recording to a report as JSON. */
#ifndef RSP_LIB_REPORT_MARKS_JSON_H
#define RSP_LIB_REPORT_MARKS_JSON_H

#include "lib/report/report.h"

struct json_object;

/*
 * Adds the members "marks" (all marks of the recording) and "counters" (the readings of
 * rsp_report_readings()). Leaves out an empty member. Returns 0 or -errno.
 */
int rsp_json_add_marks(struct json_object *o, const struct rsp_explanation *e);

#endif
