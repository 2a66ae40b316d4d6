/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See findings-cover.h. */
#include "lib/report/findings-cover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

/* Maximum number of families of names; threads with other names are not grouped. */
#define FAMILIES_MAX 64

static enum rsp_relation relation_of(const struct rsp_chain *chain, const struct rsp_hop *hop)
{
	const struct rsp_hop *root = &chain->hops[0];

	if (hop == root || hop->tid == root->tid)
		return RSP_RELATION_SELF;
	if (hop->flags & RSP_HOP_KTHREAD)
		return RSP_RELATION_KERNEL_THREAD;
	return hop->tgid == root->tgid ? RSP_RELATION_OWN_THREAD : RSP_RELATION_OTHER_PROCESS;
}

const char *rsp_hop_program(const struct rsp_explanation *e, const struct rsp_chain *chain,
			    const struct rsp_hop *hop)
{
	if (relation_of(chain, hop) == RSP_RELATION_SELF && hop->tid == hop->tgid)
		return e->comm;
	return hop->comm;
}

/*
 * A wait of the chain's only thread that an edge of the recording cuts off counts as idle, too,
 * because nothing woke the thread. Exceptions are waits of a process with a single thread, and of
 * the main thread of a recorded command.
 */
static bool is_idle(const struct rsp_explanation *e, const struct rsp_chain *chain)
{
	const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];
	bool is_main = leaf->tid == e->meta->target_pid;

	if (leaf->category == RSP_CAT_IDLE)
		return true;
	return leaf->category == RSP_CAT_EDGE && chain->hop_cnt == 1 && e->root_cnt > 1 &&
	       !(e->by_main && is_main);
}

static const char *skip_digits(const char *s)
{
	return s + strspn(s, "0123456789");
}

bool rsp_names_are_of_family(const char *a, const char *b)
{
	for (;;) {
		bool number = skip_digits(a) != a;

		if (number != (skip_digits(b) != b))
			return false;
		a = skip_digits(a);
		b = skip_digits(b);
		if (*a != *b)
			return false;
		if (!*a)
			return true;
		a++;
		b++;
	}
}

/* heads: the heaviest chain of each family so far; there are *cnt. */
static const char *find_family(const struct rsp_cover **heads, size_t *cnt,
			       const struct rsp_cover *t)
{
	if (t->relation != RSP_RELATION_OWN_THREAD)
		return t->owner;
	for (size_t i = 0; i < *cnt; i++)
		if (rsp_names_are_of_family(heads[i]->owner, t->owner))
			return heads[i]->owner;
	if (*cnt < FAMILIES_MAX)
		heads[(*cnt)++] = t;
	return t->owner;
}

static void find_families(struct rsp_cover *v, size_t cnt)
{
	const struct rsp_cover *heads[FAMILIES_MAX];
	size_t head_cnt = 0;

	for (size_t i = 0; i < cnt; i++)
		v[i].family = find_family(heads, &head_cnt, &v[i]);
}

int rsp_covers_make(const struct rsp_explanation *e, struct rsp_covers *ret)
{
	struct rsp_cover *v = calloc(e->chain_cnt + 1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < e->chain_cnt; i++) {
		const struct rsp_chain *chain = &e->chains[i];
		const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];

		v[i] = (struct rsp_cover){
			.chain = chain,
			.leaf = leaf,
			.owner = rsp_hop_program(e, chain, leaf),
			.relation = relation_of(chain, leaf),
			.left_ns = chain->ns,
			.is_idle = is_idle(e, chain),
		};
	}
	find_families(v, e->chain_cnt);
	*ret = (struct rsp_covers){v, e->chain_cnt};
	return 0;
}

bool rsp_cover_is_own(const struct rsp_cover *t)
{
	return t->relation == RSP_RELATION_SELF || t->relation == RSP_RELATION_OWN_THREAD;
}

void rsp_covers_done(struct rsp_covers *list)
{
	free(list->v);
	*list = (struct rsp_covers){0};
}

void rsp_selection_done(struct rsp_selection *s)
{
	free(s->v);
	*s = (struct rsp_selection){0};
}

static int add_piece(struct rsp_selection *s, struct rsp_cover *cover, __u64 ns)
{
	struct rsp_piece *piece = rsp_array_add(s);

	if (!piece)
		return -ENOMEM;
	*piece = (struct rsp_piece){cover, ns};
	s->ns += ns;
	return 0;
}

int rsp_selection_add(struct rsp_selection *s, struct rsp_cover *cover)
{
	return add_piece(s, cover, cover->left_ns);
}

int rsp_selection_add_whole(struct rsp_selection *s, struct rsp_cover *cover)
{
	return add_piece(s, cover, cover->chain->ns);
}

int rsp_selection_measure(struct rsp_selection *s, const struct rsp_explanation *e)
{
	_cleanup_free_ bool *chains = NULL;
	int r;

	s->clock = (struct rsp_clock_sum){s->ns, s->ns, 1};
	if (e->clock.cnt == 0)
		return 0;
	chains = calloc(e->chain_cnt + 1, sizeof(*chains));
	if (!chains)
		return -ENOMEM;
	for (size_t i = 0; i < s->cnt; i++)
		chains[s->v[i].cover->chain - e->chains] = true;
	r = rsp_clock_measure(&e->clock, chains, &s->clock);
	if (r < 0)
		return r;
	if (e->by_main && s->clock.main_ns)
		s->clock = (struct rsp_clock_sum){s->clock.main_ns, s->clock.main_ns, 1};
	if (s->clock.ns > s->ns)
		s->clock.ns = s->ns; /* the selection may contain only a part of the chains' time */
	return 0;
}

bool rsp_selection_needs_shares(const struct rsp_selection *s, const struct rsp_explanation *e)
{
	return e->clock.cnt > 0 && s->clock.ns != s->ns;
}

void rsp_selection_limit(struct rsp_selection *s, __u64 max_ns)
{
	__u64 left_ns = max_ns;

	if (s->ns <= max_ns)
		return;
	for (size_t i = 0; i < s->cnt; i++) {
		if (s->v[i].ns > left_ns)
			s->v[i].ns = left_ns;
		left_ns -= s->v[i].ns;
	}
	s->ns = max_ns;
}

void rsp_selection_take(const struct rsp_selection *s)
{
	for (size_t i = 0; i < s->cnt; i++)
		s->v[i].cover->left_ns -= s->v[i].ns;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct rsp_piece *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->cover < y->cover ? -1 : x->cover > y->cover;
}

int rsp_selection_narrow(struct rsp_selection *s, const struct rsp_explanation *e)
{
	_cleanup_free_ __u64 *main_ns = NULL;
	size_t cnt = 0;

	if (!e->by_main || !s->clock.main_ns)
		return 0;
	main_ns = calloc(e->chain_cnt + 1, sizeof(*main_ns));
	if (!main_ns)
		return -ENOMEM;
	rsp_clock_add_main(&e->clock, main_ns);
	s->ns = 0;
	for (size_t i = 0; i < s->cnt; i++) {
		__u64 its_ns = main_ns[s->v[i].cover->chain - e->chains];

		if (its_ns == 0)
			continue;
		s->v[cnt] = s->v[i];
		if (s->v[cnt].ns > its_ns)
			s->v[cnt].ns = its_ns;
		s->ns += s->v[cnt++].ns;
	}
	s->cnt = cnt;
	qsort(s->v, s->cnt, sizeof(*s->v), compare_pieces);
	return 0;
}

static bool is_at_least(const struct rsp_chain *chain)
{
	for (size_t i = 0; i < chain->hop_cnt; i++)
		if (chain->hops[i].flags & RSP_HOP_AT_LEAST)
			return true;
	return false;
}

bool rsp_selection_at_least(const struct rsp_selection *s)
{
	__u64 ns = 0;

	for (size_t i = 0; i < s->cnt; i++)
		ns += is_at_least(s->v[i].cover->chain) ? s->v[i].ns : 0;
	return ns > s->ns / 2;
}
