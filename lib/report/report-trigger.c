/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes why a snapshot was taken: the limit that was exceeded, and by how much. The metadata of
 * the snapshot (META) is not trusted, but can only produce odd sentences.
 */
#include "lib/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/report-put.h"

/* Writes a number like "1,234". */
static void put_count(FILE *f, __u64 n)
{
	if (n >= 1000) {
		put_count(f, n / 1000);
		fprintf(f, ",%03llu", n % 1000);
	} else {
		fprintf(f, "%llu", n);
	}
}

struct measure {
	const char *name;
	const char *one, *many; /* text for the measured thing: "a request", "requests" */
	const char *took;	/* verb before the latency, like "took" */
};

static const struct measure measures[] = {
	{"request", "a request", "requests", "took"},
	{"wait", "a wait", "waits", "took"},
	{"runqueue", "a thread", "waits for a CPU", "waited for a CPU for"},
	{"disk", "a disk request", "disk requests", "took"},
	{"function", "a call", "calls", "took"},
	{"", "something", "what was measured", "took"}, /* a measure that a later version added */
};

static const struct measure *find_measure(const char *name)
{
	size_t i = 0;

	while (*measures[i].name && strcmp(measures[i].name, name) != 0)
		i++;
	return &measures[i];
}

static void put_limit(FILE *f, const struct rsp_trigger *t)
{
	if (!t->threshold_ns)
		return;
	fputs(", the limit is ", f);
	rsp_put_duration(f, t->threshold_ns);
}

static void put_within(FILE *f, const struct rsp_trigger *t)
{
	if (!t->over_ns)
		return;
	fputs(" within ", f);
	rsp_put_duration(f, t->over_ns);
}

static void put_stall(FILE *f, const struct rsp_trigger *t)
{
	if (*t->resource)
		rsp_put_name(f, t->resource);
	else
		fputs("something", f);
	fprintf(f, " stalled %s tasks for ", t->full ? "all" : "some");
	rsp_put_duration(f, t->value_ns);
	put_within(f, t);
	put_limit(f, t);
}

static void put_quantile(FILE *f, const struct measure *m, const struct rsp_meta *meta)
{
	const struct rsp_trigger *t = &meta->trigger;

	fprintf(f, "p%g of ", t->quantile_ppm / 1e4);
	if (t->cnt > 0) {
		put_count(f, t->cnt);
		fputc(' ', f);
	}
	fputs(m->many, f);
	put_within(f, t);
	fputs(" was above ", f);
	rsp_put_duration(f, t->threshold_ns ? t->threshold_ns : t->value_ns);
	if (meta->until_ns <= meta->since_ns)
		return;
	fputs("; this one took ", f);
	rsp_put_duration(f, meta->until_ns - meta->since_ns);
}

static void put_trigger(FILE *f, const struct rsp_meta *meta)
{
	const struct rsp_trigger *t = &meta->trigger;
	const struct measure *m = find_measure(t->measure);

	fputs("SLO ", f);
	rsp_put_name(f, t->slo);
	if (!t->value_ns) {
		fputs(", triggered by hand", f);
		return;
	}
	fputs(": ", f);
	if (strcmp(t->measure, "psi") == 0) {
		put_stall(f, t);
	} else if (t->quantile_ppm) {
		put_quantile(f, m, meta);
	} else {
		fprintf(f, "%s %s ", m->one, m->took);
		rsp_put_duration(f, t->value_ns);
		put_limit(f, t);
	}
}

int rsp_report_trigger(const struct rsp_meta *meta, char **ret)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -ENOMEM;
	if (*meta->trigger.slo)
		put_trigger(f, meta);
	if (fclose(f) != 0) {
		free(text);
		return -ENOMEM;
	}
	*ret = text;
	return 0;
}
