/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See format.h. */
#include "lib/base/format.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/text.h"

/* Formats three significant digits, or an integer of 1000 or more. */
static void format_in(__u64 ns, __u64 unit_ns, const char *name, char *buf, size_t len)
{
	__u64 scale, n = 0;

	for (scale = 100; scale > 0; scale /= 10) {
		__u64 step = unit_ns / scale;

		n = ns / step + (ns % step * 2 >= step);
		if (n < 1000 || scale == 1)
			break;
	}
	if (scale == 100)
		snprintf(buf, len, "%llu.%02llu %s", n / 100, n % 100, name);
	else if (scale == 10)
		snprintf(buf, len, "%llu.%llu %s", n / 10, n % 10, name);
	else
		snprintf(buf, len, "%llu %s", n, name);
}

char *rsp_format_ns(__u64 ns, char *buf, size_t len)
{
	/* Three digits of 999.5 or more would be 1000, so the next unit is used. */
	if (ns >= 999500000)
		format_in(ns, 1000000000, "s", buf, len);
	else if (ns >= 999500)
		format_in(ns, 1000000, "ms", buf, len);
	else if (ns >= 1000)
		format_in(ns, 1000, "µs", buf, len);
	else
		snprintf(buf, len, "%llu ns", ns);
	return buf;
}

char *rsp_format_age(__u64 ns, char *buf, size_t len)
{
	__u64 s = ns / 1000000000, min = s / 60, h = min / 60, d = h / 24;

	if (min < 2)
		snprintf(buf, len, "%llu s", s);
	else if (h < 2)
		snprintf(buf, len, "%llu min", min);
	else if (d < 2)
		snprintf(buf, len, "%llu h %llu min", h, min % 60);
	else
		snprintf(buf, len, "%llu d %llu h", d, h % 24);
	return buf;
}

char *rsp_format_bytes(__u64 bytes, char *buf, size_t len)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	double n = (double)bytes;
	size_t i = 0;

	while (n >= 1024 && i + 1 < sizeof(units) / sizeof(units[0])) {
		n /= 1024;
		i++;
	}
	snprintf(buf, len, "%.*f %s", i > 0 && n < 100, n, units[i]);
	return buf;
}

static __u64 rounded_share(__u64 part, __u64 whole, unsigned int parts)
{
	return whole ? (__u64)(((unsigned __int128)part * parts + whole / 2) / whole) : 0;
}

char *rsp_format_amount(__u64 amount, const char *unit, char *buf, size_t len)
{
	if (strcmp(unit, "ns") == 0)
		return rsp_format_ns(amount, buf, len);
	if (strcmp(unit, "bytes") == 0)
		return rsp_format_bytes(amount, buf, len);
	snprintf(buf, len, "%llu %s", amount, unit);
	return buf;
}

char *rsp_format_share(__u64 part, __u64 whole, char *buf, size_t len)
{
	__u64 tenths = rounded_share(part, whole, 1000);

	if (whole == 0 || part == 0)
		snprintf(buf, len, "0 %%");
	else if (part == whole)
		snprintf(buf, len, "100 %%");
	else if (tenths == 0)
		snprintf(buf, len, "<0.1 %%");
	else if (tenths >= 995 && part < whole)
		snprintf(buf, len, "99.%llu %%", tenths < 999 ? tenths - 990 : 9);
	else if (tenths < 100)
		snprintf(buf, len, "%llu.%llu %%", tenths / 10, tenths % 10);
	else
		snprintf(buf, len, "%llu %%", rounded_share(part, whole, 100));
	return buf;
}

/* Returns column col of the valid UTF-8 string s, or its terminator. */
static char *column(char *s, size_t col)
{
	for (; *s; s++)
		if (((unsigned char)*s & 0xc0) != 0x80 && col-- == 0)
			break;
	return s;
}

char *rsp_format_name(const char *name, size_t cols, char *buf, size_t len)
{
	static const char cut[] = "…";
	bool keep_end = name[0] == '/';
	size_t total, bytes = strlen(name);
	char *tail;

	if (len < RSP_FORMAT_NAME_BYTES(cols))
		cols = len < RSP_FORMAT_NAME_BYTES(1) ? 0 : len / 4 - 1;
	if (cols == 0) {
		if (len > 0)
			buf[0] = '\0';
		return buf;
	}
	/*
	 * A column takes at most 4 bytes, so a part that does not fit into buf would be cut anyway.
	 */
	snprintf(buf, len, "%s", keep_end && bytes >= len ? name + bytes - (len - 1) : name);
	rsp_text_clean(buf);
	total = rsp_format_columns(buf);
	if (total <= cols)
		return buf;
	if (keep_end) {
		tail = column(buf, total - cols + 1);
		memmove(buf + strlen(cut), tail, strlen(tail) + 1);
		memcpy(buf, cut, strlen(cut));
	} else {
		memcpy(column(buf, cols - 1), cut, sizeof(cut));
	}
	return buf;
}

size_t rsp_format_columns(const char *s)
{
	size_t cols = 0;

	for (; *s; s++)
		cols += ((unsigned char)*s & 0xc0) != 0x80;
	return cols;
}

void rsp_format_apportion(const __u64 *v, size_t n, __u64 whole, __u64 parts, __u64 *ret)
{
	__u64 given = 0;

	for (size_t i = 0; i < n; i++) {
		ret[i] = whole ? (__u64)((unsigned __int128)v[i] * parts / whole) : 0;
		given += ret[i];
	}
	/*
	 * The rounded results are too small by less than n parts. Adds one part each to the results
	 * with the largest remainders.
	 */
	for (; whole && given < parts; given++) {
		__u64 best = 0;
		size_t best_i = 0;

		for (size_t i = 0; i < n; i++) {
			__u64 floor = (__u64)((unsigned __int128)v[i] * parts / whole);
			__u64 rest = (__u64)((unsigned __int128)v[i] * parts % whole);

			if (ret[i] == floor && rest > best) {
				best = rest;
				best_i = i;
			}
		}
		ret[best_i]++;
	}
}
