/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of a task. The log stays in shared memory, because a task that wrote its log to a disk
 * would wait for the disk. Times are in nanoseconds of CLOCK_MONOTONIC.
 */
#ifndef TESTS_TRUTH_LOG_H
#define TESTS_TRUTH_LOG_H

#include <stdint.h>
#include <sys/types.h>

#include "tests/truth/plan.h"

/* A step that uses the disk makes one entry per block, and each block takes at least 100 us. */
#define LOG_ENTRIES_MAX 4096

/*
 * cpu_ns, delay_ns and run_cnt contain the kernel's counts for the thread during the step. They are
 * 0 in an entry of log_begin_wait().
 */
struct log_entry {
	enum step_kind kind;
	uint32_t arg;
	uint64_t from_ns, to_ns;
	uint64_t cpu_ns, delay_ns; /* time on a CPU; time of waiting for a CPU */
	uint64_t blocked_cnt;	   /* how often the thread gave up the CPU */
	uint64_t run_cnt;	   /* how often the thread got a CPU */
	/*
	 * The time at which task number arg ended the wait, if it reports the time (pool.h,
	 * service.h, leases.h). For a timer: the earliest time of its expiry.
	 */
	uint64_t at_ns;
};

struct log_task {
	pid_t pid, tid;
	struct log_entry life; /* from the first to the last step of the task */
	struct log_entry entries[LOG_ENTRIES_MAX];
	size_t entry_cnt;
};

/* An entry for a wait lacks cpu_ns, delay_ns and run_cnt, which take long to read. */
struct log_entry log_begin_wait(enum step_kind kind, uint32_t arg);
void log_end_wait(struct log_entry *e);

/*
 * Begins an entry for the calling thread. Until log_end() completes the entry, it contains the
 * kernel's counts since the birth of the thread.
 */
struct log_entry log_begin(enum step_kind kind, uint32_t arg);
void log_end(struct log_entry *e);
void log_add(struct log_task *log, const struct log_entry *e);
/* Adds an entry that begins and ends now, to show that the task has reached this step. */
void log_mark(struct log_task *log, enum step_kind kind);

#endif
