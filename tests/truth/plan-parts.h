/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by plan.c, shapes.c and causes.c: a plan while it is being made, and the steps of which it
 * consists. All random numbers come from the builder.
 */
#ifndef TESTS_TRUTH_PLAN_PARTS_H
#define TESTS_TRUTH_PLAN_PARTS_H

#include "tests/truth/plan.h"

/*
 * Long compared with a wakeup (tens of microseconds), and short enough that 200 systems take
 * minutes.
 */
#define CAUSE_US 240000

struct cause;

struct builder {
	struct plan *plan;
	uint64_t state;
	unsigned int asked; /* tasks of the shape; the cause may add some */
	unsigned int rounds;
	uint32_t unit_us; /* of work at each visit of a task */
	const struct cause *cause;
	unsigned int at; /* the task that meets the cause */
	/* The shape contains these already, so a cause that needs one uses it. */
	bool has_pool, has_service, has_leases;
	bool threads; /* else processes */
	bool mixed;
};

struct cause {
	const char *name;
	/* Makes the task spend us, and returns the task whose activity takes this time. */
	unsigned int (*add)(struct builder *b, unsigned int task, uint32_t us);
	bool once;	   /* a different task does it each time */
	unsigned int adds; /* maximum number of tasks that it adds */
};

struct shape {
	const char *name;
	void (*make)(struct builder *b);
	unsigned int rounds_max;
	unsigned int tasks_max;
	bool spares_first; /* the cause is for any task but the first */
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

/* Returns a random type of link to the task, except the type that spins. */
unsigned int build_type(struct builder *b, unsigned int to);
unsigned int build_link(struct builder *b, unsigned int from, unsigned int to, unsigned int type);
/* Two tasks have one link in each direction, except for links from build_link(). */
unsigned int build_link_of(struct builder *b, unsigned int from, unsigned int to);
void build_post(struct builder *b, unsigned int from, unsigned int to);
void build_await(struct builder *b, unsigned int task, unsigned int from);
void build_hand_over(struct builder *b, unsigned int from, unsigned int to);

/*
 * A pool of threads, a service, a pool of connections: their workers, and the tasks that have work
 * for them.
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
