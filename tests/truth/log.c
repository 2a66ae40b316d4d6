// SPDX-License-Identifier: GPL-2.0-or-later
/* See log.h. */
#include "tests/truth/log.h"

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		err(1, "clock_gettime");
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/*
 * A descriptor of /proc/thread-self stays with the thread that opened it, so the file is opened
 * each time. Its CPU time is not used, because the kernel updates it only at ticks and switches.
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

/* Reads all values at one point in time, and returns this time. */
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

/*
 * Returns how often the thread gave up the CPU itself. A task did not wait if it was preempted
 * before it blocked, and then found its token.
 */
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
