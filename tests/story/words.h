/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a line of a story into words. The interpreter of the line takes them one after the other.
 * A missing, malformed or left-over word is an error of the line. Only the first error is kept.
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
	char error[160]; /* "": no error */
};

/* Splits line at blanks. Modifies line, which must stay valid as long as the words. */
void words_split(struct words *w, char *line);

__attribute__((format(printf, 2, 3))) void words_fail(struct words *w, const char *fmt, ...);

/*
 * Takes the next word. If there are no more words, sets an error that contains what, and returns
 * "".
 */
char *words_next(struct words *w, const char *what);
/* Takes the next word as a number. Sets an error if the word is not a number, or is above max. */
__u64 words_number(struct words *w, const char *what, __u64 max);
bool words_number_follows(const struct words *w);
/* Takes KEY=VALUE, at any position. Without KEY, returns NULL (words_text) or otherwise. */
char *words_text(struct words *w, const char *key);
__u64 words_value(struct words *w, const char *key, __u64 max, __u64 otherwise);
/* Takes a word, at any position. */
bool words_flag(struct words *w, const char *word);
/* Sets an error if any word is left. */
void words_done(struct words *w);

#endif
