/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private header of plan.c, shapes.c and causes.c: functions that build a plan step by step. All
 * random numbers come from the builder.
 */
#ifndef TESTS_TRUTH_PLAN_PARTS_H
#define TESTS_TRUTH_PLAN_PARTS_H

#include "tests/truth/plan.h"

/*
 * The time that a cause takes. A wakeup takes only tens of microseconds, so its error is small, and
 * 200 systems still take only minutes.
 */
#define CAUSE_US 240000

struct cause;

struct builder {
	struct plan *plan;
	uint64_t state;
	unsigned int asked; /* number of tasks of the shape; the cause may add more */
	unsigned int rounds;
	uint32_t unit_us; /* work of a task in each of its turns */
	const struct cause *cause;
	unsigned int at; /* the task that meets the cause */
	/* Whether the shape contains one of these. Then a cause uses it and adds none. */
	bool has_pool, has_service, has_leases;
	bool threads; /* else processes */
	bool mixed;
};

struct cause {
	const char *name;
	/*
	 * Adds steps to the task that take `us` microseconds. Returns the task whose activity
	 * takes this time.
	 */
	unsigned int (*add)(struct builder *b, unsigned int task, uint32_t us);
	bool once;	   /* only for plans of one round */
	unsigned int adds; /* maximum number of tasks that the cause adds */
};

struct shape {
	const char *name;
	void (*make)(struct builder *b);
	unsigned int rounds_max;
	unsigned int tasks_max;
	bool spares_first; /* the first task does not meet the cause */
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

/* Returns a random type for a link to the task, but not the type that spins. */
unsigned int build_type(struct builder *b, unsigned int to);
unsigned int build_link(struct builder *b, unsigned int from, unsigned int to, unsigned int type);
/* Returns the only link in this direction, or makes it. build_link() always makes a new one. */
unsigned int build_link_of(struct builder *b, unsigned int from, unsigned int to);
void build_post(struct builder *b, unsigned int from, unsigned int to);
void build_await(struct builder *b, unsigned int task, unsigned int from);
void build_hand_over(struct builder *b, unsigned int from, unsigned int to);

/*
 * These add a task as a worker (of the pool, the service or the connections), or add a request to a
 * task.
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
