/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of a perf map -> names for addresses of code made at run time. Node, Java's agents, Python
 * and others write it: a line "START SIZE NAME" per function, numbers in hexadecimal. Lines of any
 * other form are passed over. Does not read the file.
 */
#ifndef RSP_LIB_PERFMAP_H
#define RSP_LIB_PERFMAP_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_perfmap;

/* text: len bytes, needed only during the call. 0, -ENOMEM, -E2BIG. */
int rsp_perfmap_parse(const char *text, size_t len, struct rsp_perfmap **ret);
struct rsp_perfmap *rsp_perfmap_free(struct rsp_perfmap *map);

/*
 * NULL: in no function. Of what was compiled twice at one place the later name holds, and what is
 * left of older code behind newer is in none.
 */
const char *rsp_perfmap_lookup(const struct rsp_perfmap *map, __u64 addr);

#endif
