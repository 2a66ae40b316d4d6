/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classifies a sleep by the functions on its stacks. A sleep without stacks is not classified. */
#ifndef RSP_LIB_PLACES_H
#define RSP_LIB_PLACES_H

#include "lib/model/model.h"

enum rsp_place {
	RSP_PLACE_OTHER,
	/* a thread of a runtime's scheduler waits for work */
	RSP_PLACE_WORK,
	RSP_PLACE_DIRTY_PAGES, /* too many pages are dirty, that is, not on the disk yet */
	RSP_PLACE_MEMORY_HIGH, /* the thread's cgroup uses more than memory.high */
	RSP_PLACE_IO_SHARE,    /* the thread's cgroup has used up its share of the disk */
	RSP_PLACE_SWAP,	       /* a page is read from swap */
};

struct rsp_places {
	/* maps the id of a stack to enum rsp_place; without stacks of RSP_PLACE_OTHER */
	struct rsp_idmap of_stack;
};

/* Returns 0 or -ENOMEM. */
int rsp_places_find(const struct rsp_model *m, struct rsp_places *ret);
void rsp_places_done(struct rsp_places *p);

/* Returns RSP_PLACE_OTHER if p is NULL. */
enum rsp_place rsp_place_of(const struct rsp_places *p, const struct rsp_span *span);

#endif
