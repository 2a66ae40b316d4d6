/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private header of plan.c, shapes.c and causes.c: functions that build a plan step by step. All
 * random numbers come from the builder.
 */
#ifndef TESTS_TRUTH_PLAN_PARTS_H
#define TESTS_TRUTH_PLAN_PARTS_H

#include "tests/truth/plan.h"

/*
 * The time of a plan's cause in all rounds. It is long compared with a wakeup, which takes tens of
 * microseconds.
 */
#define CAUSE_US 240000

struct cause;

struct builder {
	struct plan *plan;
	uint64_t state;
	unsigned int asked; /* number of tasks of the shape; the cause may add tasks */
	unsigned int rounds;
	uint32_t unit_us; /* CPU time that a task works in each of its turns, on average */
	const struct cause *cause;
	unsigned int at; /* the task that meets the cause */
	/*
	 * If the shape contains a pool, a cause uses it. Otherwise, a cause that needs a pool adds
	 * it.
	 */
	bool has_pool, has_service, has_leases;
	bool threads; /* the tasks are threads of one process */
	bool mixed;
};

struct cause {
	const char *name;
	/*
	 * The steps together take `us` microseconds. Returns the task whose activity counts as the
	 * cause.
	 */
	unsigned int (*add)(struct builder *b, unsigned int task, uint32_t us);
	bool once;	   /* the cause is only for plans of one round */
	unsigned int adds; /* maximum number of tasks that the cause adds */
};

struct shape {
	const char *name;
	void (*make)(struct builder *b);
	unsigned int rounds_max;
	unsigned int tasks_max;
	bool spares_first; /* the cause never concerns the first task */
};

extern const struct cause causes[];
extern const unsigned int cause_cnt;
extern const struct shape shapes[];
extern const unsigned int shape_cnt;

unsigned int build_below(struct builder *b, unsigned int n);
void build_step(struct builder *b, unsigned int task, enum step_kind kind, unsigned int arg,
		uint32_t us);
unsigned int build_task(struct builder *b);
void build_work(struct builder *b, unsigned int task);

/* The type is never "spin", which is only for causes.c. */
unsigned int build_type(struct builder *b, unsigned int to);
unsigned int build_link(struct builder *b, unsigned int from, unsigned int to, unsigned int type);
/* Returns the oldest link between these tasks in this direction, or makes one. */
unsigned int build_link_of(struct builder *b, unsigned int from, unsigned int to);
void build_post(struct builder *b, unsigned int from, unsigned int to);
void build_await(struct builder *b, unsigned int task, unsigned int from);
void build_hand_over(struct builder *b, unsigned int from, unsigned int to);

/*
 * The first three make the task serve the pool, the service or a connection; the next three make
 * the task send a request to one of these.
 */
void build_worker(struct builder *b, unsigned int task);
void build_submit(struct builder *b, unsigned int task, uint32_t us, bool is_cause);
void build_server(struct builder *b, unsigned int task);
void build_call(struct builder *b, unsigned int task, enum step_kind asked, uint32_t us,
		bool is_cause);
void build_backend(struct builder *b, unsigned int task);
void build_ask(struct builder *b, unsigned int task, enum step_kind asked, uint32_t us,
	       bool is_cause);

#endif
