/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the exact text of each view of a constant explanation. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/report/report.h"
#include "tests/unit/report-text.h"
#include "tests/unit/survey.h"

/* Replaces each "{KEY}" in want by the text of the category with this key. */
static char *expand(const char *want)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	while (*want) {
		size_t key_len = *want == '{' ? strcspn(want + 1, "}") : 0;

		for (enum rsp_category cat = 0; key_len > 0 && cat < RSP_CAT_MAX; cat++) {
			const char *key = rsp_category_key(cat);

			if (strlen(key) == key_len && strncmp(key, want + 1, key_len) == 0)
				fputs(rsp_category_text(cat), f);
		}
		if (key_len == 0)
			fputc(*want, f);
		want += key_len ? key_len + 2 : 1;
	}
	assert_int_equal(fclose(f), 0);
	return text;
}

static void expect_view(const struct rsp_explanation *e, enum rsp_view view,
			const struct rsp_report_options *opt, const char *want)
{
	char *text = text_of(e, view, opt), *expanded = expand(want);

	assert_string_equal(text, expanded);
	free(text);
	free(expanded);
}

#define TABLE                                                                                      \
	"\n"                                                                                       \
	"Where the time of make [1234] went: 3.71 s in 2 threads, 3.70 s elapsed; 1 more "         \
	"slept throughout\n"                                                                       \
	"\n"                                                                                       \
	"      2.90 s   78.1 %  running, sampled      {running_sampled}\n"                         \
	"      110 ms    3.0 %  running, not sampled  {running_unsampled} (inferred)\n"            \
	"      400 ms   10.8 %  disk I/O              {disk_active}\n"                             \
	"      290 ms    7.8 %  run queue             {runqueue}\n"                                \
	"     11.7 ms    0.3 %  window edge           {edge}\n"                                    \
	"           –    0.0 %  unaccounted           {unaccounted}\n"                           \
	"      3.71 s  100.0 %  total                 99.7 % of it accounted for\n"
#define INFERRED                                                                                   \
	"(inferred): concluded, not measured: the function of a run that was too short to be "     \
	"sampled, or the thread that a poll waited for.\n"
#define AT_LEAST "(at least): it began before the window or went on after it.\n"

static void explain_view_is_exact(void **state)
{
	static const char want[] = ANSWER
		"\n"
		"Also\n"
		"  - make spent 400 ms (11 % of 3.70 s) waiting for the disk, through cc1; on: "
		"/usr/include/stdio.h.\n"
		"      longest 25.0 ms at +1.203 s: cc1 [1240] waiting for the disk in read: "
		"/usr/include/stdio.h at _cpp_lex_direct ← cpp_get_token\n"
		"  - make spent 290 ms (7.8 % of 3.70 s) waiting for a CPU; behind: stress.\n" TABLE
		"\n"
		"Heaviest chains (4 of 4)\n"
		"\n"
		"  1   3.01 s     81 %  76 times\n"
		"    make [1234] blocked in wait4\n"
		"        at reap_children ← new_job ← main (make)\n"
		"    └ sh [1236] ×38 tasks blocked in wait4\n"
		"          at waitforjob (dash)\n"
		"      └ cc1 [1240] ×38 tasks computing\n"
		"            sampled at _cpp_lex_direct 2.90 s (6 samples)\n"
		"\n"
		"  2   400 ms     11 %  120 times\n"
		"    make [1234] blocked in wait4\n"
		"        at reap_children ← new_job ← main (make)\n"
		"    └ sh [1236] ×38 tasks blocked in wait4\n"
		"          at waitforjob (dash)\n"
		"      └ cc1 [1240] ×20 tasks waiting for the disk in read: /usr/include/stdio.h\n"
		"            at _cpp_lex_direct ← cpp_get_token ← c_parser_declspecs (cc1)\n"
		"\n"
		"  3   290 ms    7.8 %  512 times\n"
		"    make [1234] waiting for a CPU, taken by stress\n"
		"\n"
		"  4  11.7 ms    0.3 %  once\n"
		"    make [1234/1235] still waiting when the recording ended in read: pipe (at "
		"least)\n" COVERAGE INFERRED AT_LEAST "\n"
		"Next: rspctl run -o FILE -- make -j1   (keeps the recording)\n";

	expect_view(&build, RSP_VIEW_EXPLAIN, &(struct rsp_report_options){0}, want);
}

static void sentences_are_wrapped(void **state)
{
	static const char want[] = "make waited 3.01 s (81 % of 3.70 s) in wait4 at\n"
				   "  reap_children for cc1 (2 processes), by way of\n"
				   "  sh (38 tasks) at waitforjob; cc1 were\n"
				   "  computing (6 samples: _cpp_lex_direct 100 % ±\n"
				   "  12 %).\n";
	struct rsp_report_options opt = {.width = 48};
	char *text = text_of(&build, RSP_VIEW_EXPLAIN, &opt);

	assert_memory_equal(text, want, strlen(want));
	assert_non_null(strstr(text, "\n  - make spent 290 ms (7.8 % of 3.70 s) waiting\n"
				     "    for a CPU; behind: stress.\n"));
	free(text);
}

static void table_view_is_exact(void **state)
{
	static const char want[] = ANSWER TABLE
		"\n"
		"Time by thread name\n"
		"\n"
		"     time  share  running     disk    queue    other  tasks\n"
		"   3.41 s   92 %   3.01 s   400 ms        –        –  cc1 ×2\n"
		"   302 ms  8.1 %        –        –   290 ms  11.7 ms  make ×2 *\n"
		"\n"
		"* threads of the process itself; queue: waiting for a CPU\n" COVERAGE INFERRED "\n"
		"Next: rspctl report slow.rsp --view chains\n"
		"      rspctl html slow.rsp -o page.html   (pictures, for a browser)\n";

	expect_view(&build, RSP_VIEW_TABLE, &(struct rsp_report_options){.source = "slow.rsp"},
		    want);
}

static void chains_view_has_whole_stacks(void **state)
{
	static const char want[] = ANSWER "\n"
					  "Heaviest chains (1 of 5)\n"
					  "\n"
					  "  1   2.90 s     78 %  38 times\n"
					  "    make [1234] blocked in wait4\n"
					  "        __schedule (vmlinux)\n"
					  "        schedule (vmlinux)\n"
					  "        do_wait (vmlinux)\n"
					  "        __x64_sys_wait4 (vmlinux)\n"
					  "        do_syscall_64 (vmlinux)\n"
					  "        entry_SYSCALL_64_after_hwframe (vmlinux)\n"
					  "        __wait4 (libc.so.6)\n"
					  "        reap_children (make)\n"
					  "        new_job (make)\n"
					  "        main (make)\n"
					  "        __libc_start_call_main (libc.so.6)\n"
					  "        _start (make)\n"
					  "    └ sh [1236] ×38 tasks blocked in wait4\n"
					  "          __schedule (vmlinux)\n"
					  "          do_wait (vmlinux)\n"
					  "          wait3 (libc.so.6)\n"
					  "          waitforjob (dash)\n"
					  "      └ cc1 [1240] ×38 tasks computing\n"
					  "            _cpp_lex_direct (cc1)\n"
					  "            cpp_get_token (cc1)\n"
					  "            c_parser_declspecs (cc1)\n"
					  "            main (cc1)\n" COVERAGE "\n"
					  "Next: rspctl report slow.rsp --view table\n"
					  "      rspctl html slow.rsp -o page.html   (pictures, "
					  "for a browser)\n";
	const struct rsp_report_options opt = {.source = "slow.rsp", .chain_max = 1};

	expect_view(&build, RSP_VIEW_CHAINS, &opt, want);
}

/* The frames of this stack say no more than the name of the system call, so they are not shown. */
static void uninformative_frames_are_not_shown(void **state)
{
	static const char want[] = "\n"
				   "  1   3.71 s    100 %  once\n"
				   "    make [1234] blocked in wait4\n"
				   "    └ cc1 [1240] computing\n"
				   "          function unknown: not sampled\n" COVERAGE "\n"
				   "Next: ";
	static struct rsp_frame stub[] = {
		{"do_wait", "vmlinux", true},
		{"__wait4", "libc.so.6", false},
		{"0x55d012345678", "?", false},
	};
	static struct rsp_hop hops[] = {
		{.kind = RSP_HOP_BLOCKED,
		 .tgid = 1234,
		 .tid = 1234,
		 .task_cnt = 1,
		 .comm = "make",
		 .object = "",
		 .behind = "",
		 .container = "",
		 .syscall = "wait4",
		 STACK(stub)},
		{.kind = RSP_HOP_LEAF,
		 .category = RSP_CAT_RUNNING_UNSAMPLED,
		 .tgid = 1240,
		 .tid = 1240,
		 .task_cnt = 1,
		 .comm = "cc1",
		 .object = "",
		 .behind = "",
		 .container = "",
		 .syscall = ""},
	};
	static struct rsp_chain chain = {3712 * MS, 1, LIST(hops)};
	struct rsp_explanation e = build;
	char *text;

	e.chains = &chain;
	e.chain_cnt = 1;
	/* otherwise, the row of this category would contain "inferred", too */
	e.cat_ns[RSP_CAT_RUNNING_UNSAMPLED] = 0;
	text = text_of(&e, RSP_VIEW_EXPLAIN, &(struct rsp_report_options){0});
	assert_non_null(strstr(text, want));
	free(text);
}

static const char *text_of_report(const struct rsp_explanation *e, char *buf, size_t len)
{
	FILE *f = fmemopen(buf, len, "w");

	assert_non_null(f);
	assert_int_equal(rsp_report_text(e, RSP_VIEW_EXPLAIN, &(struct rsp_report_options){0}, f),
			 0);
	fclose(f);
	return buf;
}

static void chains_that_differ_in_samples_alone_are_one(void **state)
{
	static const char *const comms[] = {"a", "b", "c", "d"};
	struct rsp_hop hops[8];
	struct rsp_chain chains[8];
	struct rsp_explanation e = build;
	char text[8192];

	for (size_t order = 0; order < 8; order++) {
		for (size_t i = 0; i < 8; i++) {
			size_t n = (i * 3 + order) % 8;

			hops[i] = (struct rsp_hop){
				.kind = RSP_HOP_LEAF,
				.category = n < 4 ? RSP_CAT_RUNNING_SAMPLED
						  : RSP_CAT_RUNNING_UNSAMPLED,
				.comm = comms[n % 4],
				.behind = "",
				.container = "",
				.syscall = n < 4 ? "" : "read",
				.object = "",
			};
			chains[i] = (struct rsp_chain){(100 - i) * MS, 1, &hops[i], 1};
		}
		e.chains = chains;
		e.chain_cnt = 8;
		assert_non_null(strstr(text_of_report(&e, text, sizeof(text)), "chains (4 of 4)"));
	}
}

static void places_need_samples_enough(void **state)
{
	struct rsp_hop sampled = CC1_HOP(.category = RSP_CAT_RUNNING_SAMPLED, STACK(cc1_stack));
	struct rsp_hop rest = CC1_HOP(.category = RSP_CAT_RUNNING_UNSAMPLED);
	struct rsp_chain chains[] = {{1800 * MS, 9, &rest, 1},
				     {200 * MS, 1, &sampled, 1, .samples = lex_samples, 1}};
	struct rsp_explanation e = build;
	char text[8192];

	e.chains = chains;
	e.chain_cnt = 2;
	assert_non_null(strstr(text_of_report(&e, text, sizeof(text)),
			       "sampled at _cpp_lex_direct 200 ms (1 sample), unknown 1.80 s\n"));
	chains[1].ns -= MS;
	assert_null(strstr(text_of_report(&e, text, sizeof(text)), "sampled at"));
}

static void what_is_unknown_is_marked(void **state)
{
	struct rsp_hop hop = CC1_HOP(.category = RSP_CAT_EDGE);
	struct rsp_chain chain = {400 * MS, 1, &hop, 1};
	struct rsp_explanation e = build;
	char text[8192];

	e.chains = &chain;
	e.chain_cnt = 1;
	text_of_report(&e, text, sizeof(text));
	assert_non_null(strstr(text, "in a state that began before the window (unknown)\n"));
	assert_non_null(strstr(text, "\n(unknown): measured, but the records do not say why.\n"));
}

static void views_are_parsed(void **state)
{
	enum rsp_view view = RSP_VIEW_TABLE;

	assert_int_equal(rsp_view_parse("chains", &view), 0);
	assert_int_equal(view, RSP_VIEW_CHAINS);
	assert_int_equal(rsp_view_parse("explain", &view), 0);
	assert_int_equal(view, RSP_VIEW_EXPLAIN);
	assert_int_equal(rsp_view_parse("flames", &view), -EINVAL);
	assert_int_equal(view, RSP_VIEW_EXPLAIN);
}

static void named_views_exist(void **state)
{
	char names[] = RSP_VIEW_NAMES, *rest = names, *name;
	unsigned int seen = 0;
	enum rsp_view view = RSP_VIEW_EXPLAIN;

	while ((name = strsep(&rest, ","))) {
		assert_int_equal(rsp_view_parse(name + (*name == ' '), &view), 0);
		seen |= 1U << view;
	}
	assert_int_equal(seen, (1U << (RSP_VIEW_MARKS + 1)) - 1);
}

static void incomplete_recordings_are_loud(void **state)
{
	static const char warnings[] =
		"\nCoverage: 123456 events, 12 lost; recorded 2.00 s of the 3.70 s asked for.\n"
		"\x1b[1;31mINCOMPLETE: records were lost; times and counts may be too small.\x1b[0m\n"
		"\x1b[1;31mINCOMPLETE: the first 1.70 s of the span were not recorded: the "
		"recorder started later, or the window (WindowSize=) is too small."
		"\x1b[0m\n";
	struct rsp_explanation e = build;
	char *text;

	e.lost_cnt = 12;
	e.window_ns = 2000 * MS;
	text = text_of(&e, RSP_VIEW_EXPLAIN, &(struct rsp_report_options){.colour = true});
	assert_non_null(strstr(text, warnings));
	assert_memory_equal(text, "\x1b[1mmake waited", 15);
	free(text);
}

static void losses_are_reported(void **state)
{
	static const char line[] =
		"asked for.\nThe recorder left out wakers' stacks for 2.00 s of it, "
		"most samples for 1.50 s of it: it was above its budget of 0.5 % of "
		"the CPUs.\n";
	struct rsp_explanation e = build;
	char *text;

	e.shed_ns[RSP_SHED_WAKER_STACKS] = 2000 * MS;
	e.shed_ns[RSP_SHED_SAMPLES] = 1500 * MS;
	e.budget_ppm = 5000;
	text = text_of(&e, RSP_VIEW_EXPLAIN, &(struct rsp_report_options){.colour = false});
	assert_non_null(strstr(text, line));
	free(text);
}

static void table_shares_add_up(void **state)
{
	static const __u64 scales[] = {1, 7, 1013, 999999, 123456789, 98765432101};

	for (size_t s = 0; s < sizeof(scales) / sizeof(scales[0]); s++) {
		struct rsp_explanation e = build;
		unsigned long long sum = 0, whole, tenth;
		unsigned int rows = 0;
		char *text, *line;

		e.total_ns = 0;
		for (enum rsp_category cat = 0; cat < RSP_CAT_MAX; cat++) {
			e.cat_ns[cat] = scales[s] * (2 * cat + 1) / 3;
			e.total_ns += e.cat_ns[cat];
		}
		text = text_of(&e, RSP_VIEW_TABLE, &(struct rsp_report_options){0});
		line = strchr(strstr(text, " elapsed"), '\n') + 2;
		for (; !strstr(line, " total ") || strstr(line, " total ") > strchr(line, '\n');
		     line = strchr(line, '\n') + 1, rows++) {
			assert_int_equal(
				sscanf(strstr(line, " %") - 5, "%llu.%1llu", &whole, &tenth), 2);
			sum += whole * 10 + tenth;
		}
		assert_int_equal(sum, 1000);
		assert_true(rows >= 14);
		free(text);
	}
}

static void names_are_cleaned_and_cut(void **state)
{
	static struct rsp_frame frames[] = {
		{"std::vector<std::pair<long, std::string>, std::allocator<x> >::push_back(x&&)",
		 "very-long-module-name-of-some-program.so.1.2.3", false},
		{"\x1b[2Jclear", "app", false},
	};
	static struct rsp_hop hop = {
		.kind = RSP_HOP_BLOCKED,
		.tgid = 4,
		.tid = 5,
		.task_cnt = 1,
		.comm = "\x1b]0;own\x07\xff",
		.object = "/srv/a/very/long/path/that/does/not/fit/into/eighty/columns/data\n.db",
		.behind = "",
		.container = "",
		.syscall = "read",
		STACK(frames),
	};
	static struct rsp_chain chain = {3712 * MS, 1, &hop, 1};
	struct rsp_explanation e = build;
	char *text, *line, *next;

	e.chains = &chain;
	e.chain_cnt = 1;
	text = text_of(&e, RSP_VIEW_EXPLAIN, &(struct rsp_report_options){.width = 80});
	for (const char *c = text; *c; c++)
		assert_true(*c == '\n' || ((unsigned char)*c >= 0x20 && *c != 0x7f));
	assert_non_null(strstr(text, "    ?]0;own?? [4/5] blocked in read on …"));
	assert_non_null(strstr(text, "columns/data?.db\n"));
	for (line = strstr(text, "Heaviest"); (next = strchr(line, '\n')); line = next + 1) {
		*next = '\0';
		if (strncmp(line, "Coverage", 8) == 0)
			break;
		assert_true(rsp_format_columns(line) <= 80);
	}
	free(text);
}

/* A step of a chain that is longer than a line continues on the next line. */
static void long_steps_are_wrapped(void **state)
{
	static struct rsp_hop hops[] = {
		{
			.kind = RSP_HOP_BLOCKED,
			.tgid = 29064,
			.tid = 29075,
			.task_cnt = 1,
			.comm = "ThreadPoolServi",
			.object = "[eventpoll]",
			.behind = "",
			.container = "",
			.syscall = "epoll_wait",
		},
		{
			.kind = RSP_HOP_LEAF,
			.category = RSP_CAT_EDGE,
			.tgid = 14578,
			.tid = 14578,
			.task_cnt = 1,
			.comm = "some-long-name",
			.object = "",
			.behind = "",
			.container = "",
			.syscall = "rt_sigsuspend",
			.flags = RSP_HOP_AT_LEAST,
		},
	};
	static struct rsp_chain chain = {3712 * MS, 1, hops, 2};
	struct rsp_explanation e = build;
	char *text;

	e.chains = &chain;
	e.chain_cnt = 1;
	text = text_of(&e, RSP_VIEW_EXPLAIN, &(struct rsp_report_options){.width = 60});
	assert_non_null(strstr(text, "    ThreadPoolServi [29064/29075] blocked in epoll_wait on\n"
				     "      [eventpoll]\n"
				     "    └ some-long-name [14578] still waiting when the\n"
				     "        recording ended in rt_sigsuspend (at least)\n"));
	free(text);
}

/* A note after a command gets a line of its own if the line would become too long. */
static void notes_of_commands_fit(void **state)
{
	const struct rsp_report_options opt = {
		.width = 80, .source = "9524b34738a2", .selection = " --pid 16081"};
	char *text = text_of(&build, RSP_VIEW_TABLE, &opt);

	assert_non_null(strstr(text, "      rspctl html 9524b34738a2 --pid 16081 -o page.html\n"
				     "        (pictures, for a browser)\n"));
	free(text);
}

static void long_chains_lose_their_middle(void **state)
{
	static struct rsp_hop hops[40];
	static struct rsp_chain chain = {3712 * MS, 1, LIST(hops)};
	struct rsp_explanation e = build;
	char *text;

	for (__u32 i = 0; i < 40; i++)
		hops[i] = (struct rsp_hop){.kind = i < 39 ? RSP_HOP_BLOCKED : RSP_HOP_LEAF,
					   .category = RSP_CAT_SLEEP,
					   .tgid = 100 + i,
					   .tid = 100 + i,
					   .comm = "t",
					   .object = "",
					   .behind = "",
					   .container = "",
					   .syscall = ""};
	e.chains = &chain;
	e.chain_cnt = 1;
	text = text_of(&e, RSP_VIEW_EXPLAIN, &(struct rsp_report_options){0});
	assert_non_null(strstr(text, "t [107] blocked\n"));
	assert_null(strstr(text, "t [108]"));
	assert_non_null(strstr(text, "… 28 more\n"));
	assert_null(strstr(text, "t [135]"));
	assert_non_null(strstr(text, "t [136] blocked\n"));
	assert_non_null(strstr(text, "t [139] sleeping\n"));
	free(text);
	text = text_of(&e, RSP_VIEW_CHAINS, &(struct rsp_report_options){0});
	assert_non_null(strstr(text, "t [120] blocked\n"));
	free(text);
}

static void a_full_disk_is_reported(void **state)
{
	FILE *full = fopen("/dev/full", "w");

	if (!full)
		skip();
	assert_int_equal(rsp_report_json(&build, NULL, true, full), -ENOSPC);
	fclose(full);
	full = fopen("/dev/full", "w");
	assert_non_null(full);
	assert_int_equal(
		rsp_report_text(&build, RSP_VIEW_EXPLAIN, &(struct rsp_report_options){0}, full),
		-ENOSPC);
	fclose(full);
}

/* --- why it was taken ----------------------------------------------------------------------- */

#define ANSWER_TEXT                                                                                \
	"make waited 3.01 s (81 % of 3.70 s) in wait4 at reap_children for cc1 (2 processes), by " \
	"way of sh (38 tasks) at waitforjob; cc1 were"

static const struct {
	struct rsp_trigger trigger;
	const char *want; /* before the answer */
	const char *answer;
} breach_headlines[] = {
	{{.slo = ""}, ""},
	{{.slo = "checkout", .measure = "request", .value_ns = 312 * MS, .threshold_ns = 250 * MS},
	 "SLO checkout: a request took 312 ms, the limit is 250 ms: "},
	{{.slo = "s",
	  .measure = "request",
	  .value_ns = 250 * MS,
	  .threshold_ns = 250 * MS,
	  .quantile_ppm = 990000,
	  .over_ns = 10000 * MS,
	  .cnt = 1234567},
	 "SLO s: p99 of 1,234,567 requests within 10.0 s was above 250 ms; this one took "
	 "3.70 s: "},
	{{.slo = "s", .measure = "disk", .value_ns = 1 * MS, .quantile_ppm = 999000},
	 "SLO s: p99.9 of disk requests was above 1.00 ms; this one took 3.70 s: "},
	{{.slo = "s", .measure = "wait", .value_ns = 2 * MS, .threshold_ns = 1 * MS},
	 "SLO s: a wait took 2.00 ms, the limit is 1.00 ms: "},
	{{.slo = "s", .measure = "runqueue", .value_ns = 2 * MS, .threshold_ns = 1 * MS},
	 "SLO s: a thread waited for a CPU for 2.00 ms, the limit is 1.00 ms: "},
	{{.slo = "s", .measure = "function", .value_ns = 2 * MS, .threshold_ns = 1 * MS},
	 "SLO s: a call took 2.00 ms, the limit is 1.00 ms: "},
	{{.slo = "s",
	  .measure = "psi",
	  .resource = "io",
	  .value_ns = 400 * MS,
	  .threshold_ns = 300 * MS,
	  .over_ns = 1000 * MS},
	 "SLO s: io stalled some tasks for 400 ms within 1.00 s, the limit is 300 ms: ",
	 "make spent 400 ms (11 % of 3.70 s) waiting for the disk, "},
	{{.slo = "s", .measure = "psi", .resource = "memory", .full = true, .value_ns = 400 * MS},
	 "SLO s: memory stalled all tasks for 400 ms: "},
	{{.slo = "s", .measure = "request", .threshold_ns = 250 * MS},
	 "SLO s, triggered by hand: "},
	{{.slo = "\x1b[2J", .measure = "\n", .value_ns = 1}, "SLO ?[2J: something took 1 ns: "},
};

static void the_headline_says_what_breached(void **state)
{
	char whole[2048], cut[2048];

	for (size_t i = 0; i < sizeof(breach_headlines) / sizeof(breach_headlines[0]); i++) {
		struct rsp_meta meta = *build.meta;
		struct rsp_explanation e = build;
		const char *answer = breach_headlines[i].answer ? breach_headlines[i].answer
								: ANSWER_TEXT;
		size_t len = strlen(breach_headlines[i].want);

		meta.trigger = breach_headlines[i].trigger;
		e.meta = &meta;
		assert_int_equal(rsp_report_headline(&e, whole, sizeof(whole)), 0);
		assert_memory_equal(whole, breach_headlines[i].want, len);
		assert_memory_equal(whole + len, answer, strlen(answer));
		assert_null(strchr(whole, '\n'));
		for (len = 1; len < 60; len++) {
			assert_int_equal(rsp_report_headline(&e, cut, len), 0);
			assert_true(strlen(cut) < len);
			if (len > 3)
				assert_string_equal(cut + strlen(cut) - 3, "…");
		}
	}
}

static void a_person_gets_a_screenful_of_findings(void **state)
{
	static char names[11][8];
	struct rsp_hop hops[11];
	struct rsp_chain chains[11];
	struct rsp_explanation e = build;
	char *text;

	for (int i = 0; i < 11; i++) {
		snprintf(names[i], sizeof(names[i]), "db%d:1", i);
		hops[i] = (struct rsp_hop){.kind = RSP_HOP_LEAF,
					   .category = RSP_CAT_NETWORK,
					   .comm = "make",
					   .object = names[i],
					   .behind = "",
					   .container = "",
					   .syscall = ""};
		chains[i] = (struct rsp_chain){.ns = (100 - i) * MS, 1, &hops[i], 1};
	}
	e.chains = chains;
	e.chain_cnt = 11;
	text = text_of(&e, RSP_VIEW_EXPLAIN, &(struct rsp_report_options){0});
	assert_non_null(strstr(
		text, "for the network (db7:1), once.\n  … and 3 smaller: --json has them all\n"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(explain_view_is_exact),
		cmocka_unit_test(sentences_are_wrapped),
		cmocka_unit_test(table_view_is_exact),
		cmocka_unit_test(chains_view_has_whole_stacks),
		cmocka_unit_test(uninformative_frames_are_not_shown),
		cmocka_unit_test(chains_that_differ_in_samples_alone_are_one),
		cmocka_unit_test(places_need_samples_enough),
		cmocka_unit_test(what_is_unknown_is_marked),
		cmocka_unit_test(views_are_parsed),
		cmocka_unit_test(named_views_exist),
		cmocka_unit_test(incomplete_recordings_are_loud),
		cmocka_unit_test(losses_are_reported),
		cmocka_unit_test(table_shares_add_up),
		cmocka_unit_test(names_are_cleaned_and_cut),
		cmocka_unit_test(long_steps_are_wrapped),
		cmocka_unit_test(notes_of_commands_fit),
		cmocka_unit_test(long_chains_lose_their_middle),
		cmocka_unit_test(a_full_disk_is_reported),
		cmocka_unit_test(the_headline_says_what_breached),
		cmocka_unit_test(a_person_gets_a_screenful_of_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
