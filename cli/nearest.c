/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See nearest.h. */
#include "cli/nearest.h"

#include <string.h>

/* Longer words are similar to nothing. */
#define LEN_MAX 32

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* d[i][j]: the distance of the first i letters of a from the first j letters of b. */
static size_t distance_of(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t d[LEN_MAX + 1][LEN_MAX + 1];

	for (size_t i = 0; i <= a_len; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= b_len; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= a_len; i++)
		for (size_t j = 1; j <= b_len; j++) {
			d[i][j] = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			d[i][j] = least(d[i][j], least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[a_len][b_len];
}

void rsp_nearest_try(struct rsp_nearest *n, const char *candidate)
{
	size_t word_len = strlen(n->word), len = strlen(candidate), distance;

	if (word_len > LEN_MAX || len > LEN_MAX)
		return;
	distance = distance_of(n->word, word_len, candidate, len);
	if (distance * 3 > len || (n->found && distance >= n->distance))
		return;
	n->found = candidate;
	n->distance = distance;
}
