/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See arena.h. */
#include "lib/base/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"

/*
 * A large block saves calls of malloc(). But each explanation has its own arena, and many
 * explanations are tiny.
 */
#define BLOCK_BYTES (64 << 10)

struct rsp_arena_block {
	struct rsp_arena_block *prev;
	uint64_t data[];
};

void *rsp_arena_alloc(struct rsp_arena *a, size_t size)
{
	struct rsp_arena_block *block;
	size_t want;
	void *p;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + 7) & ~(size_t)7;
	if (!a->last || a->size - a->used < size) {
		want = size > BLOCK_BYTES ? size : BLOCK_BYTES;
		block = calloc(1, sizeof(*block) + want);
		if (!block)
			return NULL;
		block->prev = a->last;
		a->last = block;
		a->used = 0;
		a->size = want;
	}
	p = (char *)a->last->data + a->used;
	a->used += size;
	return p;
}

void rsp_arena_done(struct rsp_arena *a)
{
	struct rsp_arena_block *block = a->last, *prev;

	for (; block; block = prev) {
		prev = block->prev;
		free(block);
	}
	*a = (struct rsp_arena){0};
}

#define NONE UINT32_MAX

struct rsp_intern_entry {
	const void *data;
	size_t len;
	uint32_t same_hash; /* an older entry with the same hash; NONE: there is none */
};

/* Reads eight bytes at a time, because the analysis calls this function very often. */
static uint64_t hash(const char *p, size_t len)
{
	uint64_t h = len * 0x9e3779b97f4a7c15ULL, word;

	for (; len > 0;) {
		size_t n = len < 8 ? len : 8;

		word = 0;
		memcpy(&word, p, n);
		h = (h ^ word) * 0xbf58476d1ce4e5b9ULL;
		h ^= h >> 29;
		p += n;
		len -= n;
	}
	return h;
}

static int add_entry(struct rsp_intern *in, const void *data, size_t len, uint32_t same_hash)
{
	struct rsp_intern_entry *entry;
	char *copy;

	if (in->cnt >= NONE)
		return -E2BIG;
	copy = rsp_arena_alloc(&in->arena, len + 1);
	if (!copy)
		return -ENOMEM;
	entry = rsp_array_add(in);
	if (!entry)
		return -ENOMEM;
	if (len)
		memcpy(copy, data, len);
	*entry = (struct rsp_intern_entry){.data = copy, .len = len, .same_hash = same_hash};
	return 0;
}

int rsp_intern_put(struct rsp_intern *in, const void *data, size_t len, uint32_t *ret_id)
{
	uint64_t h = hash(data, len), first = NONE;
	int r;

	rsp_idmap_get(&in->by_hash, h, &first);
	for (uint32_t id = (uint32_t)first; id != NONE; id = in->v[id].same_hash) {
		if (in->v[id].len == len && memcmp(in->v[id].data, data, len) == 0) {
			*ret_id = id;
			return 0;
		}
	}
	r = add_entry(in, data, len, (uint32_t)first);
	if (r < 0)
		return r;
	r = rsp_idmap_put(&in->by_hash, h, in->cnt - 1);
	if (r < 0) {
		in->cnt--;
		return r;
	}
	*ret_id = (uint32_t)(in->cnt - 1);
	return 0;
}

const void *rsp_intern_data(const struct rsp_intern *in, uint32_t id)
{
	return in->v[id].data;
}

size_t rsp_intern_len(const struct rsp_intern *in, uint32_t id)
{
	return in->v[id].len;
}

void rsp_intern_done(struct rsp_intern *in)
{
	rsp_arena_done(&in->arena);
	rsp_idmap_done(&in->by_hash);
	free(in->v);
	*in = (struct rsp_intern){0};
}
