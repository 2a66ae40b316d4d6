/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two ways to keep many small things with the same lifetime. An arena allocates memory that is
 * freed all at once. An intern table keeps each distinct byte string once and numbers it, so that
 * equal contents have equal numbers and stable addresses.
 */
#ifndef RSP_LIB_ARENA_H
#define RSP_LIB_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/idmap.h"

struct rsp_arena {
	struct rsp_arena_block *last;
	size_t used, size; /* the last block: bytes used, and its size */
};

/*
 * An arena that the caller has zeroed is empty. Returns zeroed memory, aligned to 8 bytes, or NULL.
 */
void *rsp_arena_alloc(struct rsp_arena *a, size_t size);
void rsp_arena_done(struct rsp_arena *a);

struct rsp_intern {
	struct rsp_arena arena;
	struct rsp_idmap by_hash; /* hash -> newest entry with this hash */
	struct rsp_intern_entry *v;
	size_t cnt, cap;
};

/*
 * A table that the caller has zeroed is empty. Numbers count up from 0, so a number that equals the
 * previous cnt is new. A NUL follows the stored bytes. 0, -ENOMEM, -E2BIG.
 */
int rsp_intern_put(struct rsp_intern *in, const void *data, size_t len, uint32_t *ret_id);
const void *rsp_intern_data(const struct rsp_intern *in, uint32_t id);
size_t rsp_intern_len(const struct rsp_intern *in, uint32_t id);
void rsp_intern_done(struct rsp_intern *in);

#endif
