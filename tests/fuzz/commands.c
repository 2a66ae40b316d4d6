/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses any words as rspctl's command line. All accepted values must be in the ranges that
 * rspctl(1) states.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>

#include "cli/options.h"
#include "tests/fuzz/cli-quiet.h"

#define WORDS_MAX 64

static int run(const struct rsp_options *opt)
{
	return 0;
}

static const struct rsp_verb verbs[] = {
	{"list", run, RSP_OPT_JSON | RSP_OPT_LEGEND, 0, 0, "", "none"},
	{"snapshot", run, ~0U >> 3, 0, 0, "--pid PID", "nearly all options"},
	{"report", run, RSP_OPT_VIEW | RSP_OPT_JSON | RSP_OPT_CHAINS, 1, 1, "SNAPSHOT", "one word"},
	{"run", run, RSP_OPT_OUTPUT, 1, INT_MAX, "-- CMD", "any words"},
	{0},
};

static void check(const struct rsp_verb *verb, const struct rsp_options *opt, int argc)
{
	must(opt->arg_cnt >= verb->arg_min && opt->arg_cnt <= verb->arg_max);
	must(opt->arg_cnt < argc && !opt->args[opt->arg_cnt]);
	for (int i = 0; i < opt->arg_cnt; i++)
		must(opt->args[i]);
	must(opt->pid >= 0 && opt->port <= UINT16_MAX && opt->chain_max <= 1000000);
	must(opt->view <= RSP_VIEW_EDGES && opt->json <= RSP_JSON_PRETTY);
	must(opt->debug_dir_cnt <= RSP_DEBUG_DIRS_MAX);
	must(opt->last_ns > 0 && opt->last_ns <= INT64_MAX && opt->after_ns <= INT64_MAX);
	must(opt->since_ns <= INT64_MAX && opt->until_ns <= INT64_MAX);
	must(!opt->cgroup || *opt->cgroup == '/');
}

/* text must end in a NUL byte. */
static int split(char *text, size_t len, char *ret[WORDS_MAX + 2])
{
	int cnt = 0;

	ret[cnt++] = "rspctl";
	for (size_t off = 0; off < len && cnt <= WORDS_MAX; off += strlen(text + off) + 1)
		ret[cnt++] = text + off;
	ret[cnt] = NULL;
	return cnt;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	char *words[WORDS_MAX + 2], *text = malloc(len + 1);
	const struct rsp_verb *verb;
	struct rsp_options opt;
	int argc, status = 0;

	be_quiet();
	if (len)
		memcpy(text, data, len);
	text[len] = '\0';
	argc = split(text, len, words);
	optind = 0; /* restart getopt */
	verb = rsp_options_parse(argc, words, verbs, &opt, &status);
	if (verb)
		check(verb, &opt, argc);
	else
		must(status == RSP_EXIT_OK || status == RSP_EXIT_USAGE);
	free(text);
	return 0;
}
