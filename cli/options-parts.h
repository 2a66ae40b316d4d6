/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of options share: the table of all options, and how misuse is told. */
#ifndef RSP_CLI_OPTIONS_PARTS_H
#define RSP_CLI_OPTIONS_PARTS_H

#include "cli/options.h"

/* The recorder counts system calls no longer than that. */
#define RSP_FOR_MAX_NS 600000000000ULL

struct rsp_option_row {
	const char *name;
	int letter;	   /* 0: none */
	const char *value; /* what help texts call the value; NULL: it takes none */
	bool is_optional;  /* the value may be missing */
	unsigned int bit;  /* enum rsp_option_bit; 0: every verb takes the option */
	/* Applies the value, "" if it takes none, NULL if it is missing. 0 or RSP_EXIT_USAGE. */
	int (*apply)(const char *value, struct rsp_options *opt);
	const char *help; /* one line; "": stands in the line above */
};

/* In the order of help texts; ends with a NULL name. */
extern const struct rsp_option_row rsp_option_rows[];

/* Tells what is wrong with the command line, and where to read on. Returns RSP_EXIT_USAGE. */
int rsp_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
