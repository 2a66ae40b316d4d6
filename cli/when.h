/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points in time as journalctl(1) has them -> CLOCK_MONOTONIC, by which the recorder counts:
 * "2026-11-21 10:42:00", "10:42", "-5min", "5min ago", "+2s", "now", "@1795257720".
 */
#ifndef RSP_CLI_WHEN_H
#define RSP_CLI_WHEN_H

#include <stdint.h>

/* What is before the machine's start is its start, 1 ns. 0; -EINVAL: no such time. */
int rsp_when_parse(const char *text, uint64_t *ret_ns);

/*
 * Parses a date, a time of the day of day_ns, or both, in the local time zone. Both times are
 * CLOCK_REALTIME. 0; -EINVAL: text is none of these.
 */
int rsp_when_parse_date(const char *text, int64_t day_ns, int64_t *ret_ns);

uint64_t rsp_when_now_ns(void);

#endif
