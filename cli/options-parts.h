/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of all options, and the functions that print help and report errors in the command
 * line.
 */
#ifndef RSP_CLI_OPTIONS_PARTS_H
#define RSP_CLI_OPTIONS_PARTS_H

#include "cli/options.h"

/* Maximum duration of a watch (io.rsp.Recorder.Watch), and of a recording with --for. */
#define RSP_FOR_MAX_NS 600000000000ULL

struct rsp_option_row {
	const char *name;
	int letter;	   /* 0: none */
	const char *value; /* name of the value in help texts; NULL: the option takes no value */
	bool is_optional;  /* the option may be given without a value */
	unsigned int bit;  /* enum rsp_option_bit; 0: every verb takes the option */
	/*
	 * Applies the value. The value is "" if the option takes none, and NULL if an optional
	 * value is missing. Returns 0 or RSP_EXIT_USAGE.
	 */
	int (*apply)(const char *value, struct rsp_options *opt);
	const char *help; /* one line; "": the previous row has the help */
};

/* The rows are in the order of help texts. A row with a NULL name ends the table. */
extern const struct rsp_option_row rsp_option_rows[];

/*
 * If width is not 0, lines are wrapped at that column. If width is 0, each verb and each option has
 * one line; the completion scripts of shells parse these lines.
 */
void rsp_help(const struct rsp_verb *verbs, unsigned int width);
void rsp_help_verb(const struct rsp_verb *verb, unsigned int width);

/* Reports an error in the command line, and refers the user to the help. Returns RSP_EXIT_USAGE. */
int rsp_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
