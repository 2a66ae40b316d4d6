// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See log.h. Prints one JSON object per line: the plan, then the tasks, each followed by its log
 * entries.
 */
#include "tests/truth/log.h"

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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

static uint64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		err(1, "clock_gettime");
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/*
 * The CPU time in this file is that of the last tick. It is opened for each reading, because a
 * descriptor of it belongs to one thread.
 */
static void read_schedstat(struct log_entry *ret)
{
	char text[128];
	int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (n <= 0)
		err(1, "/proc/thread-self/schedstat");
	close(fd);
	text[n] = '\0';
	if (sscanf(text, "%*u %" SCNu64 " %" SCNu64, &ret->delay_ns, &ret->run_cnt) != 2)
		errx(1, "/proc/thread-self/schedstat says '%s'", text);
}

/* Reads all values as of one moment: if the thread loses the CPU in between, reads them again. */
static uint64_t look(struct log_entry *ret)
{
	struct log_entry after = {};
	uint64_t ts_ns;

	read_schedstat(&after);
	do {
		*ret = after;
		ret->cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
		ts_ns = now_ns(CLOCK_MONOTONIC);
		read_schedstat(&after);
	} while (after.run_cnt != ret->run_cnt);
	return ts_ns;
}

/* If a task is preempted before it can block, and then finds its token, it did not wait. */
static uint64_t blocked_cnt(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage))
		err(1, "getrusage");
	return (uint64_t)usage.ru_nvcsw;
}

struct log_entry log_begin(enum step_kind kind, uint32_t arg)
{
	struct log_entry e;
	uint64_t ts_ns = look(&e);

	e.from_ns = ts_ns;
	e.blocked_cnt = blocked_cnt();
	e.kind = kind;
	e.arg = arg;
	return e;
}

void log_end(struct log_entry *e)
{
	struct log_entry now;

	e->to_ns = look(&now);
	e->blocked_cnt = blocked_cnt() - e->blocked_cnt;
	e->cpu_ns = now.cpu_ns - e->cpu_ns;
	e->delay_ns = now.delay_ns - e->delay_ns;
	e->run_cnt = now.run_cnt - e->run_cnt;
}

struct log_entry log_begin_wait(enum step_kind kind, uint32_t arg)
{
	struct log_entry e = {.kind = kind, .arg = arg, .blocked_cnt = blocked_cnt()};

	e.from_ns = now_ns(CLOCK_MONOTONIC);
	return e;
}

void log_end_wait(struct log_entry *e)
{
	e->to_ns = now_ns(CLOCK_MONOTONIC);
	e->blocked_cnt = blocked_cnt() - e->blocked_cnt;
}

void log_add(struct log_task *log, const struct log_entry *e)
{
	if (log->entry_cnt == LOG_ENTRIES_MAX)
		errx(1, "the log is full");
	log->entries[log->entry_cnt++] = *e;
}

void log_mark(struct log_task *log, enum step_kind kind)
{
	struct log_entry e = log_begin(kind, 0);

	log_end(&e);
	log_add(log, &e);
}

/* Prints all kinds of steps in the plan, whether or not the log has an entry for them. */
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
