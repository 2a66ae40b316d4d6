/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See options.h. Options may stand before or after the verb, but not after the name of a command.
 */
#include "cli/options-parts.h"

#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/nearest.h"
#include "cli/output.h"
#include "lib/base/format.h"
#include "lib/report/requests-report.h"

#define DEFAULT_LAST_NS 10000000000ULL
#define HELP_COL	34
#define OPTION_COL	27

/* The values that getopt_long() returns for options lie beyond those of letters. */
#define FIRST_VALUE 256
#define ROW_MAX	    128

/* --- help ------------------------------------------------------------------------------------- */

static void print_option(const struct rsp_option_row *row)
{
	char letter[] = {'-', (char)row->letter, '\0'};
	char name[64];
	size_t cols;

	snprintf(name, sizeof(name), "  %2s --%s%s%s%s%s", row->letter ? letter : "", row->name,
		 row->is_optional ? "[" : "", row->value ? "=" : "", row->value ? row->value : "",
		 row->is_optional ? "]" : "");
	cols = strlen(name);
	printf("%s%*s%s\n", name, cols < OPTION_COL ? (int)(OPTION_COL - cols) + 2 : 2, "",
	       row->help);
}

/* Prints the options whose bit is in bits. If bits is 0, prints the options of all verbs. */
static void print_options(unsigned int bits)
{
	for (const struct rsp_option_row *row = rsp_option_rows; row->name; row++)
		if (bits ? row->bit & bits : !row->bit)
			print_option(row);
}

static void print_help(const struct rsp_verb *verbs)
{
	puts("rspctl [OPTION…] [VERB] [ARG…]\n"
	     "\n"
	     "Explain why a process was slow, from the records of the flight recorder.\n");
	for (const struct rsp_verb *v = verbs; v->name; v++) {
		size_t cols = 3 + strlen(v->name) + rsp_format_columns(v->synopsis);

		printf("  %s %s%*s%s\n", v->name, v->synopsis,
		       cols < HELP_COL ? (int)(HELP_COL - cols) : 1, "", v->help);
	}
	puts("");
	print_options(0);
	puts("\n'rspctl help VERB' shows the options of a verb. See rspctl(1).");
}

static void print_verb_help(const struct rsp_verb *verb)
{
	printf("rspctl %s [OPTION…] %s\n\n%s\n\n", verb->name, verb->synopsis, verb->help);
	if (verb->options)
		print_options(verb->options);
	print_options(0);
	puts("\nSee rspctl(1).");
}

/* --- parsing ---------------------------------------------------------------------------------- */

/* The parts of a command line that are not in struct rsp_options. */
struct line {
	const struct rsp_verb *verb; /* NULL: none was named */
	/* One flag per row: the line contains the option. */
	bool has[ROW_MAX];
};

int rsp_misuse(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	rsp_fail(0, "%s: see 'rspctl --help'", text);
	return RSP_EXIT_USAGE;
}

/* Makes the tables for getopt_long() from the rows. */
static void make_tables(char *letters, struct option *longs)
{
	/*
	 * "+": getopt stops at each word that is not an option: the verb, its arguments, and the
	 * name of a command.
	 */
	letters += sprintf(letters, "+:");
	for (size_t i = 0; rsp_option_rows[i].name; i++) {
		const struct rsp_option_row *row = &rsp_option_rows[i];

		*longs++ = (struct option){row->name,
					   row->is_optional ? optional_argument
					   : row->value	    ? required_argument
							    : no_argument,
					   NULL, FIRST_VALUE + (int)i};
		/* Without ":" for optional values: "-j short" is the letter and an argument. */
		if (row->letter)
			letters += sprintf(letters, "%c%s", row->letter,
					   row->value && !row->is_optional ? ":" : "");
	}
	*longs = (struct option){0};
}

static size_t row_of(int value)
{
	size_t i = 0;

	if (value >= FIRST_VALUE)
		return (size_t)(value - FIRST_VALUE);
	while (rsp_option_rows[i].letter != value)
		i++;
	return i;
}

/* Returns the part of word that is not a known option, as the user wrote it. */
static const char *culprit(const char *word, char *buf, size_t len)
{
	if (word[1] == '-')
		return word;
	snprintf(buf, len, "-%c", optopt);
	return buf;
}

static int unknown_option(const char *word)
{
	char buf[8], name[64] = "";
	struct rsp_nearest nearest = {.word = name};

	if (word[1] == '-')
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	for (size_t i = 0; rsp_option_rows[i].name; i++)
		rsp_nearest_try(&nearest, rsp_option_rows[i].name);
	word = culprit(word, buf, sizeof(buf));
	if (nearest.found)
		return rsp_misuse("unknown option %s (did you mean --%s?)", word, nearest.found);
	return rsp_misuse("unknown option %s", word);
}

static int unknown_verb(const struct rsp_verb *verbs, const char *word)
{
	struct rsp_nearest nearest = {.word = word};

	for (const struct rsp_verb *v = verbs; v->name; v++)
		rsp_nearest_try(&nearest, v->name);
	if (nearest.found)
		return rsp_misuse("unknown verb '%s' (did you mean '%s'?)", word, nearest.found);
	return rsp_misuse("unknown verb '%s'", word);
}

/* Applies the option that getopt_long() found in word. */
static int apply(int value, const char *word, struct line *line, struct rsp_options *opt)
{
	const struct rsp_option_row *row;
	char buf[8];
	size_t i;

	if (value == ':')
		return rsp_misuse("%s needs a value", culprit(word, buf, sizeof(buf)));
	if (value == '?')
		return unknown_option(word);
	i = row_of(value);
	row = &rsp_option_rows[i];
	line->has[i] = true;
	return row->apply(row->value ? optarg : "", opt);
}

static const struct rsp_verb *find_verb(const struct rsp_verb *verbs, const char *name)
{
	for (const struct rsp_verb *v = verbs; v->name; v++)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

static int parse_words(int argc, char **argv, const struct rsp_verb *verbs, struct line *line,
		       struct rsp_options *opt)
{
	struct option longs[ROW_MAX];
	char letters[2 * ROW_MAX];

	make_tables(letters, longs);
	for (;;) {
		const char *word = argv[optind];
		int value = getopt_long(argc, argv, letters, longs, NULL);
		int r;

		if (value >= 0) {
			r = apply(value, word, line, opt);
			if (r)
				return r;
		} else if (!strcmp(argv[optind - 1], "--")) {
			opt->before_cnt = opt->arg_cnt;
			break;
		} else if (optind >= argc || (line->verb && line->verb->arg_max == INT_MAX)) {
			break;
		} else if (line->verb) {
			opt->args[opt->arg_cnt++] = argv[optind++];
		} else if (!strcmp(argv[optind], "help") && !opt->asks_help) {
			opt->asks_help = true;
			optind++;
		} else {
			line->verb = find_verb(verbs, argv[optind++]);
			if (!line->verb)
				return unknown_verb(verbs, argv[optind - 1]);
		}
	}
	if (optind > 1 && !strcmp(argv[optind - 1], "--"))
		opt->command = opt->args + opt->arg_cnt;
	while (optind < argc)
		opt->args[opt->arg_cnt++] = argv[optind++];
	opt->args[opt->arg_cnt] = NULL;
	return 0;
}

static bool is_number(const char *word)
{
	return *word && strspn(word, "0123456789") == strlen(word);
}

static int superfluous(const struct rsp_verb *verb, const char *word)
{
	if (verb->options & RSP_OPT_PID && is_number(word))
		return rsp_misuse(
			"'%s' does not know what to do with '%s' (did you mean --pid %s?)",
			verb->name, word, word);
	return rsp_misuse("'%s' does not know what to do with '%s'", verb->name, word);
}

static int check_verb(const struct rsp_verb *verb, const struct line *line, struct rsp_options *opt)
{
	for (size_t i = 0; rsp_option_rows[i].name; i++) {
		const struct rsp_option_row *row = &rsp_option_rows[i];

		if (!line->has[i])
			continue;
		if (row->bit & ~verb->options)
			return rsp_misuse("'%s' does not take --%s", verb->name, row->name);
		opt->spanned |= row->bit == RSP_OPT_LAST;
	}
	if (opt->arg_cnt < verb->arg_min)
		return rsp_misuse("'%s' needs more: rspctl %s %s", verb->name, verb->name,
				  verb->synopsis);
	if (opt->arg_cnt > verb->arg_max && !(verb->options & RSP_OPT_LIVE && opt->command))
		return superfluous(verb, opt->args[verb->arg_max]);
	if (verb->options & RSP_OPT_LIVE && opt->for_ns > RSP_FOR_MAX_NS)
		return rsp_misuse("'%s' takes --for up to ten minutes", verb->name);
	if (opt->html && opt->output && !strcmp(opt->html, opt->output))
		return rsp_misuse("--output and --html name the same file");
	return 0;
}

static const char *default_from_environment(const char *name, const char *fallback)
{
	const char *value = getenv(name);

	return value && *value ? value : fallback;
}

static int answer_question(const struct rsp_verb *verbs, const struct line *line,
			   const struct rsp_options *opt)
{
	if (!opt->asks_help)
		puts("rspctl " RSP_VERSION);
	else if (line->verb)
		print_verb_help(line->verb);
	else
		print_help(verbs);
	return rsp_output_flush();
}

const struct rsp_verb *rsp_options_parse(int argc, char **argv, const struct rsp_verb *verbs,
					 struct rsp_options *ret, int *ret_exit)
{
	struct line line = {0};

	*ret = (struct rsp_options){
		.socket = default_from_environment("RSP_SOCKET", RSP_DEFAULT_SOCKET),
		.store = default_from_environment("RSP_STORE", RSP_DEFAULT_STORE),
		.legend = true,
		.slowest = RSP_SLOWEST_DEFAULT,
		.last_ns = DEFAULT_LAST_NS,
		.min_width = RSP_FLAME_MIN_WIDTH_DEFAULT,
		.args = argv, /* words that were read make room for those that are kept */
	};
	opterr = 0;
	*ret_exit = parse_words(argc, argv, verbs, &line, ret);
	if (*ret_exit)
		return NULL;
	if (ret->asks_help && line.verb && line.verb->options & RSP_OPT_OWN)
		return line.verb;
	if (ret->asks_help || ret->asks_version) {
		*ret_exit = answer_question(verbs, &line, ret);
		return NULL;
	}
	if (!line.verb)
		line.verb = verbs;
	*ret_exit = check_verb(line.verb, &line, ret);
	return *ret_exit ? NULL : line.verb;
}
