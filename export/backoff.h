/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the times between attempts to send. These times are partly random: if a server fails,
 * all hosts of a fleet notice this at the same moment, and should not send again at the same
 * moment.
 */
#ifndef RSP_EXPORT_BACKOFF_H
#define RSP_EXPORT_BACKOFF_H

#include <stdint.h>

#define RSP_BACKOFF_MIN_US	      1000000ULL
#define RSP_BACKOFF_MAX_US	      (300 * 1000000ULL)
#define RSP_BACKOFF_RETRY_AFTER_MAX_S 3600U

/*
 * Returns the time until the next attempt after failure_cnt failures in a row. This time doubles
 * with each failure, from 1 s up to 5 min, and is then reduced at random by up to a half. If the
 * server asked for a longer pause, returns this pause (at most an hour), increased at random by up
 * to a half.
 */
uint64_t rsp_backoff_us(unsigned int failure_cnt, unsigned int retry_after_s, uint32_t random);

/* Returns the interval, changed at random by up to 10 % in either direction. */
uint64_t rsp_backoff_jitter_us(uint64_t interval_us, uint32_t random);

uint32_t rsp_backoff_random(void);

#endif
