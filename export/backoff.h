/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times between attempts. They are random, because all hosts of a fleet lose a server at the same
 * moment.
 */
#ifndef RSP_EXPORT_BACKOFF_H
#define RSP_EXPORT_BACKOFF_H

#include <stdint.h>

#define RSP_BACKOFF_MIN_US	      1000000ULL
#define RSP_BACKOFF_MAX_US	      (300 * 1000000ULL)
#define RSP_BACKOFF_RETRY_AFTER_MAX_S 3600U

/*
 * Returns the time until the next attempt after failure_cnt failures in a row: 1 s, doubled by each
 * further failure up to 5 min, and then reduced by a random part of at most a half. If the server
 * asked for a longer pause, returns that pause (at most an hour), increased by a random part of at
 * most a half.
 */
uint64_t rsp_backoff_us(unsigned int failure_cnt, unsigned int retry_after_s, uint32_t random);

/* Returns the interval, changed at random by at most a tenth in either direction. */
uint64_t rsp_backoff_jitter_us(uint64_t interval_us, uint32_t random);

uint32_t rsp_backoff_random(void);

#endif
