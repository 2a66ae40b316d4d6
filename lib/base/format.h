/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats numbers and names as short strings for people. Each function with a parameter buf, of len
 * bytes, terminates the string with a NUL and returns buf.
 */
#ifndef RSP_LIB_FORMAT_H
#define RSP_LIB_FORMAT_H

#include <linux/types.h>
#include <stddef.h>

/* sufficient for any function that formats a number */
#define RSP_FORMAT_MAX 32

/* Formats a duration as "3.41 s", "12.3 ms", "870 µs" or "45 ns". */
char *rsp_format_ns(__u64 ns, char *buf, size_t len);

/* Formats an age or a duration roughly: "45 s", "12 min", "3 h 20 min", "12 d 4 h". */
char *rsp_format_age(__u64 ns, char *buf, size_t len);

/* Formats a size as "870 B" or "12.3 MiB". */
char *rsp_format_bytes(__u64 bytes, char *buf, size_t len);

/* The unit may be "ns", "bytes", or any other: "12 faults". */
char *rsp_format_amount(__u64 amount, const char *unit, char *buf, size_t len);

/*
 * Formats a share: "92 %", "5.7 %", "<0.1 %". The result is "100 %" only if this is exact, and "0
 * %" only if part or whole is 0.
 */
char *rsp_format_share(__u64 part, __u64 whole, char *buf, size_t len);

/*
 * Makes a name safe for a terminal: cleans it with rsp_text_clean(), and cuts it to at most cols
 * columns. Cuts a name at its end, but a path at its beginning, and marks the cut with "…". If buf
 * is smaller than RSP_FORMAT_NAME_BYTES(cols), the name is cut to fit buf.
 */
char *rsp_format_name(const char *name, size_t cols, char *buf, size_t len);
#define RSP_FORMAT_NAME_BYTES(cols) (((size_t)(cols) + 1) * 4)

/* Returns the number of columns of a valid UTF-8 string; a code point counts as one. */
size_t rsp_format_columns(const char *s);

/*
 * Scales figures so that they still add up. whole is the sum of v. The sum of ret is parts (largest
 * remainder method).
 */
void rsp_format_apportion(const __u64 *v, size_t n, __u64 whole, __u64 parts, __u64 *ret);

#endif
