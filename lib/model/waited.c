/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See waited.h. */
#include "waited.h"

#include <errno.h>
#include <stdlib.h>

int rsp_waited_init(struct rsp_waited *w, const struct rsp_model *m)
{
	size_t span_cnt = 0;

	*w = (struct rsp_waited){.first = calloc(m->threads.cnt + 1, sizeof(*w->first))};
	if (!w->first)
		return -ENOMEM;
	for (size_t i = 0; i < m->threads.cnt; i++) {
		w->first[i] = span_cnt;
		span_cnt += m->threads.v[i].spans.cnt;
	}
	w->ns = calloc(span_cnt + 1, sizeof(*w->ns));
	if (w->ns)
		return 0;
	rsp_waited_done(w);
	return -ENOMEM;
}

void rsp_waited_done(struct rsp_waited *w)
{
	free(w->first);
	free(w->ns);
	*w = (struct rsp_waited){0};
}
