/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report-samples.h. */
#include "lib/report/report-samples.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"

void rsp_samples_done(struct rsp_samples *s)
{
	free(s->v);
	*s = (struct rsp_samples){0};
}

int rsp_samples_add(struct rsp_samples *s, const struct rsp_chain *chain)
{
	for (size_t i = 0; i < chain->sample_cnt; i++) {
		__u32 *slot = rsp_array_add(s);

		if (!slot)
			return -ENOMEM;
		*slot = chain->samples[i];
	}
	return 0;
}

static int compare(const void *pa, const void *pb)
{
	const __u32 *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

size_t rsp_samples_cnt(struct rsp_samples *s)
{
	size_t cnt = 0;

	if (s->cnt == 0)
		return 0;
	qsort(s->v, s->cnt, sizeof(*s->v), compare);
	for (size_t i = 0; i < s->cnt; i++)
		if (cnt == 0 || s->v[cnt - 1] != s->v[i])
			s->v[cnt++] = s->v[i];
	s->cnt = cnt;
	return cnt;
}
