/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats numbers and names as short strings for people. Every function that fills buf, of len
 * bytes, terminates it and returns it.
 */
#ifndef RSP_LIB_FORMAT_H
#define RSP_LIB_FORMAT_H

#include <linux/types.h>
#include <stddef.h>

/* Room for the result of any function below that formats a number. */
#define RSP_FORMAT_MAX 32

/*
 * Formats a time as "3.41 s", "12.3 ms", "870 µs" or "45 ns": three significant digits; whole
 * seconds from 1000 s on.
 */
char *rsp_format_ns(__u64 ns, char *buf, size_t len);

/* Formats an age or a duration roughly: "45 s", "12 min", "3 h 20 min", "12 d 4 h". */
char *rsp_format_age(__u64 ns, char *buf, size_t len);

/* Formats a size as "870 B" or "12.3 MiB". */
char *rsp_format_bytes(__u64 bytes, char *buf, size_t len);

/*
 * Formats an amount in "ns" or "bytes" like the functions above, and in another unit as "12
 * faults".
 */
char *rsp_format_amount(__u64 amount, const char *unit, char *buf, size_t len);

/*
 * Formats the share of part in whole: "92 %", "5.7 %", "<0.1 %". The result is "100 %" or "0 %"
 * only if that is exact, and "0 %" if whole is 0.
 */
char *rsp_format_share(__u64 part, __u64 whole, char *buf, size_t len);

/*
 * Makes a name safe for a terminal: cleaned by rsp_text_clean() and at most cols columns wide (a
 * code point counts as one). A longer name is cut at its end, a path at its beginning; "…" marks
 * the cut. If buf is smaller than RSP_FORMAT_NAME_BYTES(cols), the name is cut earlier.
 */
char *rsp_format_name(const char *name, size_t cols, char *buf, size_t len);
#define RSP_FORMAT_NAME_BYTES(cols) (((size_t)(cols) + 1) * 4)

/* Returns the number of columns of a valid UTF-8 string; a code point counts as one. */
size_t rsp_format_columns(const char *s);

/*
 * Scales figures so that they still add up: ret[i] is v[i] scaled from a sum of whole to a sum of
 * parts, and rounded up or down so that the sum is exact (largest remainder method). whole is the
 * sum of v.
 */
void rsp_format_apportion(const __u64 *v, size_t n, __u64 whole, __u64 parts, __u64 *ret);

#endif
