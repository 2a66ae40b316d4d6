/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times between attempts. All hosts of a fleet lose a server at the same moment. */
#ifndef RSP_EXPORT_BACKOFF_H
#define RSP_EXPORT_BACKOFF_H

#include <stdint.h>

#define RSP_BACKOFF_MIN_US	      1000000ULL
#define RSP_BACKOFF_MAX_US	      (300 * 1000000ULL)
#define RSP_BACKOFF_RETRY_AFTER_MAX_S 3600U

/*
 * Returns the time until the next attempt after failure_cnt failures in a row: 1 s, doubled by each
 * further failure up to 5 min, of which a random part of up to a half is taken away. If the server
 * asked for a longer pause, that pause, up to an hour, and a random part of up to a half more.
 */
uint64_t rsp_backoff_us(unsigned int failure_cnt, unsigned int retry_after_s, uint32_t random);

/* Returns the interval, longer or shorter by a random part of up to a tenth. */
uint64_t rsp_backoff_jitter_us(uint64_t interval_us, uint32_t random);

uint32_t rsp_backoff_random(void);

#endif
