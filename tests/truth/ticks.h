/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits with repeated checks: the waiting task sleeps for a short time, checks whether its token is
 * there, and sleeps again.
 */
#ifndef TESTS_TRUTH_TICKS_H
#define TESTS_TRUTH_TICKS_H

#include <stdint.h>

#include "tests/truth/link.h"

/* The wait() functions of the link types with "-ticks" in their names (links.c). */
void ticks_wait_cond(struct link *l);
void ticks_wait_futex(struct link *l);
void ticks_wait_poll(struct link *l);
void ticks_wait_epoll(struct link *l);
void ticks_wait_select(struct link *l);

/*
 * Waits that no other task ends. ticks_wait_unsignalled() waits `us` microseconds for a condition
 * that no task signals. ticks_nap() sleeps `us` microseconds at a time until the link is readable.
 */
void ticks_wait_unsignalled(uint32_t us);
void ticks_nap(const struct link *l, uint32_t us);

#endif
