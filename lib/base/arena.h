/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An arena allocates memory, and frees all of it at once. An intern table keeps each distinct byte
 * string once and numbers it: equal strings get the same number and the same address.
 */
#ifndef RSP_LIB_ARENA_H
#define RSP_LIB_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/idmap.h"

struct rsp_arena {
	struct rsp_arena_block *last;
	size_t used, size; /* bytes used of the last block, and its size */
};

/* A zeroed arena is empty. Returns zeroed memory, aligned to 8 bytes, or NULL. */
void *rsp_arena_alloc(struct rsp_arena *a, size_t size);
void rsp_arena_done(struct rsp_arena *a);

struct rsp_intern {
	struct rsp_arena arena;
	struct rsp_idmap by_hash; /* keys: hash; values: newest entry with this hash */
	struct rsp_intern_entry *v;
	size_t cnt, cap;
};

/*
 * Sets *ret_id to the number of a byte string. A zeroed table is empty. A new string gets the next
 * number, which was the cnt before the call. A NUL follows the stored bytes. Returns 0, -ENOMEM or
 * -E2BIG.
 */
int rsp_intern_put(struct rsp_intern *in, const void *data, size_t len, uint32_t *ret_id);
const void *rsp_intern_data(const struct rsp_intern *in, uint32_t id);
size_t rsp_intern_len(const struct rsp_intern *in, uint32_t id);
void rsp_intern_done(struct rsp_intern *in);

#endif
