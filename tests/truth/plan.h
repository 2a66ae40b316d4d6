/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a seed into a small system: tasks, the steps of each task, and the links over which tasks
 * wait for each other. The same seed gives the same plan on any machine.
 *
 * In the order in which the steps are made, each wait for a token comes after the post of the
 * token. So waits for tokens cannot deadlock.
 */
#ifndef TESTS_TRUTH_PLAN_H
#define TESTS_TRUTH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAN_TASKS_MAX 64
#define PLAN_LINKS_MAX 256
#define PLAN_STEPS_MAX 1024 /* of a task */

/*
 * A step has two numbers, arg and us (see struct step). `us` is a time in microseconds, unless the
 * comment of the step says otherwise.
 */
enum step_kind {
	STEP_WORK,    /* works for `us` of CPU time */
	STEP_SLEEP,   /* sleeps for `us` */
	STEP_TIMEOUT, /* polls for `us`; the awaited event never comes */
	STEP_TIMERFD, /* reads from a timer that expires after `us` */
	STEP_LATE,    /* polls another object for `us`; meanwhile the token of link arg arrives */
	STEP_LOOP,    /* repeats polls of no files, each for `us`, until link arg has a token */
	STEP_FSYNC,   /* writes and fsyncs for `us` */
	STEP_DIRECT,  /* reads with O_DIRECT for `us` */
	STEP_COLD,    /* for `us`, reads data that is not in the page cache */
	STEP_FAULT,   /* for `us`, touches mapped memory that is not in the page cache */
	STEP_POST,    /* posts a token on link arg */
	STEP_WAIT,    /* waits for a token on link arg */
	STEP_GATHER,  /* waits with epoll for a token on each of the links arg to arg + us - 1 */
	STEP_LOCK,    /* takes the lock arg (PLAN_LOCK_…) */
	STEP_UNLOCK,  /* releases the lock arg */
	STEP_SPAWN,   /* starts task arg */
	STEP_JOIN,    /* waits for the end of task arg */
	STEP_EXEC,    /* executes the program again, which computes for `us`; the last step of a
		       * process */
	STEP_QUOTA,   /* works for `us` of CPU time, with a CPU quota of PLAN_QUOTA_PERCENT that
		       * stays for all later steps. With cgroup version 2, the quota is for all
		       * threads of the task's process. */
	STEP_SUBMIT,  /* submits an item of `us` of CPU time to the pool (pool.h); arg: whether
		       * the item is the injected cause */
	STEP_COLLECT, /* waits until the pool has done all items that the task submitted */
	STEP_SERVE,   /* does items of the pool until no items are left */
	STEP_NAPS,    /* repeats sleeps of `us` each, until link arg has a token */
	STEP_UNSIGNALLED, /* waits `us` for a condition that no task signals */
	STEP_LIMITED,	  /* reads with O_DIRECT for `us`, with an I/O limit that stays for all
			   * later steps */
	STEP_CALL,	  /* sends a call to the service (service.h) and waits for the answer; arg:
			   * whether the call is the injected cause */
	STEP_ATTEND,	  /* serves calls of the service until no calls are left */
	STEP_TAKE,	  /* waits for a free connection of the pool (leases.h) and takes it */
	STEP_ASK,	  /* sends a question over the taken connection and waits for the answer;
			   * arg: whether the question is the injected cause */
	STEP_GIVE,	  /* returns the taken connection to the pool */
	STEP_BACKEND,	  /* answers the questions over connection arg */
	STEP_KINDS,
};

#define PLAN_LOCK_PLAIN 0
#define PLAN_LOCK_FAIR	1

#define PLAN_QUOTA_PERCENT 20 /* of a CPU */

#define PLAN_ENTRANCES_MAX 64 /* limit of plan.entrance */

struct step {
	enum step_kind kind;
	enum step_kind asked; /* STEP_CALL, STEP_ASK: what the answering task does for `us` */
	uint16_t arg;
	uint32_t us;
};

struct task_plan {
	struct step steps[PLAN_STEPS_MAX];
	size_t step_cnt;
	int cpu;       /* the task runs only on the n-th CPU; -1: on any CPU */
	bool thread;   /* a thread in the process of its parent, not a process */
	bool deferred; /* task 0 does not spawn this task at the beginning */
};

struct link_plan {
	unsigned int type; /* of link_types[] */
	uint16_t from, to;
};

struct plan {
	uint64_t seed;
	const char *shape;
	const char *cause; /* name of the dominant cause */
	unsigned int who;  /* the task whose activity is the cause; if several workers share the
			    * work, one of these */
	struct task_plan tasks[PLAN_TASKS_MAX];
	size_t task_cnt;
	struct link_plan links[PLAN_LINKS_MAX];
	size_t link_cnt;
	unsigned int item_cnt;			     /* items that tasks submit to the pool */
	unsigned int entrance, server_cnt, call_cnt; /* of the service */
	unsigned int backend_cnt, ask_cnt;	     /* numbers of connections and of questions */
	/*
	 * A task that waits for an answer or a connection wakes every patience_ms to check whether
	 * the wait is over. 0: it does not check.
	 */
	unsigned int patience_ms;
};

/* Overwrites p. */
void plan_make(struct plan *p, uint64_t seed);

#endif
