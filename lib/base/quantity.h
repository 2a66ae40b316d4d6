/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses "250ms", "64M", "0.2%" and "p99.9". Fractions of the smallest unit are cut off. Each
 * function returns 0, -EINVAL if the text has another form, or -ERANGE if the value needs more than
 * 63 bits. Signs and leading whitespace are not allowed.
 */
#ifndef RSP_LIB_QUANTITY_H
#define RSP_LIB_QUANTITY_H

#include <stdint.h>

/*
 * Units: us, ms, s (or no unit), min, h, d, and systemd's other names for these units. Several
 * durations are added: "1min 30s".
 */
int rsp_duration_parse(const char *text, uint64_t *ret_ns);

/* Units: K, M, G, T, each 1024 times the previous one; B or no unit means bytes. */
int rsp_size_parse(const char *text, uint64_t *ret_bytes);

/* "0.2%" yields 2000 parts per million. */
int rsp_percent_parse(const char *text, uint64_t *ret_ppm);

/* "p99.9" yields 999000 parts per million. */
int rsp_quantile_parse(const char *text, uint64_t *ret_ppm);

#endif
