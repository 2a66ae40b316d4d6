/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the mappings of /proc/PID/maps one by one. */
#ifndef RSP_LIB_PROCMAPS_H
#define RSP_LIB_PROCMAPS_H

#include <stdbool.h>
#include <stdio.h>

#include "rsp/event.h"

struct rsp_procmaps {
	FILE *f; /* NULL: the process does not exist, or access is denied */
	size_t line_cnt;
};

struct rsp_procmap {
	__u64 start, end;
	__u64 ino; /* 0: no file */
	__u32 dev; /* major << 20 | minor */
	bool executable;
	char name[16]; /* the beginning of the path, of "[vdso]" or of "[anon:…]"; "": no name */
};

void rsp_procmaps_open(struct rsp_procmaps *m, __u32 tgid);
void rsp_procmaps_done(struct rsp_procmaps *m);
/* Returns false at the end. */
bool rsp_procmaps_next(struct rsp_procmaps *m, struct rsp_procmap *ret);

#endif
