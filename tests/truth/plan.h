/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A seed turned into a small system: tasks, what each does step by step, and the links over which
 * they wait for each other. The same seed gives the same plan on any machine; how long it takes
 * does depend on the machine.
 *
 * Steps are laid down in an order in which one task alone could do them all: a wait comes after its
 * post. So no plan can deadlock.
 */
#ifndef TESTS_TRUTH_PLAN_H
#define TESTS_TRUTH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAN_TASKS_MAX 64
#define PLAN_LINKS_MAX 256
#define PLAN_STEPS_MAX 1024 /* of a task */

enum step_kind {
	STEP_WORK,    /* us of CPU */
	STEP_SLEEP,   /* us */
	STEP_TIMEOUT, /* us, in a poll of what never comes */
	STEP_TIMERFD, /* us, in a read of a timer */
	STEP_LATE,    /* us, in a poll of the wrong thing, while the token of link arg comes */
	STEP_LOOP, /* polls nothing for us, again and again, until the token of link arg is there */
	STEP_FSYNC,  /* writes and fsyncs for us */
	STEP_DIRECT, /* reads with O_DIRECT for us */
	STEP_COLD,   /* reads what is not in the page cache for us */
	STEP_FAULT,  /* touches what is mapped and not in the page cache for us */
	STEP_POST,   /* on link arg */
	STEP_WAIT,   /* on link arg */
	STEP_GATHER, /* all of us links, arg the first, with epoll, as they come */
	STEP_LOCK,   /* arg: PLAN_LOCK_… */
	STEP_UNLOCK, /* arg */
	STEP_SPAWN,  /* task arg */
	STEP_JOIN,   /* task arg */
	STEP_EXEC,   /* the program once more, which works for us; the last step of a process */
	STEP_QUOTA,  /* works for us of CPU, of which a quota allows PLAN_QUOTA_PERCENT; for good */
	STEP_SUBMIT, /* an item of us of CPU to the pool, see pool.h; arg: it is the cause */
	STEP_COLLECT,	  /* waits until the pool has done all that the task submitted */
	STEP_SERVE,	  /* takes items from the pool until no more come */
	STEP_NAPS,	  /* sleeps for us, again and again, until the token of link arg is there */
	STEP_UNSIGNALLED, /* waits for a condition for us, which no one signals */
	STEP_LIMITED,	  /* reads with O_DIRECT for us, of which a limit allows little; for good */
	STEP_CALL,	  /* asks the service and waits, see service.h; arg: it is the cause */
	STEP_ATTEND,	  /* serves calls until no more come */
	STEP_TAKE,	  /* a connection, when there is one, see leases.h */
	STEP_ASK,	  /* over that one, and waits; arg: it is the cause */
	STEP_GIVE,	  /* it back */
	STEP_BACKEND,	  /* answers what is asked over connection arg */
	STEP_KINDS,
};

/* The two locks there are, see locks.h. */
#define PLAN_LOCK_PLAIN 0
#define PLAN_LOCK_FAIR	1

#define PLAN_QUOTA_PERCENT 20 /* of a CPU */

#define PLAN_ENTRANCES_MAX 64 /* a service has that of this number, modulo those there are */

struct step {
	enum step_kind kind;
	enum step_kind asked; /* STEP_CALL, STEP_ASK: what who answers does for us */
	uint16_t arg;
	uint32_t us;
};

struct task_plan {
	struct step steps[PLAN_STEPS_MAX];
	size_t step_cnt;
	int cpu;       /* keeps to the n-th CPU; -1: to none */
	bool thread;   /* of the process of who spawns it, else a process */
	bool deferred; /* not spawned by task 0 at the beginning */
};

struct link_plan {
	unsigned int type; /* of link_types[] */
	uint16_t from, to;
};

struct plan {
	uint64_t seed;
	const char *shape;
	const char *cause; /* what dominates … */
	unsigned int
		who; /* … and which task does it; whichever worker takes it, if one of many does */
	struct task_plan tasks[PLAN_TASKS_MAX];
	size_t task_cnt;
	struct link_plan links[PLAN_LINKS_MAX];
	size_t link_cnt;
	unsigned int item_cnt;			     /* that are submitted to the pool */
	unsigned int entrance, server_cnt, call_cnt; /* of the service */
	unsigned int backend_cnt, ask_cnt;	     /* one to a connection; over all of them */
	/* Who waits for an answer or a connection looks after that time, and goes on; 0: endless.
	 */
	unsigned int patience_ms;
};

/* Fills a plan from the seed, whatever was in it. */
void plan_make(struct plan *p, uint64_t seed);

#endif
