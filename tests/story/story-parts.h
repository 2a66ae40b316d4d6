/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private header of the parts of a story (story.h): the verbs in accounts.c, stacks.c and
 * verbs-names.c.
 */
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

void story_tell_file(struct story *s, struct words *w);
void story_tell_node(struct story *s, struct words *w);
void story_tell_cgroup(struct story *s, struct words *w);
void story_tell_anon(struct story *s, struct words *w);
void story_tell_pipe(struct story *s, struct words *w);
void story_tell_unix(struct story *s, struct words *w);
void story_tell_other(struct story *s, struct words *w);
void story_tell_handler(struct story *s, struct words *w);
void story_tell_drive(struct story *s, struct words *w);

__u64 story_next_id(struct words *w, const char *what);
__u64 story_value_id(struct words *w, const char *key);
__u32 story_parse_dev(struct words *w, const char *text);

#endif
