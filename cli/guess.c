/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See guess.h. */
#include "cli/guess.h"

#include <string.h>

#define WORD_MAX 32 /* all verbs and options are shorter */

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Row i of the matrix contains the distances between the first i letters of a and each prefix of b.
 */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t d[WORD_MAX + 1][WORD_MAX + 1];

	for (size_t i = 0; i <= a_len; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= b_len; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		for (size_t j = 1; j <= b_len; j++) {
			size_t replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			d[i][j] = min(replaced, 1 + min(d[i - 1][j], d[i][j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = min(d[i][j], 1 + d[i - 2][j - 2]);
		}
	}
	return d[a_len][b_len];
}

void rsp_guess_try(struct rsp_guess *guess, const char *name)
{
	size_t word_len = strlen(guess->word), name_len = strlen(name), cost;

	if (word_len < 2 || word_len > WORD_MAX || name_len > WORD_MAX)
		return;
	cost = distance(guess->word, word_len, name, name_len);
	if (strncmp(name, guess->word, word_len) == 0)
		cost = 1;
	if (cost > 1 && cost * 3 > word_len)
		return;
	if (guess->best && guess->cost <= cost)
		return;
	guess->best = name;
	guess->cost = cost;
}
