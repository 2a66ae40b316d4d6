/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits that look now and then: each sleeps for a short while at most, looks whether its token is
 * there, and goes on. A post wakes the waiter if it sleeps just then.
 */
#ifndef TESTS_TRUTH_TICKS_H
#define TESTS_TRUTH_TICKS_H

#include <stdint.h>

#include "tests/truth/link.h"

/* Ways to wait on a link; for the table of links.c. */
void ticks_wait_cond(struct link *l);
void ticks_wait_futex(struct link *l);
void ticks_wait_poll(struct link *l);
void ticks_wait_epoll(struct link *l);
void ticks_wait_select(struct link *l);

/*
 * No task ends these waits: for a condition that is not signalled for us microseconds, and in
 * sleeps of us microseconds until the link can be read.
 */
void ticks_wait_unsignalled(uint32_t us);
void ticks_nap(const struct link *l, uint32_t us);

#endif
