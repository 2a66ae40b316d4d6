/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See words.h. */
#include "tests/story/words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void words_fail(struct words *w, const char *fmt, ...)
{
	va_list args;

	if (*w->error)
		return;
	va_start(args, fmt);
	vsnprintf(w->error, sizeof(w->error), fmt, args);
	va_end(args);
}

void words_split(struct words *w, char *line)
{
	char *word;

	*w = (struct words){0};
	while ((word = strsep(&line, " \t\r"))) {
		if (!*word)
			continue;
		if (w->cnt == WORDS_MAX) {
			words_fail(w, "more than %d words", WORDS_MAX);
			return;
		}
		w->v[w->cnt++] = word;
	}
}

static int next_of(const struct words *w)
{
	for (int i = 0; i < w->cnt; i++)
		if (!w->taken[i])
			return i;
	return -1;
}

char *words_next(struct words *w, const char *what)
{
	static char none[] = "";
	int i = next_of(w);

	if (i < 0) {
		words_fail(w, "%s is missing", what);
		return none;
	}
	w->taken[i] = true;
	return w->v[i];
}

static __u64 parse(struct words *w, const char *what, const char *text, __u64 max)
{
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(text, &end, 0);
	if (*text < '0' || *text > '9' || *end || errno)
		words_fail(w, "%s is no number: \"%s\"", what, text);
	else if (number > max)
		words_fail(w, "%s is above %llu: \"%s\"", what, max, text);
	return *w->error ? 0 : number;
}

__u64 words_number(struct words *w, const char *what, __u64 max)
{
	const char *text = words_next(w, what);

	return *w->error ? 0 : parse(w, what, text, max);
}

bool words_number_follows(const struct words *w)
{
	int i = next_of(w);

	return i >= 0 && *w->v[i] >= '0' && *w->v[i] <= '9';
}

char *words_text(struct words *w, const char *key)
{
	size_t len = strlen(key);

	for (int i = 0; i < w->cnt; i++) {
		if (w->taken[i] || strncmp(w->v[i], key, len) != 0 || w->v[i][len] != '=')
			continue;
		w->taken[i] = true;
		return w->v[i] + len + 1;
	}
	return NULL;
}

__u64 words_value(struct words *w, const char *key, __u64 max, __u64 otherwise)
{
	const char *text = words_text(w, key);

	return text ? parse(w, key, text, max) : otherwise;
}

bool words_flag(struct words *w, const char *word)
{
	for (int i = 0; i < w->cnt; i++) {
		if (w->taken[i] || strcmp(w->v[i], word) != 0)
			continue;
		w->taken[i] = true;
		return true;
	}
	return false;
}

void words_done(struct words *w)
{
	int i = next_of(w);

	if (i >= 0)
		words_fail(w, "what is \"%s\"?", w->v[i]);
}
