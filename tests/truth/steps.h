/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Carries out a plan: each task does its own steps and logs them. */
#ifndef TESTS_TRUTH_STEPS_H
#define TESTS_TRUTH_STEPS_H

#include "tests/truth/leases.h"
#include "tests/truth/links.h"
#include "tests/truth/locks.h"
#include "tests/truth/log.h"
#include "tests/truth/plan.h"
#include "tests/truth/pool.h"
#include "tests/truth/service.h"

/* The running system, in memory that all tasks share. */
struct world {
	struct plan plan;
	struct link links[PLAN_LINKS_MAX];
	pthread_mutex_t plain_lock;
	struct fair_lock fair_lock;
	struct pool pool;
	struct service service;
	struct leases leases;
	struct link_nets nets;
	struct log_task logs[PLAN_TASKS_MAX];
	pid_t children[PLAN_TASKS_MAX];
	pthread_t threads[PLAN_TASKS_MAX];
	/* descriptors of the file to read, through the page cache and with O_DIRECT */
	int data_fd, direct_fd;
	/*
	 * Descriptors of files with which a task moves itself to a cgroup: with a CPU quota of
	 * PLAN_QUOTA_PERCENT (quota_fd), or with a limit on the read bandwidth of the disk
	 * (limit_fd). -1: there is no such cgroup.
	 */
	int quota_fd, limit_fd;
	char scratch[4096]; /* prefix of the names of files to write to */
};

/* Returns after the task's children have ended. */
void steps_do(struct world *w, unsigned int task);

#endif
