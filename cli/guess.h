/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A misspelled word and a list of names -> the name that was meant. */
#ifndef RSP_CLI_GUESS_H
#define RSP_CLI_GUESS_H

#include <stddef.h>

struct rsp_guess {
	const char *word; /* as the user wrote it */
	const char *best; /* the nearest name so far; NULL: none is near */
	size_t cost;	  /* of best */
};

/*
 * Compares the word with a name. They are similar if the word is a beginning of the name, or if at
 * most one change for every three letters turns it into the name; one change is always allowed. A
 * change adds, removes or replaces a letter, or swaps two (the distance of optimal string
 * alignment). The first of equally similar names is kept.
 */
void rsp_guess_try(struct rsp_guess *guess, const char *name);

#endif
