/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several symbols at one address: which name a reader would rather see. The same order for kernel
 * and ELF symbols, total, so that a report does not change from run to run.
 */
#ifndef RSP_LIB_ALIAS_H
#define RSP_LIB_ALIAS_H

#include <string.h>

struct rsp_alias {
	const char *name;
	int binding; /* larger is more visible: local < weak < global */
};

/*
 * Negative: a is the better name. Fewer leading underscores first (libc's weak "read" over its
 * global
 * "__read"), then the more visible (__x64_sys_sync over __do_sys_sync), then the shorter.
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
