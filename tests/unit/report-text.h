/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the text of a view of a report. ANSWER and COVERAGE are lines of all views of the
 * explanation in explanation.h.
 */
#ifndef RSP_TESTS_UNIT_REPORT_TEXT_H
#define RSP_TESTS_UNIT_REPORT_TEXT_H

#include "lib/report/report.h"

#define ANSWER                                                                                            \
	"make waited 3.01 s (81 % of 3.70 s) in wait4 at reap_children for cc1 (2 processes), by way of " \
	"sh (38 tasks) at waitforjob; cc1 were computing (6 samples: _cpp_lex_direct 100 % ± 12 %).\n"
#define COVERAGE "\nCoverage: 123456 events, 0 lost; recorded 3.70 s of the 3.70 s asked for.\n"

static inline char *text_of(const struct rsp_explanation *e, enum rsp_view view,
			    const struct rsp_report_options *opt)
{
	static char *text; /* static, because gcc would otherwise warn about a dangling pointer */
	static size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	assert_int_equal(rsp_report_text(e, view, opt, f), 0);
	assert_int_equal(fclose(f), 0);
	return text;
}

#endif
