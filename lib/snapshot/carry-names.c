/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See carry-names.h. The record of a retained name is copied only when the name's generation
 * expires, because by then most sleeps have ended.
 */
#include "lib/snapshot/carry-names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/snapshot/decode.h"

struct rsp_name {
	TAILQ_ENTRY(rsp_name) link; /* in the list `known`, while rec is not NULL */
	uint64_t id;
	unsigned int ref_cnt;
	struct rsp_ev_hdr *rec; /* NULL: not copied yet, or dropped */
};

static struct rsp_name *find(const struct rsp_idmap *map, uint64_t id)
{
	uint64_t value;

	return rsp_idmap_get(map, id, &value) ? (struct rsp_name *)value : NULL;
}

static struct rsp_name *find_by_record(const struct rsp_carry_names *n,
				       const struct rsp_ev_hdr *hdr)
{
	switch (hdr->kind) {
	case RSP_EV_STACK:
		return find(&n->stacks, ((const struct rsp_ev_stack *)hdr)->id);
	case RSP_EV_OBJECT:
		return find(&n->things, ((const struct rsp_ev_object *)hdr)->id);
	case RSP_EV_SOCKET:
		return find(&n->things, ((const struct rsp_ev_socket *)hdr)->id);
	}
	return NULL;
}

void rsp_carry_names_init(struct rsp_carry_names *n)
{
	*n = (struct rsp_carry_names){0};
	TAILQ_INIT(&n->known);
}

/* --- retained names ------------------------------------------------------------------------- */

static void forget_record(struct rsp_carry_names *n, struct rsp_name *name)
{
	if (!name->rec)
		return;
	TAILQ_REMOVE(&n->known, name, link);
	n->bytes -= name->rec->size;
	free(name->rec);
	name->rec = NULL;
}

static bool learn_record(struct rsp_carry_names *n, struct rsp_name *name,
			 const struct rsp_ev_hdr *hdr)
{
	name->rec = malloc(hdr->size);
	if (!name->rec)
		return false;
	memcpy(name->rec, hdr, hdr->size);
	n->bytes += hdr->size;
	TAILQ_INSERT_TAIL(&n->known, name, link);
	return true;
}

static void put(struct rsp_carry_names *n, struct rsp_idmap *map, uint64_t id)
{
	struct rsp_name *name = find(map, id);

	if (!name || --name->ref_cnt > 0)
		return;
	forget_record(n, name);
	rsp_idmap_remove(map, id);
	n->bytes -= sizeof(*name);
	free(name);
}

static int get(struct rsp_carry_names *n, struct rsp_idmap *map, uint64_t id)
{
	struct rsp_name *name = find(map, id);

	if (id == 0)
		return 0;
	if (!name) {
		name = calloc(1, sizeof(*name));
		if (!name || rsp_idmap_put(map, id, (uintptr_t)name) < 0) {
			free(name);
			return -ENOMEM;
		}
		name->id = id;
		n->bytes += sizeof(*name);
	}
	name->ref_cnt++;
	return 0;
}

/* Returns 0 for a futex, which has an address instead of a name. */
static uint64_t named_object_of(const struct rsp_ev_switch *sw)
{
	return sw->hdr.flags & RSP_SW_FUTEX ? 0 : sw->object;
}

int rsp_carry_names_retain(struct rsp_carry_names *n, const struct rsp_ev_switch *sw)
{
	if (get(n, &n->things, named_object_of(sw)) < 0)
		return -ENOMEM;
	if (get(n, &n->stacks, sw->kstack) < 0)
		goto put_thing;
	if (get(n, &n->stacks, sw->ustack) < 0)
		goto put_kstack;
	return 0;

put_kstack:
	put(n, &n->stacks, sw->kstack);
put_thing:
	put(n, &n->things, named_object_of(sw));
	return -ENOMEM;
}

void rsp_carry_names_release(struct rsp_carry_names *n, const struct rsp_ev_switch *sw)
{
	put(n, &n->things, named_object_of(sw));
	put(n, &n->stacks, sw->kstack);
	put(n, &n->stacks, sw->ustack);
}

void rsp_carry_names_release_stack(struct rsp_carry_names *n, __u64 id)
{
	put(n, &n->stacks, id);
}

size_t rsp_carry_names_learn(struct rsp_carry_names *n, const void *records, size_t len)
{
	const struct rsp_ev_hdr *hdr;
	size_t failed_cnt = 0;

	rsp_record_foreach (hdr, records, len) {
		struct rsp_name *name = find_by_record(n, hdr);

		if (name && !name->rec)
			failed_cnt += !learn_record(n, name, hdr);
	}
	return failed_cnt;
}

bool rsp_carry_names_drop(struct rsp_carry_names *n)
{
	if (TAILQ_EMPTY(&n->known))
		return false;
	forget_record(n, TAILQ_FIRST(&n->known));
	return true;
}

/* --- all names ------------------------------------------------------------------------------ */

const struct rsp_ev_hdr *rsp_carry_names_next(const struct rsp_carry_names *n,
					      struct rsp_name **pos)
{
	*pos = *pos ? TAILQ_NEXT(*pos, link) : TAILQ_FIRST(&n->known);
	return *pos ? (*pos)->rec : NULL;
}

static void free_names(struct rsp_idmap *map)
{
	uint64_t id, value;
	size_t pos = 0;

	while (rsp_idmap_next(map, &pos, &id, &value)) {
		struct rsp_name *name = (struct rsp_name *)value;

		free(name->rec);
		free(name);
	}
	rsp_idmap_done(map);
}

void rsp_carry_names_done(struct rsp_carry_names *n)
{
	free_names(&n->stacks);
	free_names(&n->things);
}
