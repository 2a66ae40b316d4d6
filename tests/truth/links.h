/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways for one task to wait for another task. One task posts a token on a link, and the other task
 * waits for the token. To add a way, add an entry to the table in links.c.
 */
#ifndef TESTS_TRUTH_LINKS_H
#define TESTS_TRUTH_LINKS_H

#include <stdint.h>

#include "tests/truth/link.h"

extern const struct link_type link_types[];
extern const unsigned int link_type_cnt;

/* Opens a link before any task exists. Ends the program on failure. */
void link_open(struct link *l, unsigned int type, int number, const pid_t *pid, const pid_t *tid,
	       const struct link_nets *nets);
/* Frees the link. Call it in one process only, when no task uses the link any more. */
void link_close(struct link *l);
/* Waits until a task may post on the link: some types need a waiting task that exists. */
void link_expect_waiter(const struct link *l);
/*
 * Call links_prepare() before the process starts threads, because threads inherit the set of
 * blocked signals.
 */
void links_prepare(void);

#endif
