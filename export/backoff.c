/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See backoff.h. */
#include "export/backoff.h"

#include <sys/random.h>

/* The part is 0 if random is 0, and almost whole if random is UINT32_MAX. */
static uint64_t part(uint64_t whole, uint32_t random)
{
	return (uint64_t)((unsigned __int128)whole * random >> 32);
}

uint64_t rsp_backoff_us(unsigned int failure_cnt, unsigned int retry_after_s, uint32_t random)
{
	uint64_t us = RSP_BACKOFF_MIN_US, asked_us;

	for (unsigned int i = 1; i < failure_cnt && us < RSP_BACKOFF_MAX_US; i++)
		us *= 2;
	if (us > RSP_BACKOFF_MAX_US)
		us = RSP_BACKOFF_MAX_US;
	us -= part(us / 2, random);
	if (retry_after_s > RSP_BACKOFF_RETRY_AFTER_MAX_S)
		retry_after_s = RSP_BACKOFF_RETRY_AFTER_MAX_S;
	asked_us = retry_after_s * 1000000ULL;
	asked_us += part(asked_us / 2, random);
	return us > asked_us ? us : asked_us;
}

uint64_t rsp_backoff_jitter_us(uint64_t interval_us, uint32_t random)
{
	return interval_us - interval_us / 10 + part(interval_us / 5, random);
}

uint32_t rsp_backoff_random(void)
{
	uint32_t random = 0;

	/* getrandom() cannot fail for 256 bytes or less. */
	return getrandom(&random, sizeof(random), 0) == sizeof(random) ? random : 0;
}
