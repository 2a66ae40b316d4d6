/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the name in a list that is most similar to a misspelled word. */
#ifndef RSP_CLI_GUESS_H
#define RSP_CLI_GUESS_H

#include <stddef.h>

struct rsp_guess {
	const char *word; /* as the user wrote it */
	const char *best; /* the most similar name so far; NULL: no name is similar */
	size_t cost;	  /* of best */
};

/*
 * Compares the word with a name. The word and the name are similar if the word is a prefix of the
 * name, or if their distance (optimal string alignment) is one, or at most a third of the length of
 * the word. If several names are equally similar, guess->best is the first of them.
 */
void rsp_guess_try(struct rsp_guess *guess, const char *name);

#endif
