/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a line of a story into words, which the verbs take one by one. Only the first error of a
 * line is kept.
 */
#ifndef RSP_TESTS_STORY_WORDS_H
#define RSP_TESTS_STORY_WORDS_H

#include <stdbool.h>

#include "rsp/event.h"

#define WORDS_MAX 24

struct words {
	char *v[WORDS_MAX];
	bool taken[WORDS_MAX];
	int cnt;
	char error[160]; /* "" if there is no error */
};

/* Splits line at blanks. Modifies line, which must stay valid while w is in use. */
void words_split(struct words *w, char *line);

__attribute__((format(printf, 2, 3))) void words_fail(struct words *w, const char *fmt, ...);

/*
 * Takes the next word. If there is none, sets an error that names the missing argument (what), and
 * returns "".
 */
char *words_next(struct words *w, const char *what);
/* Takes the next word as a number. Sets an error if the word is not a number, or is above max. */
__u64 words_number(struct words *w, const char *what, __u64 max);
bool words_number_follows(const struct words *w);
/*
 * words_text() takes KEY=VALUE at any position and returns VALUE, or NULL if KEY is missing.
 * words_value() returns VALUE as a number. otherwise: its result if KEY is missing.
 */
char *words_text(struct words *w, const char *key);
__u64 words_value(struct words *w, const char *key, __u64 max, __u64 otherwise);
bool words_flag(struct words *w, const char *word);
void words_done(struct words *w);

#endif
