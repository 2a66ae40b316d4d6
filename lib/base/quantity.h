/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses "250ms", "64M", "0.2%", "p99.9" as systemd does. Fractions of the smallest unit are cut
 * off. Each function returns 0, -EINVAL if the text has another form, or -ERANGE if the value does
 * not fit 63 bits. No sign or surrounding whitespace is allowed.
 */
#ifndef RSP_LIB_QUANTITY_H
#define RSP_LIB_QUANTITY_H

#include <stdint.h>

/*
 * us, ms, s (or no unit), min, h, d, and systemd's other names for them; terms add up: "1min 30s".
 */
int rsp_duration_parse(const char *text, uint64_t *ret_ns);

/* K, M, G, T, each 1024 times the previous one; bytes with B or no unit. */
int rsp_size_parse(const char *text, uint64_t *ret_bytes);

/* "0.2%" -> 2000 parts per million. */
int rsp_percent_parse(const char *text, uint64_t *ret_ppm);

/* "p99.9" -> 999000 parts per million. */
int rsp_quantile_parse(const char *text, uint64_t *ret_ppm);

#endif
