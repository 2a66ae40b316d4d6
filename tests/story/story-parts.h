/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verbs that accounts.c and stacks.c define. */
#ifndef RSP_TESTS_STORY_PARTS_H
#define RSP_TESTS_STORY_PARTS_H

#include "tests/story/story.h"

struct words;

void story_tell_account(struct story *s, struct words *w);
void story_tell_calls(struct story *s, struct words *w);
void story_tell_cpu_time(struct story *s, struct words *w);
void story_tell_stolen(struct story *s, struct words *w);
void story_tell_memory_sum(struct story *s, struct words *w);
void story_tell_memory_watch(struct story *s, struct words *w);

void story_tell_kstack(struct story *s, struct words *w);
void story_tell_ustack(struct story *s, struct words *w);
void story_tell_binary(struct story *s, struct words *w);
void story_tell_frames(struct story *s, struct words *w);

#endif
