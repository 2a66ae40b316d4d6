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

#include "cli/guess.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "lib/report/requests-report.h"

#define DEFAULT_LAST_NS 10000000000ULL

/* getopt_long() returns FIRST_VALUE + i for the long name of rsp_option_rows[i]. */
#define FIRST_VALUE 256 /* greater than any letter of an option */
#define ROW_MAX	    128 /* maximum number of rows */

/* --- parsing ---------------------------------------------------------------------------------- */

struct line {
	const struct rsp_verb *verb; /* NULL: none was named */
	/* [i]: option rsp_option_rows[i] was given */
	bool has[ROW_MAX];
};

/* The verb to whose help rsp_misuse() refers the user. */
static const struct rsp_verb *subject;

int rsp_misuse(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	rsp_fail(0, "%s%s 'rspctl %s%s--help'", text,
		 *text && text[strlen(text) - 1] == '?' ? " See" : ": see",
		 subject ? subject->name : "", subject ? " " : "");
	return RSP_EXIT_USAGE;
}

static int misuse_verb(const struct rsp_verb *verbs, const char *name)
{
	struct rsp_guess guess = {.word = name};

	for (const struct rsp_verb *v = verbs; v->name; v++)
		rsp_guess_try(&guess, v->name);
	if (guess.best)
		return rsp_misuse("unknown verb '%s': did you mean '%s'?", name, guess.best);
	return rsp_misuse("unknown verb '%s'", name);
}

/* getopt_long() accepts a prefix of an option's name only if exactly one option begins with it. */
static bool is_ambiguous(const char *word, size_t len)
{
	size_t cnt = 0;

	for (const struct rsp_option_row *row = rsp_option_rows; row->name && len > 0; row++)
		cnt += strncmp(row->name, word, len) == 0;
	return cnt > 1;
}

/* name: the option with its dashes, and possibly with "=" and a value. */
static int misuse_option(const struct rsp_verb *verb, const char *name)
{
	struct rsp_guess guess = {.word = name + strspn(name, "-")};
	size_t len = strcspn(guess.word, "=");
	int name_len = (int)(strspn(name, "-") + len);
	char word[64];

	snprintf(word, sizeof(word), "%.*s", (int)len, guess.word);
	guess.word = word;
	for (const struct rsp_option_row *row = rsp_option_rows; row->name && len > 1; row++)
		if (!verb || !(row->bit & ~verb->options))
			rsp_guess_try(&guess, row->name);
	if (is_ambiguous(word, len))
		return rsp_misuse("option %.*s is ambiguous: write more of it", name_len, name);
	if (guess.best)
		return rsp_misuse("unknown option %.*s: did you mean --%s?", name_len, name,
				  guess.best);
	return rsp_misuse("unknown option %.*s", name_len, name);
}

/* If the verb takes no arguments but takes options that choose a process, suggests one of them. */
static int misuse_word(const struct rsp_verb *verb, const char *word)
{
	const char *dot = strrchr(word, '.');
	const char *option = !word[strspn(word, "0123456789")] ? "pid"
			     : *word == '/'		       ? "cgroup"
			     : dot && !strcmp(dot, ".service") ? "unit"
							       : "comm";

	if (verb->options & RSP_OPT_TARGET && verb->arg_max == 0)
		return rsp_misuse("'%s' takes no argument: did you mean '--%s %s'?", verb->name,
				  option, word);
	return rsp_misuse("unexpected argument '%s': the usage is 'rspctl %s%s%s'", word,
			  verb->name, *verb->synopsis ? " " : "", verb->synopsis);
}

static void make_tables(char *letters, struct option *longs)
{
	/*
	 * "+": getopt stops at each word that is not an option. Such a word is the verb, an
	 * argument of the verb, or the name of a command.
	 */
	letters += sprintf(letters, "+:");
	for (size_t i = 0; rsp_option_rows[i].name; i++) {
		const struct rsp_option_row *row = &rsp_option_rows[i];

		*longs++ = (struct option){row->name,
					   row->is_optional ? optional_argument
					   : row->value	    ? required_argument
							    : no_argument,
					   NULL, FIRST_VALUE + (int)i};
		/*
		 * getopt() finds no value for the letter of an option with an optional value, so
		 * that "short" in "-j short" is an argument of the verb.
		 */
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

static const char *unknown_part(const char *word, char *buf, size_t len)
{
	if (word[1] == '-')
		return word;
	snprintf(buf, len, "-%c", optopt);
	return buf;
}

static int apply(int value, const char *word, struct line *line, struct rsp_options *opt)
{
	const struct rsp_option_row *row;
	char buf[8];
	size_t i;

	if (value == ':')
		return rsp_misuse("%s needs a value", unknown_part(word, buf, sizeof(buf)));
	if (value == '?')
		return misuse_option(line->verb, unknown_part(word, buf, sizeof(buf)));
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
		} else {
			subject = line->verb = find_verb(verbs, argv[optind++]);
			if (!line->verb)
				return misuse_verb(verbs, argv[optind - 1]);
		}
	}
	if (optind > 1 && !strcmp(argv[optind - 1], "--"))
		opt->command = opt->args + opt->arg_cnt;
	while (optind < argc)
		opt->args[opt->arg_cnt++] = argv[optind++];
	opt->args[opt->arg_cnt] = NULL;
	return 0;
}

static int check_verb(const struct rsp_verb *verb, const struct line *line, struct rsp_options *opt)
{
	for (size_t i = 0; rsp_option_rows[i].name; i++) {
		const struct rsp_option_row *row = &rsp_option_rows[i];

		if (!line->has[i])
			continue;
		if (row->bit & ~verb->options && !line->verb)
			return rsp_misuse("name a verb: --%s is not an option of '%s', the default",
					  row->name, verb->name);
		if (row->bit & ~verb->options)
			return rsp_misuse("'%s' does not take --%s", verb->name, row->name);
		opt->spanned |= row->bit == RSP_OPT_LAST;
	}
	if (opt->arg_cnt < verb->arg_min)
		return rsp_misuse("an argument is missing: the usage is 'rspctl %s %s'", verb->name,
				  verb->synopsis);
	if (opt->arg_cnt > verb->arg_max && !(verb->options & RSP_OPT_LIVE && opt->command))
		return misuse_word(verb, opt->args[verb->arg_max]);
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

const char *rsp_options_default_store(void)
{
	return default_from_environment("RSP_STORE", RSP_DEFAULT_STORE);
}

static int answer_question(const struct rsp_verb *verbs, const struct line *line,
			   const struct rsp_options *opt)
{
	unsigned int width = rsp_output_width();

	rsp_pager_begin(opt);
	if (!opt->wants_help)
		puts("rspctl " RSP_VERSION);
	else if (line->verb)
		rsp_help_verb(line->verb, width);
	else
		rsp_help(verbs, width);
	return rsp_pager_end(rsp_output_flush());
}

/* Treats "rspctl help VERB" as "rspctl VERB --help". */
static int turn_to_help(const struct rsp_verb *verbs, struct line *line, struct rsp_options *opt)
{
	const char *name = opt->arg_cnt ? opt->args[0] : NULL;

	if (opt->arg_cnt > 1)
		return misuse_word(line->verb, opt->args[1]);
	opt->wants_help = true;
	subject = line->verb = name ? find_verb(verbs, name) : NULL;
	if (name && !line->verb)
		return misuse_verb(verbs, name);
	opt->arg_cnt = 0;
	opt->args[0] = NULL;
	return 0;
}

const struct rsp_verb *rsp_options_parse(int argc, char **argv, const struct rsp_verb *verbs,
					 struct rsp_options *ret, int *ret_exit)
{
	const struct rsp_verb *verb;
	struct line line = {0};

	*ret = (struct rsp_options){
		.socket = default_from_environment("RSP_SOCKET", RSP_DEFAULT_SOCKET),
		.store = rsp_options_default_store(),
		.legend = true,
		.slowest = RSP_SLOWEST_DEFAULT,
		.last_ns = DEFAULT_LAST_NS,
		.min_width = RSP_FLAME_MIN_WIDTH_DEFAULT,
		/* getopt_long() reads argv; parsed words are overwritten with arguments */
		.args = argv,
	};
	opterr = 0;
	*ret_exit = parse_words(argc, argv, verbs, &line, ret);
	if (*ret_exit == 0 && line.verb && !line.verb->run)
		*ret_exit = turn_to_help(verbs, &line, ret);
	if (*ret_exit)
		return NULL;
	if (ret->wants_help && line.verb && line.verb->options & RSP_OPT_OWN)
		return line.verb;
	if (ret->wants_help || ret->wants_version) {
		*ret_exit = answer_question(verbs, &line, ret);
		return NULL;
	}
	verb = line.verb ? line.verb : verbs;
	*ret_exit = check_verb(verb, &line, ret);
	return *ret_exit ? NULL : verb;
}
