/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the exact text of each view of a constant survey. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/report-text.h"
#include "tests/unit/survey.h"

static void expect_survey(const char *want, const struct rsp_survey *survey, enum rsp_view view,
			  unsigned int width, size_t max)
{
	const struct rsp_report_options opt = {.width = width, .chain_max = max};
	struct rsp_explanation e = build;
	char *text, *rest, *end;

	e.survey = *survey;
	text = text_of(&e, view, &opt);
	/*
	 * Compares only the text between the first paragraph and the coverage: their number of
	 * lines depends on the width.
	 */
	rest = strstr(text, "\n\n");
	assert_non_null(rest);
	end = strstr(rest, "\nCoverage: ");
	assert_non_null(end);
	*end = '\0';
	assert_string_equal(rest + 1, want);
	free(text);
}

#define WAITED                                                                                     \
	"\n"                                                                                       \
	"waited: by make [1234], itself or through those it waited for; in all: by anyone\n"
#define STARS "*: of the process itself\n"

static void survey_views_are_exact(void **state)
{
	expect_survey(
		"\n"
		"Disk requests on the whole machine within 3.70 s\n"
		"\n"
		"   waited   in all  requests     bytes  at disk   queued  longest  op     disk  program     file\n"
		"  20.0 ms  31.0 ms        12  48.0 KiB  30.0 ms  2.00 ms  9.00 ms  write  vda   mysqld      /srv/db/a?b\n"
		"        –        –         1   4.0 KiB  1.00 ms        –  1.00 ms  write  vda   jbd2/vda-8  (metadata)\n"
		"        –        –         1         –        –        –        –  flush  vdb   ?           –\n" WAITED,
		&full_survey, RSP_VIEW_IO, 160, 0);
	expect_survey(
		"\n"
		"Conversations over tcp and udp on the whole machine within 3.70 s\n"
		"\n"
		"   waited   in all  waits  longest  trips     mean  sends     sent  task                via  peer\n"
		"  5.00 ms  6.00 ms      3  4.00 ms      2  3.00 ms      2  2.0 KiB  make [1234/1235] *  tcp  10.0.0.1:80\n"
		"        –  1.00 ms      1  1.00 ms      –        –      1    100 B  nginx [77]          tcp  curl 10.0.0.9:* to :443\n"
		"        –        –      –        –      –        –      –        –  ? [78]                   ?\n" WAITED
			STARS,
		&full_survey, RSP_VIEW_NET, 160, 0);
	expect_survey(
		"\n"
		"Locks (futexes) that were waited for on the whole machine within 3.70 s\n"
		"\n"
		"   waited   in all  waits  longest  waiters  wakers  address     process        woken mostly by\n"
		"  16.0 ms  8.00 ms      9  2.00 ms        3       2  0x7f00dead  make [1234] *  make [1235]\n"
		"        –  1.00 ms      1  1.00 ms        1       –  0x10        nginx [77]     –\n" WAITED
			STARS,
		&full_survey, RSP_VIEW_LOCKS, 0, 0);
	expect_survey("\n"
		      "Interrupts on the whole machine within 3.70 s\n"
		      "\n"
		      "  its own     took  times  longest  wakeups  interrupt\n"
		      "  2.00 ms  3.00 ms     40   500 µs       39  virtio1-req.0\n"
		      "        –  1.00 ms      7   250 µs        –  softirq RCU\n"
		      "\n"
		      "its own: the time that they took from the runs of make [1234]\n",
		      &full_survey, RSP_VIEW_IRQ, 0, 0);
	expect_survey("\n"
		      "Wakeups on the whole machine within 3.70 s\n"
		      "\n"
		      "   waited   in all  waits ended  wakeups  by way of  waker  wakee\n"
		      "  16.0 ms  8.00 ms            4        5  task       cc1    make *\n"
		      "        –  1.00 ms            2        2  disk       vda    jbd2/vda-8\n"
		      "  … and 1 more\n" WAITED STARS,
		      &full_survey, RSP_VIEW_EDGES, 0, 2);
}

/* A narrow terminal shows fewer counts, so that ports of peers and process IDs are not cut. */
static void narrow_tables_keep_names(void **state)
{
	expect_survey("\n"
		      "Disk requests on the whole machine within 3.70 s\n"
		      "\n"
		      "   waited  requests  at disk   queued  op     program  file\n"
		      "  20.0 ms        12  30.0 ms  2.00 ms  write  mysqld   /srv/db/a?b\n"
		      "  … and 2 more\n"
		      "\n"
		      "waited: by make [1234], itself or through those it waited\n"
		      "  for\n",
		      &full_survey, RSP_VIEW_IO, 60, 1);
	expect_survey("\n"
		      "Conversations over tcp and udp on the whole machine within 3.70 s\n"
		      "\n"
		      "   waited  trips     mean  task                peer\n"
		      "  5.00 ms      2  3.00 ms  make [1234/1235] *  10.0.0.1:80\n"
		      "        –      –        –  nginx [77]          curl 10.0.0.9:* to :443\n"
		      "  … and 1 more\n"
		      "\n"
		      "waited: by make [1234], itself or through those it waited for\n" STARS,
		      &full_survey, RSP_VIEW_NET, 75, 2);
}

static void empty_tables_say_so(void **state)
{
	static const struct rsp_survey nothing;

	expect_survey("\nNo disk request was seen.\n", &nothing, RSP_VIEW_IO, 0, 0);
	expect_survey("\nNothing was sent or waited for over tcp or udp.\n", &nothing, RSP_VIEW_NET,
		      0, 0);
	expect_survey("\nNo lock was waited for.\n", &nothing, RSP_VIEW_LOCKS, 0, 0);
	expect_survey("\nNo interrupt was seen.\n", &nothing, RSP_VIEW_IRQ, 0, 0);
	expect_survey("\nNobody was woken.\n", &nothing, RSP_VIEW_EDGES, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(survey_views_are_exact),
		cmocka_unit_test(narrow_tables_keep_names),
		cmocka_unit_test(empty_tables_say_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
