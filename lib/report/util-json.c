/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the utilization as JSON. docs/json-util.md documents each field. */
#include <errno.h>

#include "lib/base/json.h"
#include "lib/report/report-container.h"
#include "lib/report/util-view.h"

#define UTIL_VERSION 2

static int add_use(struct json_object *o, const struct rsp_use *use)
{
	int r = rsp_json_add_number(o, "user_ns", use->user_ns);

	r |= rsp_json_add_number(o, "system_ns", use->system_ns);
	r |= rsp_json_add_number(o, "busy_ns", use->busy_ns);
	r |= rsp_json_add_number(o, "irq_ns", use->irq_ns);
	r |= rsp_json_add_number(o, "softirq_ns", use->softirq_ns);
	r |= rsp_json_add_number(o, "stolen_ns", use->stolen_ns);
	r |= rsp_json_add_number(o, "runnable_ns", use->runnable_ns);
	r |= rsp_json_add_number(o, "idle_ns", use->idle_ns);
	return r | rsp_json_add_number(o, "unknown_ns", use->unknown_ns);
}

static int add_id(struct json_object *o, const char *key, __u32 id, __s32 image)
{
	char buf[RSP_UTIL_ID_BYTES];
	int r = rsp_json_add_number(o, key, id);

	return r | rsp_json_add_string(o, "id", rsp_util_id(id, image, buf, sizeof(buf)));
}

static int add_moves(struct json_object *o, __u64 cnt, __u64 asked_cnt)
{
	int r = rsp_json_add_number(o, "migrations", cnt);

	return r | rsp_json_add_number(o, "migrations_asked", asked_cnt);
}

static int fill_cpu(struct json_object *o, const void *from)
{
	const struct rsp_use_cpu *cpu = from;
	int r = rsp_json_add_number(o, "cpu", cpu->cpu);

	r |= add_use(o, &cpu->use);
	r |= rsp_json_add_bool(o, "stolen_known", cpu->knows_stolen);
	return r | rsp_json_add_string(o, "modes_from", rsp_util_source_name(cpu->source));
}

static int fill_place(struct json_object *o, const void *from)
{
	const struct rsp_use_place *place = from;
	int r = rsp_json_add_number(o, "cpu", place->cpu);

	return r | rsp_json_add_number(o, "ran_ns", place->run_ns);
}

static int fill_call(struct json_object *o, const void *from)
{
	const struct rsp_use_call *call = from;
	char buf[64];
	int r = rsp_json_add_string(o, "name", rsp_util_call_name(call->nr, buf, sizeof(buf)));

	r |= rsp_json_add_number(o, "count", call->cnt);
	r |= rsp_json_add_number(o, "elapsed_ns", call->sum_ns);
	r |= rsp_json_add_number(o, "pending_ns", call->pending_ns);
	if (!call->cnt)
		return r;
	r |= rsp_json_add_number(o, "average_ns", call->sum_ns / call->cnt);
	r |= rsp_json_add_number(o, "minimum_ns", call->min_ns);
	return r | rsp_json_add_number(o, "maximum_ns", call->max_ns);
}

struct row {
	const struct rsp_util_view *v;
	const void *row;
};

static int fill_task(struct json_object *o, const void *from)
{
	const struct row *row = from;
	const struct rsp_use_task *task = row->row;
	const struct rsp_util_view *v = row->v;
	int r = add_id(o, "tid", task->tid, task->image);

	r |= rsp_json_add_number(o, "pid", task->tgid);
	r |= rsp_json_add_string(o, "comm", rsp_names_text(v->names, task->name));
	r |= rsp_json_add_number(o, "from_ns", task->from_ns - v->use.since_ns);
	r |= rsp_json_add_number(o, "to_ns", task->to_ns - v->use.since_ns);
	r |= add_use(o, &task->use);
	r |= rsp_json_add_string(o, "modes_from", rsp_util_source_name(task->source));
	r |= add_moves(o, task->migration_cnt, task->asked_cnt);
	r |= rsp_json_add(o, "cpus",
			  RSP_JSON_ARRAY_OF(fill_place, task->places.v, task->places.cnt));
	if (v->use.has_calls)
		r |= rsp_json_add(o, "syscalls",
				  RSP_JSON_ARRAY_OF(fill_call, task->calls.v, task->calls.cnt));
	return r;
}

static int fill_process(struct json_object *o, const void *from)
{
	const struct row *row = from;
	const struct rsp_use_process *process = row->row;
	int r = add_id(o, "pid", process->tgid, process->image);

	r |= rsp_json_add_string(o, "comm", rsp_names_text(row->v->names, process->name));
	r |= rsp_json_add_container(o, rsp_util_container(row->v, process));
	r |= rsp_json_add_number(o, "tasks", process->task_cnt);
	r |= add_use(o, &process->use);
	r |= rsp_json_add_string(o, "modes_from", rsp_util_source_name(process->source));
	return r | add_moves(o, process->migration_cnt, process->asked_cnt);
}

static int fill_irq(struct json_object *o, const void *from)
{
	const struct row *row = from;
	const struct rsp_use_irq *irq = row->row;
	int r = rsp_json_add_string(o, "name", rsp_names_text(row->v->names, irq->name));

	r |= rsp_json_add_number(o, "count", irq->cnt);
	r |= rsp_json_add_number(o, "elapsed_ns", irq->sum_ns);
	r |= rsp_json_add_number(o, "pending_ns", irq->pending_ns);
	if (!irq->cnt)
		return r;
	r |= rsp_json_add_number(o, "average_ns", irq->sum_ns / irq->cnt);
	if (!irq->has_sums)
		r |= rsp_json_add_number(o, "minimum_ns", irq->min_ns);
	return r | rsp_json_add_number(o, "maximum_ns", irq->max_ns);
}

static bool shows_process(const struct rsp_util_view *v, size_t i)
{
	return v->shows[i];
}

static bool shows_task(const struct rsp_util_view *v, size_t i)
{
	return v->shows[v->use.tasks.v[i].process];
}

/* A table of the view. fill gets a pointer to a struct row. */
struct table {
	const void *rows;
	size_t cnt, row_bytes;
	rsp_json_fill_fn fill;
	bool (*shows)(const struct rsp_util_view *v, size_t i); /* NULL: all rows are visible */
};
#define TABLE(of, ...) ((struct table){(of).v, (of).cnt, sizeof(*(of).v), __VA_ARGS__})

static struct json_object *rows_of(const struct rsp_util_view *v, struct table table)
{
	struct json_object *array = json_object_new_array();
	int r = 0;

	for (size_t i = 0; array && i < table.cnt; i++) {
		struct row row = {v, (const char *)table.rows + i * table.row_bytes};

		if (!table.shows || table.shows(v, i))
			r |= rsp_json_append(array, rsp_json_object_of(table.fill, &row));
	}
	if (r == 0)
		return array;
	json_object_put(array);
	return NULL;
}

static int fill_all(struct json_object *o, const void *from)
{
	const struct rsp_utilization *u = from;
	int r = add_use(o, &u->all);

	r |= rsp_json_add_string(o, "modes_from", rsp_util_source_name(u->source));
	r |= rsp_json_add_bool(o, "stolen_known", u->knows_stolen);
	return r | add_moves(o, u->migration_cnt, u->asked_cnt);
}

static int fill(struct json_object *o, const struct rsp_util_view *v)
{
	const struct rsp_utilization *u = &v->use;
	int r = rsp_json_add_number(o, "version", UTIL_VERSION);

	r |= rsp_json_add_number(o, "since_ns", u->since_ns);
	r |= rsp_json_add_number(o, "until_ns", u->until_ns);
	if (u->has_calls)
		r |= rsp_json_add_number(o, "syscalls_since_ns", u->calls_from_ns);
	r |= rsp_json_add_number(o, "lost", v->lost_cnt);
	r |= rsp_json_add_bool(o, "redacted", v->redacted);
	r |= rsp_json_add(o, "all", rsp_json_object_of(fill_all, u));
	r |= rsp_json_add(o, "cpus", RSP_JSON_ARRAY_OF(fill_cpu, u->cpus.v, u->cpus.cnt));
	r |= rsp_json_add(o, "processes",
			  rows_of(v, TABLE(u->processes, fill_process, shows_process)));
	r |= rsp_json_add(o, "tasks", rows_of(v, TABLE(u->tasks, fill_task, shows_task)));
	return r | rsp_json_add(o, "interrupts", rows_of(v, TABLE(u->irqs, fill_irq, NULL)));
}

int rsp_util_json(const struct rsp_util_view *v, FILE *out)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE |
		    (v->opt->pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED : 0);
	_cleanup_json_ struct json_object *o = json_object_new_object();
	const char *text;
	size_t len;

	if (!o || fill(o, v) < 0)
		return -ENOMEM;
	text = json_object_to_json_string_length(o, flags, &len);
	if (!text)
		return -ENOMEM;
	rsp_json_put(text, len, 0, out);
	fputc('\n', out);
	return 0;
}
