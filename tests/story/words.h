/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of a story -> its words, taken one after the other by whoever knows what they mean. What
 * is missing, malformed or not taken by anyone is an error of the line; the first one is kept.
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
	char error[160]; /* "": none */
};

/* Splits at blanks; line is written to, and must live on. */
void words_split(struct words *w, char *line);

__attribute__((format(printf, 2, 3))) void words_fail(struct words *w, const char *fmt, ...);

/* The next word, "" if there is none: an error, which calls it what. */
char *words_next(struct words *w, const char *what);
/* The next word as a number; an error if it is none, or above max. */
__u64 words_number(struct words *w, const char *what, __u64 max);
bool words_number_follows(const struct words *w);
/* Takes KEY=VALUE, wherever it is; NULL, or otherwise, if there is none. */
char *words_text(struct words *w, const char *key);
__u64 words_value(struct words *w, const char *key, __u64 max, __u64 otherwise);
/* Takes a word by itself, wherever it is. */
bool words_flag(struct words *w, const char *word);
/* An error if a word was not taken. */
void words_done(struct words *w);

#endif
