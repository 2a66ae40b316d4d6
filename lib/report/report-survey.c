/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the tables of the survey (docs/model.md). A sentence replaces an empty table. */
#include <errno.h>

#include "lib/base/cleanup.h"
#include "lib/report/report-grid.h"
#include "lib/report/report-pen.h"

#define ROWS_MAX 25 /* default number of rows, about one screen; JSON contains all rows */

typedef void (*add_row_fn)(struct rsp_grid *g, const struct rsp_survey *s, size_t i);

struct table {
	const char *title;
	const char *empty;
	const char *legend[2]; /* text before and after the name of the process */
	const char *all;       /* text about column "in all", for tables that show it; or NULL */
	struct rsp_grid_column columns[RSP_GRID_COLUMN_MAX];
	add_row_fn add_row;
	bool has_stars; /* rows of the process of interest end in "*" */
};

static const char *star(bool is_target)
{
	return is_target ? " *" : "";
}

static const char *or_unknown(const char *comm)
{
	return *comm ? comm : "?";
}

static void add_io(struct rsp_grid *g, const struct rsp_survey *s, size_t i)
{
	const struct rsp_io_row *row = &s->io.v[i];

	rsp_grid_add_ns(g, row->target_ns);
	rsp_grid_add_ns(g, row->waited_ns);
	rsp_grid_add_cnt(g, row->request_cnt);
	rsp_grid_add_bytes(g, row->bytes);
	rsp_grid_add_ns(g, row->active_ns);
	rsp_grid_add_ns(g, row->queued_ns);
	rsp_grid_add_ns(g, row->longest_ns);
	rsp_grid_add(g, "%s", row->op);
	rsp_grid_add(g, "%s", row->disk);
	rsp_grid_add(g, "%s", or_unknown(row->comm));
	rsp_grid_add(g, "%s", *row->file ? row->file : row->is_metadata ? "(metadata)" : "–");
}

static void add_net(struct rsp_grid *g, const struct rsp_survey *s, size_t i)
{
	const struct rsp_net_row *row = &s->net.v[i];
	char task[RSP_PEN_TASK_BYTES], by[64] = "", to[32] = "";

	rsp_grid_add_ns(g, row->target_ns);
	rsp_grid_add_ns(g, row->waited_ns);
	rsp_grid_add_cnt(g, row->wait_cnt);
	rsp_grid_add_ns(g, row->longest_ns);
	rsp_grid_add_cnt(g, row->round_trip_cnt);
	rsp_grid_add_ns(g, row->round_trip_cnt ? row->round_trip_ns / row->round_trip_cnt : 0);
	rsp_grid_add_cnt(g, row->send_cnt);
	rsp_grid_add_bytes(g, row->sent_bytes);
	rsp_pen_task(or_unknown(row->comm), row->tgid, row->tid, task, sizeof(task));
	rsp_grid_add(g, "%s%s", task, star(row->is_target));
	rsp_grid_add(g, "%s", row->protocol);
	if (!*row->peer) {
		rsp_grid_add(g, "?");
		return;
	}
	if (*row->peer_comm)
		snprintf(by, sizeof(by), "%s ", row->peer_comm);
	if (row->service)
		snprintf(to, sizeof(to), " to :%u", row->service);
	rsp_grid_add(g, "%s%s%s", by, row->peer, to);
}

static void add_lock(struct rsp_grid *g, const struct rsp_survey *s, size_t i)
{
	const struct rsp_lock_row *row = &s->locks.v[i];
	char process[RSP_PEN_TASK_BYTES], holder[RSP_PEN_TASK_BYTES];

	rsp_grid_add_ns(g, row->target_ns);
	rsp_grid_add_ns(g, row->waited_ns);
	rsp_grid_add_cnt(g, row->wait_cnt);
	rsp_grid_add_ns(g, row->longest_ns);
	rsp_grid_add_cnt(g, row->waiter_cnt);
	rsp_grid_add_cnt(g, row->waker_cnt);
	rsp_grid_add(g, "0x%llx", row->address);
	rsp_pen_task(or_unknown(row->comm), row->tgid, row->tgid, process, sizeof(process));
	rsp_grid_add(g, "%s%s", process, star(row->is_target));
	if (!row->holder_tid) {
		rsp_grid_add(g, "–");
		return;
	}
	rsp_pen_task(row->holder, row->holder_tid, row->holder_tid, holder, sizeof(holder));
	rsp_grid_add(g, "%s", holder);
}

static void add_irq(struct rsp_grid *g, const struct rsp_survey *s, size_t i)
{
	const struct rsp_irq_row *row = &s->irqs.v[i];

	rsp_grid_add_ns(g, row->interrupting_ns);
	rsp_grid_add_ns(g, row->ns);
	rsp_grid_add_cnt(g, row->cnt);
	rsp_grid_add_ns(g, row->longest_ns);
	rsp_grid_add_cnt(g, row->woken_cnt);
	rsp_grid_add(g, "%s", row->name);
}

static void add_edge(struct rsp_grid *g, const struct rsp_survey *s, size_t i)
{
	const struct rsp_edge_row *row = &s->edges.v[i];

	rsp_grid_add_ns(g, row->target_ns);
	rsp_grid_add_ns(g, row->waited_ns);
	rsp_grid_add_cnt(g, row->first_cnt);
	rsp_grid_add_cnt(g, row->cnt);
	rsp_grid_add(g, "%s", row->context);
	rsp_grid_add(g, "%s", or_unknown(row->waker));
	rsp_grid_add(g, "%s%s", or_unknown(row->wakee), star(row->is_target));
}

#define WAITED_LEGEND                                                                              \
	{                                                                                          \
		"waited: by ", ", itself or through those it waited for"                           \
	}
#define ALL_LEGEND "; in all: by anyone"

static const struct table io_table = {
	.title = "Disk requests",
	.empty = "No disk request was seen.",
	.legend = WAITED_LEGEND,
	.all = ALL_LEGEND,
	.columns = {{"waited", RSP_GRID_NUMBER},
		    {"in all", RSP_GRID_NUMBER, true},
		    {"requests", RSP_GRID_NUMBER},
		    {"bytes", RSP_GRID_NUMBER, true},
		    {"at disk", RSP_GRID_NUMBER},
		    {"queued", RSP_GRID_NUMBER},
		    {"longest", RSP_GRID_NUMBER, true},
		    {"op", RSP_GRID_WORD},
		    {"disk", RSP_GRID_WORD, true},
		    {"program", RSP_GRID_NAME},
		    {"file", RSP_GRID_NAME}},
	.add_row = add_io,
};

static const struct table net_table = {
	.title = "Conversations over tcp and udp",
	.empty = "Nothing was sent or waited for over tcp or udp.",
	.legend = WAITED_LEGEND,
	.all = ALL_LEGEND,
	.columns = {{"waited", RSP_GRID_NUMBER},
		    {"in all", RSP_GRID_NUMBER, true},
		    {"waits", RSP_GRID_NUMBER, true},
		    {"longest", RSP_GRID_NUMBER, true},
		    {"trips", RSP_GRID_NUMBER},
		    {"mean", RSP_GRID_NUMBER},
		    {"sends", RSP_GRID_NUMBER, true},
		    {"sent", RSP_GRID_NUMBER, true},
		    {"task", RSP_GRID_NAME},
		    {"via", RSP_GRID_WORD, true},
		    {"peer", RSP_GRID_NAME}},
	.add_row = add_net,
	.has_stars = true,
};

static const struct table locks_table = {
	.title = "Locks (futexes) that were waited for",
	.empty = "No lock was waited for.",
	.legend = WAITED_LEGEND,
	.all = ALL_LEGEND,
	.columns = {{"waited", RSP_GRID_NUMBER},
		    {"in all", RSP_GRID_NUMBER, true},
		    {"waits", RSP_GRID_NUMBER},
		    {"longest", RSP_GRID_NUMBER},
		    {"waiters", RSP_GRID_NUMBER, true},
		    {"wakers", RSP_GRID_NUMBER, true},
		    {"address", RSP_GRID_WORD},
		    {"process", RSP_GRID_NAME},
		    {"woken mostly by", RSP_GRID_NAME}},
	.add_row = add_lock,
	.has_stars = true,
};

static const struct table irq_table = {
	.title = "Interrupts",
	.empty = "No interrupt was seen.",
	.legend = {"its own: the time that they took from the runs of ", ""},
	.columns = {{"its own", RSP_GRID_NUMBER},
		    {"took", RSP_GRID_NUMBER},
		    {"times", RSP_GRID_NUMBER},
		    {"longest", RSP_GRID_NUMBER},
		    {"wakeups", RSP_GRID_NUMBER},
		    {"interrupt", RSP_GRID_NAME}},
	.add_row = add_irq,
};

static const struct table edges_table = {
	.title = "Wakeups",
	.empty = "Nobody was woken.",
	.legend = WAITED_LEGEND,
	.all = ALL_LEGEND,
	.columns = {{"waited", RSP_GRID_NUMBER},
		    {"in all", RSP_GRID_NUMBER, true},
		    {"waits ended", RSP_GRID_NUMBER},
		    {"wakeups", RSP_GRID_NUMBER},
		    {"by way of", RSP_GRID_WORD},
		    {"waker", RSP_GRID_NAME},
		    {"wakee", RSP_GRID_NAME}},
	.add_row = add_edge,
	.has_stars = true,
};

static const struct table *table_of(const struct rsp_survey *s, enum rsp_view view, size_t *ret_cnt)
{
	switch (view) {
	case RSP_VIEW_IO:
		*ret_cnt = s->io.cnt;
		return &io_table;
	case RSP_VIEW_NET:
		*ret_cnt = s->net.cnt;
		return &net_table;
	case RSP_VIEW_LOCKS:
		*ret_cnt = s->locks.cnt;
		return &locks_table;
	case RSP_VIEW_IRQ:
		*ret_cnt = s->irqs.cnt;
		return &irq_table;
	default:
		*ret_cnt = s->edges.cnt;
		return &edges_table;
	}
}

static int put_rows(const struct rsp_pen *pen, const struct table *table, size_t cnt,
		    bool *ret_has_all)
{
	size_t max = pen->opt->chain_max ? pen->opt->chain_max : ROWS_MAX;
	size_t shown = cnt < max ? cnt : max;
	_cleanup_(rsp_grid_done) struct rsp_grid grid;
	int r;

	rsp_grid_init(&grid, table->columns);
	for (size_t i = 0; i < shown; i++)
		table->add_row(&grid, &pen->e->survey, i);
	r = rsp_grid_print(&grid, pen);
	*ret_has_all = rsp_grid_has(&grid, "in all");
	if (r == 0 && shown < cnt)
		fprintf(pen->out, "  … and %zu more\n", cnt - shown);
	return r;
}

int rsp_put_survey(struct rsp_pen *pen, enum rsp_view view)
{
	const struct rsp_explanation *e = pen->e;
	__u32 pid = e->meta->target_pid;
	char name[RSP_PEN_TASK_BYTES], wall[RSP_FORMAT_MAX];
	const struct table *table;
	bool has_all;
	size_t cnt;
	int r;

	table = table_of(&e->survey, view, &cnt);
	if (!cnt) {
		fprintf(pen->out, "\n%s\n", table->empty);
		return 0;
	}
	fprintf(pen->out, "\n%s on the whole machine within %s\n\n", table->title,
		rsp_format_ns(e->wall_ns, wall, sizeof(wall)));
	r = put_rows(pen, table, cnt, &has_all);
	if (r < 0)
		return r;
	fputc('\n', pen->out);
	rsp_pen_say(pen, "", "%s%s%s%s", table->legend[0],
		    rsp_pen_task(e->comm, pid, pid, name, sizeof(name)), table->legend[1],
		    has_all && table->all ? table->all : "");
	if (table->has_stars)
		fputs("*: of the process itself\n", pen->out);
	return 0;
}
