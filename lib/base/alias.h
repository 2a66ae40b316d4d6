/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * If several symbols have the same address, chooses the one that reports show. The order is total,
 * so the choice does not depend on the order of the symbols in a file.
 */
#ifndef RSP_LIB_ALIAS_H
#define RSP_LIB_ALIAS_H

#include <string.h>

struct rsp_alias {
	const char *name;
	int binding; /* more visible bindings are larger: local < weak < global */
};

/*
 * Returns a negative number if a is the better name, a positive number if b is. The name with fewer
 * leading underscores is better (libc's weak "read" is better than its global "__read"). Then the
 * more visible one is better (__x64_sys_sync than __do_sys_sync), then the shorter one.
 */
static inline int rsp_alias_compare(struct rsp_alias a, struct rsp_alias b)
{
	size_t a_bars = strspn(a.name, "_"), b_bars = strspn(b.name, "_");
	size_t a_len, b_len;

	if (a_bars != b_bars)
		return a_bars < b_bars ? -1 : 1;
	if (a.binding != b.binding)
		return a.binding > b.binding ? -1 : 1;
	a_len = strlen(a.name);
	b_len = strlen(b.name);
	if (a_len != b_len)
		return a_len < b_len ? -1 : 1;
	return strcmp(a.name, b.name);
}

#endif
