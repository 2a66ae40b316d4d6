/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash map from 64-bit keys to 64-bit values, with open addressing and linear probing. The key of
 * a free slot is 0, so an additional last slot is for the key 0: its member key is 1 if the slot is
 * used. Lookups are inline, because a report of a million events makes several million lookups.
 */
#ifndef RSP_LIB_IDMAP_H
#define RSP_LIB_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rsp_idmap_slot {
	uint64_t key;
	uint64_t value;
};

struct rsp_idmap {
	struct rsp_idmap_slot *slots;
	size_t cap; /* power of two, or 0 */
	size_t cnt;
	unsigned int shift;
};

/* A zeroed map is empty. rsp_idmap_done() frees the memory and empties the map. */
void rsp_idmap_done(struct rsp_idmap *m);
/* Sets the value of a key, and replaces an earlier value. Returns 0 or -ENOMEM. */
int rsp_idmap_put(struct rsp_idmap *m, uint64_t key, uint64_t value);
static inline bool rsp_idmap_get(const struct rsp_idmap *m, uint64_t key, uint64_t *ret_value);
bool rsp_idmap_remove(struct rsp_idmap *m, uint64_t key);
size_t rsp_idmap_bytes(const struct rsp_idmap *m);
/*
 * Gets the next pair, in no particular order. *pos must be 0 before the first call. Returns false
 * if there are no more pairs.
 */
bool rsp_idmap_next(const struct rsp_idmap *m, size_t *pos, uint64_t *ret_key, uint64_t *ret_value);

/* --- inline --------------------------------------------------------------------------------- */

/* Knuth's multiplicative hashing: the upper bits of the product depend on all bits of the key. */
static inline size_t rsp_idmap_home(const struct rsp_idmap *m, uint64_t key)
{
	return (size_t)((key * 0x9e3779b97f4a7c15ULL) >> m->shift);
}

static inline struct rsp_idmap_slot *rsp_idmap_find(const struct rsp_idmap *m, uint64_t key)
{
	size_t i;

	if (key == 0)
		return &m->slots[m->cap];
	i = rsp_idmap_home(m, key);
	while (m->slots[i].key && m->slots[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

static inline bool rsp_idmap_get(const struct rsp_idmap *m, uint64_t key, uint64_t *ret_value)
{
	const struct rsp_idmap_slot *slot;

	if (!m->cap)
		return false;
	slot = rsp_idmap_find(m, key);
	if (!slot->key)
		return false;
	*ret_value = slot->value;
	return true;
}

#endif
