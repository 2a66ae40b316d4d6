/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See quantity.h. */
#include "lib/base/quantity.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

/* A nanosecond is nine digits after the decimal point of a second. */
#define FRACTION_DIGITS_MAX 9

struct unit {
	const char *name;
	uint64_t factor;
};

#define ARRAY_CNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct unit *find_unit(const char *name, size_t len, const struct unit *units,
				    size_t cnt)
{
	for (size_t i = 0; i < cnt; i++)
		if (strlen(units[i].name) == len && strncmp(units[i].name, name, len) == 0)
			return &units[i];
	return NULL;
}

struct decimal {
	uint64_t whole, fraction, scale; /* whole + fraction / scale */
};

/* Moves *text past the digits. */
static int parse_decimal(const char **text, struct decimal *ret)
{
	struct decimal d = {.scale = 1};
	const char *s = *text;
	int digits = 0;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	for (; isdigit((unsigned char)*s); s++)
		if (__builtin_mul_overflow(d.whole, 10, &d.whole) ||
		    __builtin_add_overflow(d.whole, (uint64_t)(*s - '0'), &d.whole))
			return -ERANGE;
	if (*s == '.') {
		for (s++; isdigit((unsigned char)*s) && digits < FRACTION_DIGITS_MAX; s++) {
			d.fraction = d.fraction * 10 + (uint64_t)(*s - '0');
			d.scale *= 10;
			digits++;
		}
		if (digits == 0 || isdigit((unsigned char)*s))
			return -EINVAL;
	}
	*text = s;
	*ret = d;
	return 0;
}

static int parse_term(const char **text, const struct unit *units, size_t cnt, uint64_t *ret)
{
	const struct unit *unit;
	const char *s = *text;
	unsigned __int128 n;
	struct decimal d;
	size_t len;
	int r;

	r = parse_decimal(&s, &d);
	if (r < 0)
		return r;
	len = strcspn(s, " 0123456789");
	unit = find_unit(s, len, units, cnt);
	if (!unit)
		return -EINVAL;
	n = (unsigned __int128)d.whole * unit->factor +
	    (unsigned __int128)d.fraction * unit->factor / d.scale;
	if (n > INT64_MAX)
		return -ERANGE;
	*text = s + len;
	*ret = (uint64_t)n;
	return 0;
}

static int parse_one(const char *text, const struct unit *units, size_t cnt, uint64_t *ret)
{
	uint64_t n;
	int r;

	r = parse_term(&text, units, cnt, &n);
	if (r == 0 && *text)
		r = -EINVAL;
	if (r == 0)
		*ret = n;
	return r;
}

int rsp_duration_parse(const char *text, uint64_t *ret_ns)
{
	static const struct unit units[] = {
		{"", 1000000000},	  {"us", 1000},
		{"usec", 1000},		  {"ms", 1000000},
		{"msec", 1000000},	  {"s", 1000000000},
		{"sec", 1000000000},	  {"second", 1000000000},
		{"seconds", 1000000000},  {"m", 60000000000},
		{"min", 60000000000},	  {"minute", 60000000000},
		{"minutes", 60000000000}, {"h", 3600000000000},
		{"hr", 3600000000000},	  {"hour", 3600000000000},
		{"hours", 3600000000000}, {"d", 86400000000000},
		{"day", 86400000000000},  {"days", 86400000000000},
	};
	uint64_t sum = 0, n;
	int r;

	do {
		r = parse_term(&text, units, ARRAY_CNT(units), &n);
		if (r < 0)
			return r;
		sum += n; /* each below 2^63 */
		if (sum > INT64_MAX)
			return -ERANGE;
		text += strspn(text, " ");
	} while (*text);
	*ret_ns = sum;
	return 0;
}

int rsp_size_parse(const char *text, uint64_t *ret_bytes)
{
	static const struct unit units[] = {
		{"", 1},	   {"B", 1},	      {"K", 1ULL << 10},
		{"M", 1ULL << 20}, {"G", 1ULL << 30}, {"T", 1ULL << 40},
	};

	return parse_one(text, units, ARRAY_CNT(units), ret_bytes);
}

int rsp_percent_parse(const char *text, uint64_t *ret_ppm)
{
	static const struct unit percent = {"%", 10000};

	return parse_one(text, &percent, 1, ret_ppm);
}

int rsp_quantile_parse(const char *text, uint64_t *ret_ppm)
{
	static const struct unit percentile = {"", 10000};

	return *text == 'p' ? parse_one(text + 1, &percentile, 1, ret_ppm) : -EINVAL;
}
