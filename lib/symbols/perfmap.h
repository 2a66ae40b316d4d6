/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names addresses of generated code from the text of a perf map: a line "START SIZE NAME" per
 * function, with numbers in hexadecimal. Skips lines of any other form.
 */
#ifndef RSP_LIB_PERFMAP_H
#define RSP_LIB_PERFMAP_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_perfmap;

/* text is needed only during the call. Returns 0, -ENOMEM or -E2BIG. */
int rsp_perfmap_parse(const char *text, size_t len, struct rsp_perfmap **ret);
struct rsp_perfmap *rsp_perfmap_free(struct rsp_perfmap *map);

/*
 * Returns the name of the function at addr, or NULL. If functions overlap, the later line counts,
 * because a runtime reuses the memory of code that it no longer needs.
 */
const char *rsp_perfmap_lookup(const struct rsp_perfmap *map, __u64 addr);

#endif
