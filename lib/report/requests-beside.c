/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See requests-beside.h. */
#include "lib/report/requests-beside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/format.h"

/* minimum number of other requests: the middle half of fewer is not representative */
#define OTHERS_MIN 8

/* --- which request it was --------------------------------------------------------------------- */

static __u64 distance(__u64 a, __u64 b)
{
	return a > b ? a - b : b - a;
}

/*
 * A recorded request counts as the triggering one if the differences of beginning and end add up to
 * at most a tenth of the duration: the BPF programs that check a limit read the clock at slightly
 * other times.
 */
#define OFF_DIVISOR 10

static __u32 find_request(const struct rsp_exchange *x, const struct rsp_meta *meta)
{
	__u64 most_ns = (meta->until_ns - meta->since_ns) / OFF_DIVISOR;
	__u32 found = RSP_NO_ROW;

	for (size_t i = 0; i < x->cnt; i++) {
		const struct rsp_served *s = &x->v[i];
		__u64 off_ns;

		if (!s->first_ns || s->flags & RSP_SERVED_EARLY || s->tid != meta->target_tid)
			continue;
		off_ns = distance(s->arrival_ns, meta->since_ns) +
			 distance(s->first_ns, meta->until_ns);
		if (off_ns > most_ns)
			continue;
		most_ns = off_ns;
		found = (__u32)i;
	}
	return found;
}

/* --- the sentence ----------------------------------------------------------------------------- */

/* A request that took less than twice as long as typical requests is no exception. */
#define EXCEPTION_FACTOR 2

static void put_sentence(const struct rsp_comparison *c, FILE *f)
{
	char name[RSP_FORMAT_NAME_BYTES(RSP_COMM_MAX)], ns[RSP_FORMAT_MAX];

	rsp_format_name(c->row->comm, RSP_COMM_MAX, name, sizeof(name));
	fprintf(f, "Typical requests of %s took %s", name,
		rsp_format_ns(c->typical_ns, ns, sizeof(ns)));
	if (c->slow_ns < EXCEPTION_FACTOR * c->typical_ns)
		fputs(", so this one is no exception", f);
	else
		rsp_comparison_put_cause(c, "; this one spent", f);
	fputc('.', f);
}

static int write_sentence(struct rsp_beside *b)
{
	size_t len;
	FILE *f = open_memstream(&b->sentence, &len);

	if (!f)
		return -ENOMEM;
	put_sentence(&b->comparison, f);
	return fclose(f) == 0 ? 0 : -ENOMEM;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int compare(const struct rsp_trace *trace, const struct rsp_meta *breach,
		   struct rsp_beside *b)
{
	const struct rsp_meta *meta = &trace->snap->meta;
	const struct rsp_exchange *served = &b->found.served;
	__u32 request;
	int r = rsp_requests_find(trace, meta->since_ns, meta->until_ns, &b->found);

	if (r < 0)
		return r;
	request = find_request(served, breach);
	if (request == RSP_NO_ROW || served->rows.v[served->v[request].row].cnt <= OTHERS_MIN)
		return 0;
	r = rsp_requests_compare_one(trace, &b->found, request, &b->comparison);
	if (r < 0 || !b->comparison.slow_explained_cnt || !b->comparison.typical_explained_cnt)
		return r;
	return write_sentence(b);
}

int rsp_beside_make(const struct rsp_trace *trace, struct rsp_beside *ret)
{
	const struct rsp_meta *breach = &trace->snap->meta;
	struct rsp_snapshot snap = *trace->snap;
	struct rsp_trace whole = *trace;
	struct rsp_beside b = {0};
	int r;

	*ret = b;
	if (strcmp(breach->trigger.measure, "request") != 0 || !breach->trigger.value_ns ||
	    !breach->target_tid || breach->until_ns <= breach->since_ns)
		return 0;
	rsp_meta_choose_whole(&snap.meta);
	whole.snap = &snap;
	r = compare(&whole, breach, &b);
	if (r < 0)
		rsp_beside_done(&b);
	else
		*ret = b;
	return r;
}

void rsp_beside_done(struct rsp_beside *b)
{
	rsp_comparison_done(&b->comparison);
	rsp_requests_done(&b->found);
	free(b->sentence);
	*b = (struct rsp_beside){0};
}
