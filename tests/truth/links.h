/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways for one task to wait for another: a token is posted on a link and waited for. A new way is
 * one entry in the table of links.c.
 */
#ifndef TESTS_TRUTH_LINKS_H
#define TESTS_TRUTH_LINKS_H

#include <stdint.h>

#include "tests/truth/link.h"

extern const struct link_type link_types[];
extern const unsigned int link_type_cnt;

/* Before any task exists. Failures of any kind end the program. */
void link_open(struct link *l, unsigned int type, int number, const pid_t *pid, const pid_t *tid,
	       const struct link_nets *nets);
/* By one process, when no task uses it any more. */
void link_close(struct link *l);
/* Before each post: returns when one is possible. */
void link_expect_waiter(const struct link *l);
/* What a process needs before it may take part: its threads inherit it. */
void links_prepare(void);

#endif
