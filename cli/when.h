/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses points in time in the syntax of journalctl(1): "2026-11-21 10:42:00", "10:42", "-5min",
 * "5min ago", "+2s", "now", "@1795257720". The result is CLOCK_MONOTONIC, the clock of the
 * recorder.
 */
#ifndef RSP_CLI_WHEN_H
#define RSP_CLI_WHEN_H

#include <stdint.h>

/* A time before the machine's start becomes 1 ns. Returns 0, or -EINVAL if text is not a time. */
int rsp_when_parse(const char *text, uint64_t *ret_ns);

/*
 * Parses the same syntax as rsp_when_parse(), but returns CLOCK_REALTIME. The time may be before
 * the machine's start.
 */
int rsp_when_parse_realtime(const char *text, int64_t *ret_ns);

/*
 * Parses a date, a time of day, or both, in the local time zone. Without a date, the time is on the
 * day that contains day_ns. day_ns and *ret_ns are CLOCK_REALTIME. Returns 0, or -EINVAL if text is
 * not a date or time.
 */
int rsp_when_parse_date(const char *text, int64_t day_ns, int64_t *ret_ns);

uint64_t rsp_when_now_ns(void);

#endif
