/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The word that a user probably meant. */
#ifndef RSP_CLI_NEAREST_H
#define RSP_CLI_NEAREST_H

#include <stddef.h>

struct rsp_nearest {
	const char *word;  /* what the user wrote */
	const char *found; /* NULL: nothing is similar */
	size_t distance;
};

/*
 * Replaces n->found if candidate is closer to n->word. Words are similar if up to a third of the
 * letters are missing, wrong, superfluous or swapped with their neighbours (optimal string
 * alignment distance). candidate must live as long as n.
 */
void rsp_nearest_try(struct rsp_nearest *n, const char *candidate);

#endif
