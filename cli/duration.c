/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See duration.h. */
#include "cli/duration.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int rsp_duration_parse(const char *text, uint64_t *ret_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{"", 1000000000}, {"s", 1000000000},	{"ms", 1000000},
		{"us", 1000},	  {"min", 60000000000}, {"h", 3600000000000},
	};
	unsigned long long n;
	uint64_t ns;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno)
		return -errno;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name) != 0)
			continue;
		if (__builtin_mul_overflow(n, units[i].ns, &ns) || ns > INT64_MAX)
			return -ERANGE;
		if (ns == 0)
			return -EINVAL;
		*ret_ns = ns;
		return 0;
	}
	return -EINVAL;
}
