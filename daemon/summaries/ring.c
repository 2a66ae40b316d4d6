/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See ring.h. */
#include "daemon/summaries/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"

/* A JSON string escapes quotes and backslashes. */
static size_t cost_of(const char *text, size_t len)
{
	size_t cost = len;

	for (size_t i = 0; i < len; i++)
		cost += text[i] == '"' || text[i] == '\\';
	return cost;
}

static struct rsp_summary_entry *slot_of(struct rsp_summary_ring *ring, uint64_t number)
{
	return &ring->v[number % RSP_SUMMARY_CNT_MAX];
}

int rsp_summary_ring_put(struct rsp_summary_ring *ring, const char *text, size_t len)
{
	struct rsp_summary_entry *slot = slot_of(ring, ring->made + 1);
	size_t cost = len > RSP_SUMMARY_BYTES_MAX ? len : cost_of(text, len);
	char *copy;

	if (!len || cost > RSP_SUMMARY_BYTES_MAX || memchr(text, '\0', len))
		return -EBADMSG;
	copy = strndup(text, len);
	if (!copy)
		return -ENOMEM;
	if (!rsp_text_is_clean(copy)) {
		free(copy);
		return -EBADMSG;
	}
	free(slot->text);
	*slot = (struct rsp_summary_entry){++ring->made, copy, cost};
	return 0;
}

const struct rsp_summary_entry *rsp_summary_ring_get(const struct rsp_summary_ring *ring,
						     uint64_t number)
{
	const struct rsp_summary_entry *slot = &ring->v[number % RSP_SUMMARY_CNT_MAX];

	return slot->text && slot->number == number ? slot : NULL;
}

uint64_t rsp_summary_ring_oldest(const struct rsp_summary_ring *ring)
{
	return ring->made < RSP_SUMMARY_CNT_MAX ? 1 : ring->made + 1 - RSP_SUMMARY_CNT_MAX;
}

void rsp_summary_ring_done(struct rsp_summary_ring *ring)
{
	for (size_t i = 0; i < RSP_SUMMARY_CNT_MAX; i++)
		free(ring->v[i].text);
	memset(ring->v, 0, sizeof(ring->v));
}
