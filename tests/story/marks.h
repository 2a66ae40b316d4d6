/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verbs of a story (story.h) for records that the daemon makes: marks, names of containers, and
 * counters.
 */
#ifndef RSP_TESTS_STORY_MARKS_H
#define RSP_TESTS_STORY_MARKS_H

#include "tests/story/story.h"
#include "tests/story/words.h"

void story_tell_mark(struct story *s, struct words *w);
void story_tell_container(struct story *s, struct words *w);
void story_tell_pressure(struct story *s, struct words *w);
void story_tell_memory(struct story *s, struct words *w);
void story_tell_load(struct story *s, struct words *w);

#endif
