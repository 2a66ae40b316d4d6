/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the utilization as text. */
#include <errno.h>

#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/report/report-container.h"
#include "lib/report/report-grid.h"
#include "lib/report/report-pen.h"
#include "lib/report/util-groups.h"
#include "lib/report/util-view.h"

#define ROWS_MAX       25 /* default number of rows, about one screen; JSON contains all rows */
#define CALL_ROWS_MAX  12 /* default number of system calls for each task */
#define CALL_TASKS_MAX 8
#define WIDTH_UNKNOWN  100

struct writer {
	struct rsp_pen pen;
	const struct rsp_util_view *v;
	bool *shows_images; /* a row is about a program that the process no longer executes */
};

static size_t row_max(const struct writer *w, size_t usual)
{
	return w->v->opt->row_max ? w->v->opt->row_max : usual;
}

/* --- cells ------------------------------------------------------------------------------------ */

/* If the time is an estimate from samples, the cell has "~" before it. */
static void add_mode(struct rsp_grid *g, __u64 ns, unsigned int source)
{
	char buf[RSP_FORMAT_MAX];

	if (ns && source & RSP_USE_SAMPLES)
		rsp_grid_add(g, "~%s", rsp_format_ns(ns, buf, sizeof(buf)));
	else
		rsp_grid_add_ns(g, ns);
}

static void add_share(struct rsp_grid *g, __u64 part, __u64 whole)
{
	char buf[RSP_FORMAT_MAX];

	rsp_grid_add(g, "%s", part ? rsp_format_share(part, whole, buf, sizeof(buf)) : "–");
}

static void add_name(struct rsp_grid *g, const struct writer *w, __u32 name, __u32 id, __s32 image)
{
	const char *text = rsp_names_text(w->v->names, name);
	char buf[RSP_UTIL_ID_BYTES];

	/* If the name is unknown, the text is the ID in brackets. */
	rsp_util_id(id, image, buf, sizeof(buf));
	*w->shows_images |= image >= 0;
	if (*text == '[')
		rsp_grid_add(g, "[%s]", buf);
	else
		rsp_grid_add(g, "%s [%s]", text, buf);
}

static void add_process(struct rsp_grid *g, const struct writer *w,
			const struct rsp_util_group *group)
{
	const struct rsp_use_process *p = group->process;
	char id[RSP_UTIL_ID_BYTES], container[RSP_IN_CONTAINER_BYTES];
	const char *text = rsp_names_text(w->v->names, p->name);

	rsp_in_container(rsp_util_container(w->v, p), container);
	if (group->process_cnt > 1) {
		rsp_grid_add(g, "%s ×%u%s", text, group->process_cnt, container);
		return;
	}
	rsp_util_id(p->tgid, p->image, id, sizeof(id));
	*w->shows_images |= p->image >= 0;
	rsp_grid_add(g, "%s%s[%s]%s", *text == '[' ? "" : text, *text == '[' ? "" : " ", id,
		     container);
}

/* --- the first lines -------------------------------------------------------------------------- */

static void put_part(FILE *out, const char *name, __u64 ns)
{
	char buf[RSP_FORMAT_MAX];

	if (ns)
		fprintf(out, ", %s %s", name, rsp_format_ns(ns, buf, sizeof(buf)));
}

static __u64 known_ns(const struct rsp_utilization *u)
{
	__u64 all_ns = (u->until_ns - u->since_ns) * u->cpus.cnt;

	return all_ns > u->all.unknown_ns ? all_ns - u->all.unknown_ns : 0;
}

static void put_share(FILE *f, const struct rsp_utilization *u)
{
	__u64 span_ns = u->until_ns - u->since_ns, all_ns = span_ns * u->cpus.cnt;
	char share[RSP_FORMAT_MAX], span[RSP_FORMAT_MAX];

	fprintf(f, "%zu CPU%s were in use for %s of %s each", u->cpus.cnt,
		u->cpus.cnt == 1 ? "" : "s",
		rsp_format_share(rsp_use_run_ns(&u->all), known_ns(u), share, sizeof(share)),
		rsp_format_ns(span_ns, span, sizeof(span)));
	if (u->all.unknown_ns * 100 >= all_ns)
		fprintf(f, ", as far as is known (%s of the time)",
			rsp_format_share(known_ns(u), all_ns, share, sizeof(share)));
}

/* The CPU time of other users is unknown. */
static void put_own_use(FILE *f, const struct rsp_utilization *u)
{
	char run[RSP_FORMAT_MAX], span[RSP_FORMAT_MAX];

	fprintf(f, "Your processes ran for %s within %s",
		rsp_format_ns(rsp_use_run_ns(&u->all), run, sizeof(run)),
		rsp_format_ns(u->until_ns - u->since_ns, span, sizeof(span)));
}

static void put_modes(FILE *f, const struct rsp_utilization *u)
{
	const char *about = u->source & RSP_USE_SAMPLES ? "~" : "";
	char a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX];

	fprintf(f, ": user %s%s, system %s%s", about, rsp_format_ns(u->all.user_ns, a, sizeof(a)),
		about, rsp_format_ns(u->all.system_ns, b, sizeof(b)));
	put_part(f, "interrupts", u->all.irq_ns);
	put_part(f, "softirqs", u->all.softirq_ns);
	put_part(f, "stolen by the hypervisor", u->all.stolen_ns);
	put_part(f, "in an unknown mode", u->all.busy_ns);
	put_part(f, "idle", u->all.idle_ns);
	put_part(f, "unknown", u->all.unknown_ns);
	fprintf(f, ". Tasks waited %s for a CPU and migrated %llu time%s.",
		rsp_format_ns(u->all.runnable_ns, a, sizeof(a)), u->migration_cnt,
		u->migration_cnt == 1 ? "" : "s");
}

static int put_headline(const struct writer *w)
{
	const struct rsp_utilization *u = &w->v->use;
	_cleanup_free_ char *text = NULL;
	char span[RSP_FORMAT_MAX];
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -ENOMEM;
	if (w->v->redacted) {
		put_own_use(f, u);
		put_modes(f, u);
	} else if (known_ns(u)) {
		put_share(f, u);
		put_modes(f, u);
	} else {
		fprintf(f, "It is not known how the CPUs were used in these %s.",
			rsp_format_ns(u->until_ns - u->since_ns, span, sizeof(span)));
	}
	if (fclose(f) != 0)
		return -ENOMEM;
	rsp_pen_sentence(&w->pen, RSP_SGR_ANSWER, 0, 2, text);
	return 0;
}

/* --- CPUs ------------------------------------------------------------------------------------- */

static const struct rsp_grid_column cpu_columns[] = {
	{"CPU", RSP_GRID_WORD},
	{"user", RSP_GRID_NUMBER},
	{"system", RSP_GRID_NUMBER},
	{"irq", RSP_GRID_NUMBER},
	{"softirq", RSP_GRID_NUMBER},
	{"idle", RSP_GRID_NUMBER},
	{"used", RSP_GRID_NUMBER},
	{"stolen", RSP_GRID_NUMBER, true},
	{"busy", RSP_GRID_NUMBER, true},
	{"unknown", RSP_GRID_NUMBER, true},
	{0},
};

static void add_cpu(struct rsp_grid *g, const char *name, const struct rsp_use *use,
		    unsigned int source, bool knows_stolen)
{
	rsp_grid_add(g, "%s", name);
	add_mode(g, use->user_ns, source);
	add_mode(g, use->system_ns, source);
	rsp_grid_add_ns(g, use->irq_ns);
	rsp_grid_add_ns(g, use->softirq_ns);
	rsp_grid_add_ns(g, use->idle_ns);
	add_share(g, rsp_use_run_ns(use),
		  rsp_use_total_ns(use) - use->runnable_ns - use->unknown_ns);
	if (knows_stolen)
		rsp_grid_add_ns(g, use->stolen_ns);
	else
		rsp_grid_add(g, "?");
	rsp_grid_add_ns(g, use->busy_ns);
	rsp_grid_add_ns(g, use->unknown_ns);
}

static int put_cpus(const struct writer *w)
{
	const struct rsp_utilization *u = &w->v->use;
	size_t max = row_max(w, ROWS_MAX);
	struct rsp_grid g;
	char name[16];
	int r;

	rsp_grid_init(&g, cpu_columns);
	for (size_t i = 0; i < u->cpus.cnt && i < max; i++) {
		const struct rsp_use_cpu *cpu = &u->cpus.v[i];

		snprintf(name, sizeof(name), "%u", cpu->cpu);
		add_cpu(&g, name, &cpu->use, cpu->source, cpu->knows_stolen);
	}
	add_cpu(&g, "all", &u->all, u->source, u->knows_stolen);
	fputs("\nCPUs\n", w->pen.out);
	r = rsp_grid_print(&g, &w->pen);
	rsp_grid_done(&g);
	return r;
}

/* --- processes and tasks ---------------------------------------------------------------------- */

/* The columns that add_use() fills in. */
#define USE_COLUMNS                                                                                \
	{"user", RSP_GRID_NUMBER}, {"system", RSP_GRID_NUMBER}, {"busy", RSP_GRID_NUMBER, true},   \
		{"runnable", RSP_GRID_NUMBER}, {"idle", RSP_GRID_NUMBER},                          \
		{"used", RSP_GRID_NUMBER}, {"moves", RSP_GRID_NUMBER, true},                       \
		{"irq", RSP_GRID_NUMBER, true}, {"softirq", RSP_GRID_NUMBER, true},                \
		{"stolen", RSP_GRID_NUMBER, true},                                                 \
	{                                                                                          \
		"unknown", RSP_GRID_NUMBER, true                                                   \
	}

static const struct rsp_grid_column process_columns[] = {
	{"process", RSP_GRID_NAME}, {"tasks", RSP_GRID_NUMBER}, USE_COLUMNS, {0}};

static const struct rsp_grid_column task_columns[] = {{"task", RSP_GRID_NAME}, USE_COLUMNS, {0}};

static void add_use(struct rsp_grid *g, const struct rsp_use *use, unsigned int source, __u64 moves)
{
	add_mode(g, use->user_ns, source);
	add_mode(g, use->system_ns, source);
	rsp_grid_add_ns(g, use->busy_ns);
	rsp_grid_add_ns(g, use->runnable_ns);
	rsp_grid_add_ns(g, use->idle_ns);
	add_share(g, rsp_use_run_ns(use), rsp_use_total_ns(use) - use->unknown_ns);
	rsp_grid_add_cnt(g, moves);
	rsp_grid_add_ns(g, use->irq_ns);
	rsp_grid_add_ns(g, use->softirq_ns);
	rsp_grid_add_ns(g, use->stolen_ns);
	rsp_grid_add_ns(g, use->unknown_ns);
}

static void put_rest(const struct writer *w, size_t shown, size_t cnt, const char *what)
{
	if (cnt > shown)
		fprintf(w->pen.out, "  … and %zu more %s (-n)\n", cnt - shown, what);
}

static int put_processes(const struct writer *w)
{
	_cleanup_(rsp_util_groups_done) struct rsp_util_groups groups = {0};
	size_t max = row_max(w, ROWS_MAX);
	struct rsp_grid g;
	int r = rsp_util_groups_make(w->v, &groups);

	if (r < 0)
		return r;
	rsp_grid_init(&g, process_columns);
	for (size_t i = 0; i < groups.cnt && i < max; i++) {
		const struct rsp_util_group *group = &groups.v[i];

		add_process(&g, w, group);
		rsp_grid_add_cnt(&g, group->task_cnt);
		add_use(&g, &group->use, group->source, group->migration_cnt);
	}
	fputs("\nProcesses\n", w->pen.out);
	r = rsp_grid_print(&g, &w->pen);
	rsp_grid_done(&g);
	put_rest(w, max, groups.cnt, "rows");
	return r;
}

/*
 * The only task of a process is left out, because the table of processes already shows its times.
 */
static bool shows_task(const struct writer *w, const struct rsp_use_task *task)
{
	return w->v->shows[task->process] && w->v->use.processes.v[task->process].task_cnt > 1;
}

static int put_tasks(const struct writer *w)
{
	const struct rsp_utilization *u = &w->v->use;
	size_t max = row_max(w, ROWS_MAX), cnt = 0;
	struct rsp_grid g;
	int r = 0;

	rsp_grid_init(&g, task_columns);
	for (size_t i = 0; i < u->tasks.cnt; i++) {
		const struct rsp_use_task *task = &u->tasks.v[i];

		if (!shows_task(w, task) || cnt++ >= max)
			continue;
		add_name(&g, w, task->name, task->tid, task->image);
		add_use(&g, &task->use, task->source, task->migration_cnt);
	}
	if (cnt) {
		fputs("\nTasks of processes with several\n", w->pen.out);
		r = rsp_grid_print(&g, &w->pen);
		put_rest(w, max, cnt, "tasks");
	}
	rsp_grid_done(&g);
	return r;
}

static const struct rsp_grid_column place_columns[] = {
	{"task", RSP_GRID_NAME},
	{"CPU", RSP_GRID_NUMBER},
	{"ran", RSP_GRID_NUMBER},
	{"share", RSP_GRID_NUMBER},
	{0},
};

static int put_places(const struct writer *w)
{
	const struct rsp_utilization *u = &w->v->use;
	size_t max = row_max(w, ROWS_MAX), cnt = 0;
	struct rsp_grid g;
	int r;

	rsp_grid_init(&g, place_columns);
	for (size_t i = 0; i < u->tasks.cnt; i++) {
		const struct rsp_use_task *task = &u->tasks.v[i];

		if (!w->v->shows[task->process] || !task->places.cnt || cnt++ >= max)
			continue;
		for (size_t k = 0; k < task->places.cnt; k++) {
			add_name(&g, w, task->name, task->tid, task->image);
			rsp_grid_add(&g, "%u", task->places.v[k].cpu);
			rsp_grid_add_ns(&g, task->places.v[k].run_ns);
			add_share(&g, task->places.v[k].run_ns, rsp_use_run_ns(&task->use));
		}
	}
	fputs("\nTasks by CPU\n", w->pen.out);
	r = rsp_grid_print(&g, &w->pen);
	rsp_grid_done(&g);
	put_rest(w, max, cnt, "tasks");
	return r;
}

/* --- calls and interrupts --------------------------------------------------------------------- */

/* The columns that add_counts() fills in. */
#define COUNT_COLUMNS                                                                              \
	{"count", RSP_GRID_NUMBER}, {"elapsed", RSP_GRID_NUMBER}, {"pending", RSP_GRID_NUMBER},    \
		{"average", RSP_GRID_NUMBER}, {"minimum", RSP_GRID_NUMBER},                        \
	{                                                                                          \
		"maximum", RSP_GRID_NUMBER                                                         \
	}

static const struct rsp_grid_column call_columns[] = {{"call", RSP_GRID_NAME}, COUNT_COLUMNS, {0}};
static const struct rsp_grid_column irq_columns[] = {
	{"interrupt", RSP_GRID_NAME}, COUNT_COLUMNS, {0}};

struct counts {
	__u64 cnt, sum_ns, pending_ns, min_ns, max_ns;
	bool lacks_min;
};

static void add_counts(struct rsp_grid *g, const struct counts *c)
{
	rsp_grid_add_cnt(g, c->cnt);
	rsp_grid_add_ns(g, c->sum_ns);
	rsp_grid_add_ns(g, c->pending_ns);
	rsp_grid_add_ns(g, c->cnt ? c->sum_ns / c->cnt : 0);
	if (c->lacks_min)
		rsp_grid_add(g, "?");
	else
		rsp_grid_add_ns(g, c->min_ns);
	rsp_grid_add_ns(g, c->max_ns);
}

static int put_task_calls(const struct writer *w, const struct rsp_use_task *task)
{
	size_t max = row_max(w, CALL_ROWS_MAX);
	struct rsp_grid g;
	char buf[64];
	int r;

	fprintf(w->pen.out, "\nSystem calls of %s [%s]\n",
		rsp_format_name(rsp_names_text(w->v->names, task->name), RSP_COMM_MAX,
				(char[RSP_FORMAT_NAME_BYTES(RSP_COMM_MAX)]){0},
				RSP_FORMAT_NAME_BYTES(RSP_COMM_MAX)),
		rsp_util_id(task->tid, task->image, buf, sizeof(buf)));
	rsp_grid_init(&g, call_columns);
	for (size_t i = 0; i < task->calls.cnt && i < max; i++) {
		const struct rsp_use_call *call = &task->calls.v[i];

		rsp_grid_add(&g, "%s", rsp_util_call_name(call->nr, buf, sizeof(buf)));
		add_counts(&g, &(struct counts){call->cnt, call->sum_ns, call->pending_ns,
						call->min_ns, call->max_ns, false});
	}
	r = rsp_grid_print(&g, &w->pen);
	rsp_grid_done(&g);
	put_rest(w, max, task->calls.cnt, "calls");
	return r;
}

static int put_calls(const struct writer *w)
{
	const struct rsp_utilization *u = &w->v->use;
	size_t max = row_max(w, CALL_TASKS_MAX), cnt = 0;
	int r = 0;

	for (size_t i = 0; i < u->tasks.cnt && r == 0; i++) {
		const struct rsp_use_task *task = &u->tasks.v[i];

		if (w->v->shows[task->process] && task->calls.cnt && cnt++ < max)
			r = put_task_calls(w, task);
	}
	put_rest(w, max, cnt, "tasks");
	return r;
}

static int put_irqs(const struct writer *w)
{
	const struct rsp_utilization *u = &w->v->use;
	size_t max = row_max(w, ROWS_MAX);
	struct rsp_grid g;
	int r;

	if (!u->irqs.cnt)
		return 0;
	rsp_grid_init(&g, irq_columns);
	for (size_t i = 0; i < u->irqs.cnt && i < max; i++) {
		const struct rsp_use_irq *irq = &u->irqs.v[i];

		rsp_grid_add(&g, "%s", rsp_names_text(w->v->names, irq->name));
		add_counts(&g, &(struct counts){irq->cnt, irq->sum_ns, irq->pending_ns, irq->min_ns,
						irq->max_ns, irq->has_sums});
	}
	fputs("\nInterrupts\n", w->pen.out);
	r = rsp_grid_print(&g, &w->pen);
	rsp_grid_done(&g);
	put_rest(w, max, u->irqs.cnt, "interrupts");
	return r;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool has_sums(const struct rsp_utilization *u)
{
	bool any = false;

	for (size_t i = 0; i < u->irqs.cnt; i++)
		any |= u->irqs.v[i].has_sums;
	return any;
}

static void put_note(const struct writer *w, const char *text)
{
	rsp_pen_sentence(&w->pen, "", 0, 2, text);
}

static void put_notes(const struct writer *w)
{
	const struct rsp_utilization *u = &w->v->use;

	fputc('\n', w->pen.out);
	if (w->v->redacted)
		put_note(w, "Redacted: other users' processes are left out, and with them the use "
			    "of the CPUs.");
	if (u->source & RSP_USE_SAMPLES)
		put_note(w, "~: samples divided the measured time into user and system time, so "
			    "this is an estimate. Else the kernel's account divided it.");
	if (*w->shows_images)
		put_note(w, "[123-0]: the first program of process 123, before it executed another "
			    "program.");
	if (u->all.busy_ns)
		put_note(w, "busy: running, but neither an account nor a sample shows whether in "
			    "user or in system mode.");
	if (u->all.unknown_ns)
		put_note(w, "unknown: records are missing, or the recorder paused.");
	if (has_sums(u))
		put_note(w, "?: short softirqs are recorded as sums, which contain no minimum.");
	if (u->has_calls)
		put_note(w, "pending: calls and interrupts that begin or end outside of the span. "
			    "They are not part of count, elapsed, average, minimum and maximum.");
	else
		put_note(w, "System calls were not counted: see --syscalls.");
}

int rsp_util_text(const struct rsp_util_view *v, FILE *out)
{
	const struct rsp_report_options how = {.colour = v->opt->colour, .width = v->opt->width};
	bool shows_images = false;
	const struct writer w = {
		.pen = {.out = out,
			.opt = &how,
			.width = v->opt->width ? v->opt->width : WIDTH_UNKNOWN},
		.v = v,
		.shows_images = &shows_images,
	};
	int r = put_headline(&w);

	if (r == 0 && !v->redacted)
		r = put_cpus(&w);
	if (r == 0)
		r = put_processes(&w);
	if (r == 0)
		r = put_tasks(&w);
	if (r == 0 && v->opt->by_cpu)
		r = put_places(&w);
	if (r == 0)
		r = put_calls(&w);
	if (r == 0)
		r = put_irqs(&w);
	if (r == 0)
		put_notes(&w);
	return r;
}
