/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See idmap.h. Removal shifts followers back, so there are no tombstones to sweep. */
#include "idmap.h"

#include <errno.h>
#include <stdlib.h>

struct rsp_idmap_slot {
	uint64_t key;
	uint64_t value;
	uint64_t used;
};

/* Finalizer of splitmix64: ids are pointers or small numbers, their low bits are no hash. */
static uint64_t hash(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

static struct rsp_idmap_slot *find(const struct rsp_idmap *m, uint64_t key)
{
	size_t i = hash(key) & (m->cap - 1);

	while (m->slots[i].used && m->slots[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

static int grow(struct rsp_idmap *m)
{
	struct rsp_idmap old = *m;
	size_t cap = old.cap ? old.cap * 2 : 16;
	struct rsp_idmap_slot *slots = calloc(cap, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	m->slots = slots;
	m->cap = cap;
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].used)
			*find(m, old.slots[i].key) = old.slots[i];
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
	slot = find(m, key);
	m->cnt += !slot->used;
	*slot = (struct rsp_idmap_slot){.key = key, .value = value, .used = 1};
	return 0;
}

bool rsp_idmap_get(const struct rsp_idmap *m, uint64_t key, uint64_t *ret_value)
{
	const struct rsp_idmap_slot *slot;

	if (!m->cap)
		return false;
	slot = find(m, key);
	if (!slot->used)
		return false;
	*ret_value = slot->value;
	return true;
}

bool rsp_idmap_remove(struct rsp_idmap *m, uint64_t key)
{
	size_t hole, i, mask = m->cap - 1;

	if (!m->cap)
		return false;
	hole = (size_t)(find(m, key) - m->slots);
	if (!m->slots[hole].used)
		return false;
	for (i = (hole + 1) & mask; m->slots[i].used; i = (i + 1) & mask) {
		size_t home = hash(m->slots[i].key) & mask;

		/* A slot may move back to the hole unless its home lies between hole and itself. */
		if (((i - home) & mask) >= ((i - hole) & mask)) {
			m->slots[hole] = m->slots[i];
			hole = i;
		}
	}
	m->slots[hole].used = 0;
	m->cnt--;
	return true;
}

size_t rsp_idmap_bytes(const struct rsp_idmap *m)
{
	return m->cap * sizeof(*m->slots);
}

bool rsp_idmap_next(const struct rsp_idmap *m, size_t *pos, uint64_t *ret_key, uint64_t *ret_value)
{
	for (; *pos < m->cap; (*pos)++) {
		if (m->slots[*pos].used) {
			*ret_key = m->slots[*pos].key;
			*ret_value = m->slots[*pos].value;
			(*pos)++;
			return true;
		}
	}
	return false;
}
