// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See log-print.h. Prints one JSON object per line: first the plan, then the IDs and the entries of
 * each task.
 */
#include "tests/truth/log-print.h"

#include <inttypes.h>

#include "tests/truth/links.h"
#include "tests/truth/service.h"

static const char *const kind_names[] = {
	[STEP_WORK] = "work",	    [STEP_SLEEP] = "sleep",	[STEP_TIMEOUT] = "timeout",
	[STEP_LATE] = "late",	    [STEP_TIMERFD] = "timerfd", [STEP_FAULT] = "fault",
	[STEP_FSYNC] = "fsync",	    [STEP_DIRECT] = "direct",	[STEP_COLD] = "cold",
	[STEP_POST] = "post",	    [STEP_WAIT] = "wait",	[STEP_GATHER] = "gather",
	[STEP_LOCK] = "lock",	    [STEP_UNLOCK] = "unlock",	[STEP_SPAWN] = "spawn",
	[STEP_JOIN] = "join",	    [STEP_EXEC] = "exec",	[STEP_LOOP] = "loop",
	[STEP_QUOTA] = "quota",	    [STEP_SUBMIT] = "submit",	[STEP_COLLECT] = "collect",
	[STEP_SERVE] = "serve",	    [STEP_NAPS] = "naps",	[STEP_UNSIGNALLED] = "unsignalled",
	[STEP_CALL] = "call",	    [STEP_ATTEND] = "attend",	[STEP_LIMITED] = "limited",
	[STEP_TAKE] = "take",	    [STEP_ASK] = "ask",		[STEP_GIVE] = "give",
	[STEP_BACKEND] = "backend",
};

/* Prints the kinds of steps in the plan, including kinds for which the log has no entry. */
static void print_kinds(FILE *f, const struct plan *p)
{
	bool used[STEP_KINDS] = {};
	const char *comma = "";

	for (size_t i = 0; i < p->task_cnt; i++)
		for (size_t k = 0; k < p->tasks[i].step_cnt; k++)
			used[p->tasks[i].steps[k].kind] = true;
	for (size_t i = 0; i < STEP_KINDS; i++) {
		if (!used[i])
			continue;
		fprintf(f, "%s\"%s\"", comma, kind_names[i]);
		comma = ", ";
	}
}

static void print_plan(FILE *f, const struct plan *p)
{
	fprintf(f,
		"{\"seed\": %" PRIu64 ", \"shape\": \"%s\", \"cause\": \"%s\", \"who\": \"t%02u\", "
		"\"tasks\": %zu, \"links\": [",
		p->seed, p->shape, p->cause, p->who, p->task_cnt);
	for (size_t i = 0; i < p->link_cnt; i++)
		fprintf(f, "%s[\"%s\", \"t%02u\", \"t%02u\"]", i ? ", " : "",
			link_types[p->links[i].type].name, p->links[i].from, p->links[i].to);
	fprintf(f, "], \"steps\": [");
	print_kinds(f, p);
	fprintf(f, "], \"entrance\": \"%s\", \"servers\": %u, \"patience_ms\": %u}\n",
		service_entrance(p) ? service_entrance(p) : "", p->server_cnt, p->patience_ms);
}

static void print_entry(FILE *f, const struct log_entry *e, const char *name)
{
	fprintf(f,
		"{\"kind\": \"%s\", \"arg\": %u, \"from\": %" PRIu64 ", \"to\": %" PRIu64
		", \"cpu\": %" PRIu64 ", \"delay\": %" PRIu64 ", \"runs\": %" PRIu64
		", \"blocked\": %" PRIu64 ", \"at\": %" PRIu64 "}\n",
		name, e->arg, e->from_ns, e->to_ns, e->cpu_ns, e->delay_ns, e->run_cnt,
		e->blocked_cnt, e->at_ns);
}

void log_print(FILE *f, const struct plan *plan, const struct log_task *logs)
{
	print_plan(f, plan);
	for (size_t i = 0; i < plan->task_cnt; i++) {
		fprintf(f, "{\"task\": \"t%02zu\", \"pid\": %d, \"tid\": %d}\n", i,
			(int)logs[i].pid, (int)logs[i].tid);
		print_entry(f, &logs[i].life, "life");
		for (size_t k = 0; k < logs[i].entry_cnt; k++)
			print_entry(f, &logs[i].entries[k], kind_names[logs[i].entries[k].kind]);
	}
}
