/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See idmap.h. rsp_idmap_remove() moves later entries back to fill the hole, so no tombstones are
 * needed.
 */
#include "lib/base/idmap.h"

#include <errno.h>
#include <stdlib.h>

static int grow(struct rsp_idmap *m)
{
	struct rsp_idmap old = *m;
	size_t cap = old.cap ? old.cap * 2 : 16;
	struct rsp_idmap_slot *slots = calloc(cap + 1, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	m->slots = slots;
	m->cap = cap;
	m->shift = 64 - (unsigned int)__builtin_ctzll(cap);
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].key)
			*rsp_idmap_find(m, old.slots[i].key) = old.slots[i];
	if (old.cap)
		slots[cap] = old.slots[old.cap];
	free(old.slots);
	return 0;
}

void rsp_idmap_done(struct rsp_idmap *m)
{
	free(m->slots);
	*m = (struct rsp_idmap){0};
}

int rsp_idmap_put(struct rsp_idmap *m, uint64_t key, uint64_t value)
{
	struct rsp_idmap_slot *slot;

	if ((m->cnt + 1) * 3 > m->cap * 2 && grow(m) < 0)
		return -ENOMEM;
	slot = rsp_idmap_find(m, key);
	m->cnt += !slot->key;
	*slot = (struct rsp_idmap_slot){.key = key ? key : 1, .value = value};
	return 0;
}

bool rsp_idmap_remove(struct rsp_idmap *m, uint64_t key)
{
	size_t hole, i, mask = m->cap - 1;

	if (!m->cap)
		return false;
	hole = (size_t)(rsp_idmap_find(m, key) - m->slots);
	if (!m->slots[hole].key)
		return false;
	for (i = (hole + 1) & mask; key && m->slots[i].key; i = (i + 1) & mask) {
		size_t home = rsp_idmap_home(m, m->slots[i].key);

		/*
		 * Entry i does not move if its home is after the hole: then a search from its home
		 * would not find it.
		 */
		if (((i - home) & mask) >= ((i - hole) & mask)) {
			m->slots[hole] = m->slots[i];
			hole = i;
		}
	}
	m->slots[hole].key = 0;
	m->cnt--;
	return true;
}

size_t rsp_idmap_bytes(const struct rsp_idmap *m)
{
	return m->cap ? (m->cap + 1) * sizeof(*m->slots) : 0;
}

bool rsp_idmap_next(const struct rsp_idmap *m, size_t *pos, uint64_t *ret_key, uint64_t *ret_value)
{
	for (; m->cap && *pos <= m->cap; (*pos)++) {
		if (m->slots[*pos].key) {
			*ret_key = *pos < m->cap ? m->slots[*pos].key : 0;
			*ret_value = m->slots[*pos].value;
			(*pos)++;
			return true;
		}
	}
	return false;
}
