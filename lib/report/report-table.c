/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the time went, by category and by task. Figures of one column add up. */
#include <string.h>

#include "lib/report/report-pen.h"
#include "lib/report/report-words.h"

#define PROCESSES_MAX 20 /* fit on a screen; JSON contains all */

/* One unit for the whole table, fine enough for its total: three decimals of it. */
static void table_unit(__u64 total_ns, __u64 *ret_step_ns, const char **ret_name)
{
	if (total_ns >= 10000000000) {
		*ret_step_ns = 1000000;
		*ret_name = "s";
	} else if (total_ns >= 10000000) {
		*ret_step_ns = 1000;
		*ret_name = "ms";
	} else {
		*ret_step_ns = 1;
		*ret_name = "µs";
	}
}

static void put_row(struct rsp_pen *pen, __u64 steps, const char *unit, __u64 tenths)
{
	char buf[64];

	snprintf(buf, sizeof(buf), "%llu.%03llu %s", steps / 1000, steps % 1000, unit);
	rsp_pen_right(pen, 16, buf);
	fprintf(pen->out, "  %3llu.%llu %%  ", tenths / 10, tenths % 10);
}

static void put_category_row(struct rsp_pen *pen, enum rsp_category cat, __u64 steps,
			     const char *unit, __u64 tenths)
{
	const struct rsp_words *words = rsp_category_words(cat);
	bool inferred = cat == RSP_CAT_RUNNING_UNSAMPLED && pen->e->cat_ns[cat] > 0;

	put_row(pen, steps, unit, tenths);
	rsp_pen_coloured(pen, words->colour, words->name);
	fprintf(pen->out, "%*s%s%s\n", 22 - (int)strlen(words->name), "", rsp_category_text(cat),
		inferred ? words->mark : "");
	pen->said_inferred |= inferred;
}

void rsp_put_table(struct rsp_pen *pen)
{
	const struct rsp_explanation *e = pen->e;
	__u64 steps[RSP_CAT_MAX], tenths[RSP_CAT_MAX], step_ns, total_steps;
	char name[RSP_PEN_TASK_BYTES], buf[RSP_FORMAT_MAX];
	__u32 pid = e->meta->target_pid;
	__u64 accounted_ns;
	const char *unit;

	fprintf(pen->out, "\nWhere the time of %s went: ",
		rsp_pen_task(e->comm, pid, pid, name, sizeof(name)));
	fprintf(pen->out, "%s in %u thread%s, ", rsp_format_ns(e->total_ns, buf, sizeof(buf)),
		e->root_cnt, e->root_cnt == 1 ? "" : "s");
	fprintf(pen->out, "%s by the clock", rsp_format_ns(e->wall_ns, buf, sizeof(buf)));
	if (e->idle_root_cnt > 0)
		fprintf(pen->out, "; %u more slept throughout", e->idle_root_cnt);
	fputs("\n\n", pen->out);

	table_unit(e->total_ns, &step_ns, &unit);
	total_steps = e->total_ns / step_ns + (e->total_ns % step_ns * 2 >= step_ns);
	rsp_format_apportion(e->cat_ns, RSP_CAT_MAX, e->total_ns, total_steps, steps);
	rsp_format_apportion(e->cat_ns, RSP_CAT_MAX, e->total_ns, 1000, tenths);
	for (enum rsp_category cat = 0; cat < RSP_CAT_MAX; cat++)
		if (e->cat_ns[cat] > 0 || cat == RSP_CAT_UNACCOUNTED)
			put_category_row(pen, cat, steps[cat], unit, tenths[cat]);
	put_row(pen, total_steps, unit, e->total_ns ? 1000 : 0);
	accounted_ns = e->total_ns - e->cat_ns[RSP_CAT_LOST] - e->cat_ns[RSP_CAT_UNRECORDED] -
		       e->cat_ns[RSP_CAT_EDGE] - e->cat_ns[RSP_CAT_UNACCOUNTED];
	rsp_format_share(accounted_ns, e->total_ns, buf, sizeof(buf));
	fprintf(pen->out, "%-22s%s of it accounted for\n", "total", e->total_ns ? buf : "100 %");
}

void rsp_put_processes(struct rsp_pen *pen)
{
	const struct rsp_explanation *e = pen->e;
	char name[RSP_PEN_TASK_BYTES];

	if (e->process_cnt == 0)
		return;
	fputs("\nWho took part\n\n"
	      "       time   share    running       disk    network  CPU queue      other  task\n",
	      pen->out);
	for (size_t i = 0; i < e->process_cnt && i < PROCESSES_MAX; i++) {
		const struct rsp_process *p = &e->processes[i];
		const __u64 *ns = p->cat_ns;
		__u64 cells[] = {
			ns[RSP_CAT_RUNNING_SAMPLED] + ns[RSP_CAT_RUNNING_UNSAMPLED],
			ns[RSP_CAT_DISK_ACTIVE] + ns[RSP_CAT_DISK_QUEUED],
			ns[RSP_CAT_NETWORK],
			ns[RSP_CAT_RUNQUEUE] + ns[RSP_CAT_PREEMPTED],
		};
		__u64 other_ns = p->ns;

		rsp_pen_ns(pen, 11, p->ns);
		rsp_pen_share(pen, 8, p->ns);
		for (size_t c = 0; c < sizeof(cells) / sizeof(cells[0]); c++) {
			rsp_pen_ns(pen, 11, cells[c]);
			other_ns -= cells[c];
		}
		rsp_pen_ns(pen, 11, other_ns);
		fprintf(pen->out, "  %s%s\n",
			rsp_pen_task(p->comm, p->tgid, p->tid, name, sizeof(name)),
			p->is_root ? " *" : "");
	}
	if (e->process_cnt > PROCESSES_MAX)
		fprintf(pen->out, "  … and %zu more\n", e->process_cnt - PROCESSES_MAX);
	fputs("\n* a thread of the process itself\n", pen->out);
}
