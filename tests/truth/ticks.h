/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits with repeated checks. The waiting task sleeps for a short time, checks whether its token is
 * there, and sleeps again. A post wakes the task if it is asleep at that moment.
 */
#ifndef TESTS_TRUTH_TICKS_H
#define TESTS_TRUTH_TICKS_H

#include <stdint.h>

#include "tests/truth/link.h"

/* Ways to wait on a link, for the table in links.c. */
void ticks_wait_cond(struct link *l);
void ticks_wait_futex(struct link *l);
void ticks_wait_poll(struct link *l);
void ticks_wait_epoll(struct link *l);
void ticks_wait_select(struct link *l);

/*
 * No task ends these waits. ticks_wait_unsignalled() waits `us` microseconds for a condition that
 * no task signals. ticks_nap() sleeps `us` microseconds at a time until the link can be read.
 */
void ticks_wait_unsignalled(uint32_t us);
void ticks_nap(const struct link *l, uint32_t us);

#endif
