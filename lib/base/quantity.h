/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "250ms", "64M", "0.2%", "p99.9" -> numbers, as systemd reads them. What a fraction has
 * beyond the smallest unit is cut off.
 * All: 0; -EINVAL: not so; -ERANGE: more than 63 bits hold. No sign, no whitespace around it.
 */
#ifndef RSP_LIB_QUANTITY_H
#define RSP_LIB_QUANTITY_H

#include <stdint.h>

/* us, ms, s (or none), min, h, d, and systemd's other names of them; several add up: "1min 30s". */
int rsp_duration_parse(const char *text, uint64_t *ret_ns);

/* K, M, G, T, each 1024 times the one before; B or none: bytes. */
int rsp_size_parse(const char *text, uint64_t *ret_bytes);

/* "0.2%" -> 2000 parts per million. */
int rsp_percent_parse(const char *text, uint64_t *ret_ppm);

/* "p99.9" -> 999000 parts per million. */
int rsp_quantile_parse(const char *text, uint64_t *ret_ppm);

#endif
