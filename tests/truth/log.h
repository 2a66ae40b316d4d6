/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a task says of itself, kept in memory that all tasks share until it is printed: whoever
 * writes to a disk in between would wait for that, too. Times are CLOCK_MONOTONIC, in nanoseconds.
 */
#ifndef TESTS_TRUTH_LOG_H
#define TESTS_TRUTH_LOG_H

#include <stdint.h>
#include <sys/types.h>

#include "tests/truth/plan.h"

/* A gather has an entry per link, a step that uses the disk one per block, which takes 100 us at
 * least. */
#define LOG_ENTRIES_MAX 4096

/* A step of which the time matters. What it did on or for a CPU meanwhile, the kernel counted. */
struct log_entry {
	enum step_kind kind;
	uint32_t arg;
	uint64_t from_ns, to_ns;
	uint64_t cpu_ns, delay_ns; /* ran; was runnable */
	uint64_t blocked_cnt;	   /* of a wait: times it left a CPU to wait */
	uint64_t run_cnt;	   /* times it was put on a CPU */
	/* When task arg ended the wait, where that one said so: pool.h, service.h, leases.h.
	 * Timers: they expire no earlier. */
	uint64_t at_ns;
};

struct log_task {
	pid_t pid, tid;
	struct log_entry life; /* of the task: its steps from the first to the last */
	struct log_entry entries[LOG_ENTRIES_MAX];
	size_t entry_cnt;
};

/* Of a wait: the entry tells, too, whether it was one. Nothing is asked that takes long. */
struct log_entry log_begin_wait(enum step_kind kind, uint32_t arg);
void log_end_wait(struct log_entry *e);

/* Of the calling thread, now; what the kernel counted is that since its birth. */
struct log_entry log_begin(enum step_kind kind, uint32_t arg);
/* Until now. */
void log_end(struct log_entry *e);
void log_add(struct log_task *log, const struct log_entry *e);
/* That it came to this step. */
void log_mark(struct log_task *log, enum step_kind kind);

#endif
