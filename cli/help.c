/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints help texts from the tables of verbs and options. */
#include <stdio.h>
#include <string.h>

#include "cli/options-parts.h"
#include "lib/base/format.h"
#include "lib/base/wrap.h"

#define VERB_COL   37
#define OPTION_COL 29

/* help begins in column col, or later if name is long. */
static void print_row(const char *name, size_t col, const char *help, unsigned int width)
{
	size_t cols = rsp_format_columns(name);
	size_t gap = cols + 2 <= col ? col - cols : 2;

	printf("%s%*s", name, (int)gap, "");
	rsp_wrap(stdout, help, cols + gap, col, width);
	putchar('\n');
}

static void print_option(const struct rsp_option_row *row, unsigned int width)
{
	char letter[] = {'-', (char)row->letter, '\0'};
	char name[64];

	snprintf(name, sizeof(name), "  %2s --%s%s%s%s%s", row->letter ? letter : "", row->name,
		 row->is_optional ? "[" : "", row->value ? "=" : "", row->value ? row->value : "",
		 row->is_optional ? "]" : "");
	print_row(name, OPTION_COL, row->help, width);
}

/* If bits is 0, prints the options that every verb takes. */
static void print_options(unsigned int bits, unsigned int width)
{
	for (const struct rsp_option_row *row = rsp_option_rows; row->name; row++)
		if (bits ? row->bit & bits : !row->bit)
			print_option(row, width);
}

void rsp_help(const struct rsp_verb *verbs, unsigned int width)
{
	char name[64];

	puts("rspctl [OPTION…] [VERB] [ARG…]\n"
	     "\n"
	     "Explain why a process was slow, from the records of the flight recorder.\n");
	for (const struct rsp_verb *v = verbs; v->name; v++) {
		snprintf(name, sizeof(name), "  %s %s", v->name, v->synopsis);
		print_row(name, VERB_COL, v->help, width);
	}
	puts("");
	print_options(0, width);
	puts("\n'rspctl help VERB' shows the options of a verb. See rspctl(1).");
}

void rsp_help_verb(const struct rsp_verb *verb, unsigned int width)
{
	printf("rspctl %s [OPTION…]%s%s\n\n%s\n\n", verb->name, *verb->synopsis ? " " : "",
	       verb->synopsis, verb->help);
	if (verb->options)
		print_options(verb->options, width);
	print_options(0, width);
	puts("\nSee rspctl(1).");
}
