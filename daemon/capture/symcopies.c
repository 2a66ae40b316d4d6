/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See symcopies.h. A machine has some hundred binaries, so searching a list takes less time than
 * reading any binary.
 */
#include "daemon/capture/symcopies.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

/*
 * The memory for a copy and its entry in the list. Without the entry, many small copies could
 * exceed the budget.
 */
#define COST(len) ((len) + sizeof(struct copy) + 2 * sizeof(size_t))

struct copy {
	TAILQ_ENTRY(copy) link;
	__u64 number;
	size_t len;
	unsigned char bytes[];
};

struct rsp_symcopies {
	TAILQ_HEAD(copy_list, copy) list; /* in the order of rsp_symcopies_put(), oldest first */
	size_t budget_bytes;
	__u64 last_number;
	struct rsp_symcopies_stats stats;
};

static void drop(struct rsp_symcopies *s, struct copy *copy)
{
	TAILQ_REMOVE(&s->list, copy, link);
	s->stats.cnt--;
	s->stats.bytes -= COST(copy->len);
	free(copy);
}

static struct copy *find_equal(struct rsp_symcopies *s, const void *bytes, size_t len)
{
	struct copy *copy;

	TAILQ_FOREACH(copy, &s->list, link)
	if (copy->len == len && memcmp(copy->bytes, bytes, len) == 0)
		return copy;
	return NULL;
}

static struct copy *add(struct rsp_symcopies *s, const void *bytes, size_t len)
{
	struct copy *copy;

	if (COST(len) > s->budget_bytes)
		return NULL;
	copy = malloc(sizeof(*copy) + len);
	if (!copy)
		return NULL;
	while (s->stats.bytes + COST(len) > s->budget_bytes) {
		drop(s, TAILQ_FIRST(&s->list));
		s->stats.dropped_cnt++;
	}
	copy->number = ++s->last_number;
	copy->len = len;
	memcpy(copy->bytes, bytes, len);
	s->stats.cnt++;
	s->stats.bytes += COST(len);
	return copy;
}

__u64 rsp_symcopies_put(struct rsp_symcopies *s, const void *bytes, size_t len)
{
	struct copy *copy = find_equal(s, bytes, len);

	if (copy)
		TAILQ_REMOVE(&s->list, copy, link);
	else
		copy = add(s, bytes, len);
	if (!copy)
		return 0;
	TAILQ_INSERT_TAIL(&s->list, copy, link);
	return copy->number;
}

const void *rsp_symcopies_get(const struct rsp_symcopies *s, __u64 number, size_t *ret_len)
{
	const struct copy *copy;

	TAILQ_FOREACH(copy, &s->list, link)
	if (copy->number == number) {
		*ret_len = copy->len;
		return copy->bytes;
	}
	return NULL;
}

void rsp_symcopies_get_stats(const struct rsp_symcopies *s, struct rsp_symcopies_stats *ret)
{
	*ret = s->stats;
}

int rsp_symcopies_new(size_t budget_bytes, struct rsp_symcopies **ret)
{
	struct rsp_symcopies *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	TAILQ_INIT(&s->list);
	s->budget_bytes = budget_bytes;
	*ret = s;
	return 0;
}

struct rsp_symcopies *rsp_symcopies_free(struct rsp_symcopies *s)
{
	if (!s)
		return NULL;
	while (!TAILQ_EMPTY(&s->list))
		drop(s, TAILQ_FIRST(&s->list));
	free(s);
	return NULL;
}
