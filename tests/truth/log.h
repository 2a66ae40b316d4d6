/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of a task. It stays in memory until the end: a task that wrote it to a disk would also
 * wait for the disk. All tasks share this memory. Times are in nanoseconds of CLOCK_MONOTONIC.
 */
#ifndef TESTS_TRUTH_LOG_H
#define TESTS_TRUTH_LOG_H

#include <stdint.h>
#include <sys/types.h>

#include "tests/truth/plan.h"

/*
 * STEP_GATHER has one entry per link. A step that uses the disk has one entry per block, and a
 * block takes at least 100 us.
 */
#define LOG_ENTRIES_MAX 4096

/*
 * One step of a task that takes time. The kernel counts how long the task ran, and how long it
 * waited for a CPU, during the step.
 */
struct log_entry {
	enum step_kind kind;
	uint32_t arg;
	uint64_t from_ns, to_ns;
	uint64_t cpu_ns, delay_ns; /* time on a CPU, and waiting for a CPU */
	uint64_t blocked_cnt;	   /* of a wait: how often the task left a CPU to wait */
	uint64_t run_cnt;	   /* how often the task got a CPU */
	/*
	 * The time at which task arg ended the wait, if task arg reports this time (pool.h,
	 * service.h, leases.h). For a timer: the earliest time of expiry.
	 */
	uint64_t at_ns;
};

struct log_task {
	pid_t pid, tid;
	struct log_entry life; /* from the first to the last step of the task */
	struct log_entry entries[LOG_ENTRIES_MAX];
	size_t entry_cnt;
};

/*
 * Begins an entry for a wait, which also contains whether the thread really waited. Leaves out the
 * readings that take long.
 */
struct log_entry log_begin_wait(enum step_kind kind, uint32_t arg);
void log_end_wait(struct log_entry *e);

/*
 * Begins an entry of the calling thread now. Until log_end(), the entry contains the kernel's
 * counts since the thread's birth.
 */
struct log_entry log_begin(enum step_kind kind, uint32_t arg);
/* Ends the entry now. */
void log_end(struct log_entry *e);
void log_add(struct log_task *log, const struct log_entry *e);
/* Adds an entry which shows that the task has reached this step. */
void log_mark(struct log_task *log, enum step_kind kind);

#endif
