/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways for one task to wait for another: one task posts a token on a link, and the other waits for
 * it. To add a way, add an entry to the table of links.c.
 */
#ifndef TESTS_TRUTH_LINKS_H
#define TESTS_TRUTH_LINKS_H

#include <stdint.h>

#include "tests/truth/link.h"

extern const struct link_type link_types[];
extern const unsigned int link_type_cnt;

/* Call it before any task exists. A failure of any kind ends the program. */
void link_open(struct link *l, unsigned int type, int number, const pid_t *pid, const pid_t *tid,
	       const struct link_nets *nets);
/* Called by one process when no task uses the link any more. */
void link_close(struct link *l);
/* Call it before each post: returns when a post is possible. */
void link_expect_waiter(const struct link *l);
/* Waits for a token that is a byte. */
void link_read_byte(struct link *l);
/* Sets up what a process needs before it may take part; its threads inherit it. */
void links_prepare(void);

#endif
