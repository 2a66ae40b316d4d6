/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "250ms", "10s", "2min" -> nanoseconds. */
#ifndef RSP_CLI_DURATION_H
#define RSP_CLI_DURATION_H

#include <stdint.h>

/* A whole number and a unit: us, ms, s (or none), min, h. -EINVAL: not so, or zero; -ERANGE. */
int rsp_duration_parse(const char *text, uint64_t *ret_ns);

#endif
