/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes two tables: the time by category, and by the names of tasks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/report/report-pen.h"
#include "lib/report/report-words.h"

#define PARTIES_MAX 20 /* maximum number of rows, to fit on a screen; JSON contains all tasks */

#define TEXT_COL 45

/* tenths: the share in 0.1 %. */
static void put_row(struct rsp_pen *pen, __u64 ns, __u64 tenths, const char *colour,
		    const char *name, const char *text)
{
	rsp_pen_ns(pen, 12, ns);
	fprintf(pen->out, "  %3llu.%llu %%  ", tenths / 10, tenths % 10);
	rsp_pen_coloured(pen, colour, name);
	fprintf(pen->out, "%*s", TEXT_COL - 23 - (int)strlen(name), "");
	rsp_pen_sentence(pen, "", TEXT_COL, TEXT_COL, text);
}

static void put_category_row(struct rsp_pen *pen, enum rsp_category cat, __u64 tenths)
{
	const struct rsp_words *words = rsp_category_words(cat);
	bool inferred = cat == RSP_CAT_RUNNING_UNSAMPLED && pen->e->cat_ns[cat] > 0;
	char text[128];

	snprintf(text, sizeof(text), "%s%s", rsp_category_text(cat), inferred ? words->mark : "");
	put_row(pen, pen->e->cat_ns[cat], tenths, words->colour, words->name, text);
	pen->said_inferred |= inferred;
}

static void put_title(const struct rsp_pen *pen)
{
	const struct rsp_explanation *e = pen->e;
	char name[RSP_PEN_TASK_BYTES], total[RSP_FORMAT_MAX], wall[RSP_FORMAT_MAX], idle[48] = "";
	__u32 pid = e->meta->target_pid;

	if (e->idle_root_cnt > 0)
		snprintf(idle, sizeof(idle), "; %u more slept throughout", e->idle_root_cnt);
	fputc('\n', pen->out);
	rsp_pen_say(pen, "", "Where the time of %s went: %s in %u thread%s, %s elapsed%s",
		    rsp_pen_task(e->comm, pid, pid, name, sizeof(name)),
		    rsp_format_ns(e->total_ns, total, sizeof(total)), e->root_cnt,
		    e->root_cnt == 1 ? "" : "s", rsp_format_ns(e->wall_ns, wall, sizeof(wall)),
		    idle);
	fputc('\n', pen->out);
}

void rsp_put_table(struct rsp_pen *pen)
{
	const struct rsp_explanation *e = pen->e;
	char share[RSP_FORMAT_MAX], text[64];
	__u64 tenths[RSP_CAT_MAX], accounted_ns;

	put_title(pen);
	/* The shares are rounded so that they add up to 100 %. */
	rsp_format_apportion(e->cat_ns, RSP_CAT_MAX, e->total_ns, 1000, tenths);
	for (enum rsp_category cat = 0; cat < RSP_CAT_MAX; cat++)
		if (e->cat_ns[cat] > 0 || cat == RSP_CAT_UNACCOUNTED)
			put_category_row(pen, cat, tenths[cat]);
	accounted_ns = e->total_ns - e->cat_ns[RSP_CAT_LOST] - e->cat_ns[RSP_CAT_UNRECORDED] -
		       e->cat_ns[RSP_CAT_EDGE] - e->cat_ns[RSP_CAT_UNACCOUNTED];
	rsp_format_share(accounted_ns, e->total_ns, share, sizeof(share));
	snprintf(text, sizeof(text), "%s of it accounted for", e->total_ns ? share : "100 %");
	put_row(pen, e->total_ns, e->total_ns ? 1000 : 0, "", "total", text);
}

/* --- participants --------------------------------------------------------------------------- */

/*
 * Tasks with the same name. Tasks of the process of interest never share a party with other tasks.
 */
struct party {
	const struct rsp_process *first;
	__u64 ns, cat_ns[RSP_CAT_MAX];
	size_t cnt;
};

struct parties {
	struct party *v;
	size_t cnt, cap;
};

static void parties_done(struct parties *parties)
{
	free(parties->v);
}

static struct party *find_party(struct parties *parties, const struct rsp_process *p)
{
	struct party *party;

	for (size_t i = 0; i < parties->cnt; i++) {
		party = &parties->v[i];
		if (party->first->is_root == p->is_root && !strcmp(party->first->comm, p->comm))
			return party;
	}
	party = rsp_array_add(parties);
	if (party)
		party->first = p;
	return party;
}

static int by_time(const void *a, const void *b)
{
	const struct party *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->first < y->first ? -1 : 1; /* the order of the explanation */
}

static int make_parties(const struct rsp_explanation *e, struct parties *parties)
{
	for (size_t i = 0; i < e->process_cnt; i++) {
		const struct rsp_process *p = &e->processes[i];
		struct party *party = find_party(parties, p);

		if (!party)
			return -ENOMEM;
		party->cnt++;
		party->ns += p->ns;
		for (enum rsp_category cat = 0; cat < RSP_CAT_MAX; cat++)
			party->cat_ns[cat] += p->cat_ns[cat];
	}
	if (parties->cnt > 0)
		qsort(parties->v, parties->cnt, sizeof(*parties->v), by_time);
	return 0;
}

enum column { RUNNING, DISK, NETWORK, QUEUE, OTHER, COLUMN_CNT };

static void divide(const struct party *party, __u64 ret[static COLUMN_CNT])
{
	const __u64 *ns = party->cat_ns;

	ret[RUNNING] = ns[RSP_CAT_RUNNING_SAMPLED] + ns[RSP_CAT_RUNNING_UNSAMPLED];
	ret[DISK] = ns[RSP_CAT_DISK_ACTIVE] + ns[RSP_CAT_DISK_QUEUED];
	ret[NETWORK] = ns[RSP_CAT_NETWORK];
	ret[QUEUE] = ns[RSP_CAT_RUNQUEUE] + ns[RSP_CAT_PREEMPTED];
	ret[OTHER] = party->ns - ret[RUNNING] - ret[DISK] - ret[NETWORK] - ret[QUEUE];
}

static void put_party(const struct rsp_pen *pen, const struct party *party, const bool *shows)
{
	const struct rsp_process *first = party->first;
	char name[RSP_PEN_TASK_BYTES];
	__u64 cells[COLUMN_CNT];

	divide(party, cells);
	rsp_pen_ns(pen, 9, party->ns);
	rsp_pen_share(pen, 7, party->ns);
	for (size_t i = 0; i < COLUMN_CNT; i++)
		if (shows[i])
			rsp_pen_ns(pen, 9, cells[i]);
	if (party->cnt > 1)
		fprintf(pen->out, "  %s ×%zu",
			rsp_format_name(first->comm, RSP_COMM_MAX, name, sizeof(name)), party->cnt);
	else
		fprintf(pen->out, "  %s",
			rsp_pen_task(first->comm, first->tgid, first->tid, name, sizeof(name)));
	fputs(first->is_root ? " *\n" : "\n", pen->out);
}

static void put_parties(const struct rsp_pen *pen, const struct parties *parties)
{
	static const char *const heads[] = {"running", "disk", "network", "queue", "other"};
	size_t cnt = parties->cnt < PARTIES_MAX ? parties->cnt : PARTIES_MAX;
	bool shows[COLUMN_CNT] = {0};
	__u64 cells[COLUMN_CNT];

	for (size_t i = 0; i < cnt; i++) {
		divide(&parties->v[i], cells);
		for (size_t c = 0; c < COLUMN_CNT; c++)
			shows[c] |= cells[c] > 0;
	}
	fputs("\nTime by thread name\n\n     time  share", pen->out);
	for (size_t c = 0; c < COLUMN_CNT; c++)
		if (shows[c])
			fprintf(pen->out, "%9s", heads[c]);
	fputs("  tasks\n", pen->out);
	for (size_t i = 0; i < cnt; i++)
		put_party(pen, &parties->v[i], shows);
	if (parties->cnt > cnt)
		fprintf(pen->out, "  … and %zu more names\n", parties->cnt - cnt);
	fprintf(pen->out, "\n* threads of the process itself%s\n",
		shows[QUEUE] ? "; queue: waiting for a CPU" : "");
}

int rsp_put_processes(struct rsp_pen *pen)
{
	_cleanup_(parties_done) struct parties parties = {0};

	if (pen->e->process_cnt == 0)
		return 0;
	if (make_parties(pen->e, &parties) < 0)
		return -ENOMEM;
	put_parties(pen, &parties);
	return 0;
}
