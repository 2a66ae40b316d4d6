// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See plan.h. A plan is one shape of waits among tasks, in which every task does a little work and
 * one does what dominates: the injected cause, more than half of the time.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "links.h"

/* Long against a wakeup (tens of microseconds), short enough that 200 systems take minutes. */
#define CAUSE_US 240000
#define REST_US	 120000
#define UNIT_MIN 1500
#define UNIT_MAX 12000

#define CPUS_USED 2

/* As of a program that was told to look now and then. */
#define LOOP_US 5000

struct builder {
	struct plan *plan;
	uint64_t state;
	unsigned int asked; /* tasks the shape has; the cause may add some */
	unsigned int rounds;
	uint32_t unit_us; /* of work at each visit of a task */
	const struct cause *cause;
	unsigned int at; /* the task that meets the cause */
	bool has_pool;	 /* the shape: whatever the cause hands to a pool goes there */
	bool threads;	 /* else processes */
	bool mixed;
};

static uint64_t draw(struct builder *b) /* splitmix64 */
{
	uint64_t z = b->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static unsigned int below(struct builder *b, unsigned int n)
{
	return (unsigned int)(draw(b) % n);
}

/* --- tasks and steps ------------------------------------------------------------------------- */

static void step(struct builder *b, unsigned int task, enum step_kind kind, unsigned int arg,
		 uint32_t us)
{
	struct task_plan *t = &b->plan->tasks[task];

	if (t->step_cnt == PLAN_STEPS_MAX)
		abort();
	t->steps[t->step_cnt++] = (struct step){.kind = kind, .arg = (uint16_t)arg, .us = us};
}

static unsigned int new_task(struct builder *b)
{
	unsigned int task = (unsigned int)b->plan->task_cnt++;
	struct task_plan *t = &b->plan->tasks[task];

	if (task >= PLAN_TASKS_MAX)
		abort();
	t->cpu = -1;
	t->thread = b->threads || (b->mixed && below(b, 2));
	return task;
}

static void work(struct builder *b, unsigned int task)
{
	step(b, task, STEP_WORK, 0, b->unit_us / 2 + below(b, b->unit_us));
}

/* --- links ----------------------------------------------------------------------------------- */

static unsigned int links_into(const struct plan *p, unsigned int to)
{
	unsigned int cnt = 0;

	for (size_t i = 0; i < p->link_cnt; i++)
		cnt += p->links[i].to == to;
	return cnt;
}

/* The last type spins, which only a cause should; a signal number is not for many. */
static unsigned int draw_type(struct builder *b, unsigned int to)
{
	unsigned int type;

	do
		type = below(b, link_type_cnt - 1);
	while (links_into(b->plan, to) > 16 && strcmp(link_types[type].name, "signal") == 0);
	return type;
}

static unsigned int new_link(struct builder *b, unsigned int from, unsigned int to,
			     unsigned int type)
{
	struct plan *p = b->plan;

	if (p->link_cnt == PLAN_LINKS_MAX)
		abort();
	p->links[p->link_cnt] = (struct link_plan){
		.type = type, .from = (uint16_t)from, .to = (uint16_t)to};
	return (unsigned int)p->link_cnt++;
}

/* Two tasks have one link in each direction. */
static unsigned int link_of(struct builder *b, unsigned int from, unsigned int to)
{
	const struct plan *p = b->plan;

	for (size_t i = 0; i < p->link_cnt; i++)
		if (p->links[i].from == from && p->links[i].to == to)
			return (unsigned int)i;
	return new_link(b, from, to, draw_type(b, to));
}

static void post(struct builder *b, unsigned int from, unsigned int to)
{
	step(b, from, STEP_POST, link_of(b, from, to), 0);
}

static void await(struct builder *b, unsigned int task, unsigned int from)
{
	step(b, task, STEP_WAIT, link_of(b, from, task), 0);
}

static void hand_over(struct builder *b, unsigned int from, unsigned int to)
{
	post(b, from, to);
	await(b, to, from);
}

/* --- a pool of threads ---------------------------------------------------------------------- */

static void add_worker(struct builder *b, unsigned int task)
{
	step(b, task, STEP_SERVE, 0, 0);
}

static void submit(struct builder *b, unsigned int task, uint32_t us, bool is_cause)
{
	step(b, task, STEP_SUBMIT, is_cause, us);
	b->plan->item_cnt++;
}

/* --- causes ---------------------------------------------------------------------------------- */

struct cause {
	const char *name;
	/* Lets the task spend us, and returns who does what takes so long. */
	unsigned int (*add)(struct builder *b, unsigned int task, uint32_t us);
	bool once;	   /* the task that does it is another one each time */
	unsigned int adds; /* tasks, at most */
};

static unsigned int add_work(struct builder *b, unsigned int task, uint32_t us)
{
	step(b, task, STEP_WORK, 0, us);
	return task;
}

static unsigned int add_sleep(struct builder *b, unsigned int task, uint32_t us)
{
	step(b, task, STEP_SLEEP, 0, us);
	return task;
}

static unsigned int add_timeout(struct builder *b, unsigned int task, uint32_t us)
{
	step(b, task, STEP_TIMEOUT, 0, us);
	return task;
}

static unsigned int add_timerfd(struct builder *b, unsigned int task, uint32_t us)
{
	step(b, task, STEP_TIMERFD, 0, us);
	return task;
}

static unsigned int add_fault(struct builder *b, unsigned int task, uint32_t us)
{
	step(b, task, STEP_FAULT, 0, us);
	return task;
}

/* That one spins on memory; all others wait in the kernel. */
static unsigned int flag_type(void)
{
	return link_type_cnt - 1;
}

/* It is there, and waits: else who calls it does not wake it, and no one could tell who called. */
static void be_ready(struct builder *b, unsigned int helper, unsigned int task)
{
	unsigned int link = new_link(b, helper, task, draw_type(b, task));

	step(b, helper, STEP_POST, link, 0);
	step(b, task, STEP_WAIT, link, 0);
}

/* Another one is to work for the task, which polls meanwhile and is not woken. */
static void poll_for_helper(struct builder *b, unsigned int task, enum step_kind how,
			    uint32_t work_us, uint32_t poll_us)
{
	bool is_first = b->plan->task_cnt == b->asked, fresh = b->rounds == 1 && below(b, 2);
	unsigned int helper = b->asked;

	if (is_first)
		new_link(b, new_task(b), task, flag_type());
	if (fresh) {
		b->plan->tasks[helper].deferred = b->plan->tasks[helper].thread = true;
		step(b, task, STEP_SPAWN, helper, 0);
	} else {
		if (is_first)
			be_ready(b, helper, task);
		hand_over(b, task, helper);
	}
	step(b, helper, STEP_WORK, 0, work_us);
	post(b, helper, task);
	step(b, task, how, link_of(b, helper, task), poll_us);
	if (fresh)
		step(b, task, STEP_JOIN, helper, 0);
}

/* Another one is done soon, but it polls something else for long. */
static unsigned int add_late(struct builder *b, unsigned int task, uint32_t us)
{
	poll_for_helper(b, task, STEP_LATE, us / 8, us);
	return task;
}

/* It looks again and again whether another one is done. */
static unsigned int add_loop(struct builder *b, unsigned int task, uint32_t us)
{
	poll_for_helper(b, task, STEP_LOOP, us, LOOP_US);
	return b->asked;
}

/* While it works, so does another one, for no one. */
static unsigned int add_handed_off(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int helper = b->plan->task_cnt > b->asked ? b->asked : new_task(b);

	hand_over(b, task, helper);
	step(b, helper, STEP_WORK, 0, us / 2);
	step(b, task, STEP_WORK, 0, us);
	return task;
}

/* Of the CPU it gets less than it wants. */
static unsigned int add_quota(struct builder *b, unsigned int task, uint32_t us)
{
	step(b, task, STEP_QUOTA, 0, us * PLAN_QUOTA_PERCENT / 100);
	return task;
}

/* Whichever worker takes the item. */
static unsigned int add_pool(struct builder *b, unsigned int task, uint32_t us)
{
	for (unsigned int i = 0; i < 2 && !b->has_pool; i++)
		add_worker(b, new_task(b));
	submit(b, task, us, true);
	step(b, task, STEP_COLLECT, 0, 0);
	return task;
}

static unsigned int add_fsync(struct builder *b, unsigned int task, uint32_t us)
{
	step(b, task, STEP_FSYNC, 0, us);
	return task;
}

static unsigned int add_direct(struct builder *b, unsigned int task, uint32_t us)
{
	step(b, task, STEP_DIRECT, 0, us);
	return task;
}

static unsigned int add_cold(struct builder *b, unsigned int task, uint32_t us)
{
	step(b, task, STEP_COLD, 0, us);
	return task;
}

/* Another one has the lock already when the task wants it, and works. */
static unsigned int add_lock(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int holder = b->plan->task_cnt > b->asked ? b->asked : new_task(b);

	hand_over(b, task, holder);
	step(b, holder, STEP_LOCK, PLAN_LOCK_PLAIN, 0);
	hand_over(b, holder, task);
	step(b, holder, STEP_WORK, 0, us);
	step(b, holder, STEP_UNLOCK, PLAN_LOCK_PLAIN, 0);
	step(b, task, STEP_LOCK, PLAN_LOCK_PLAIN, 0);
	step(b, task, STEP_UNLOCK, PLAN_LOCK_PLAIN, 0);
	return holder;
}

/* It spins until another one is done: for the kernel, both work. */
static unsigned int add_spin(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int helper = b->asked;

	if (b->plan->task_cnt == b->asked)
		new_link(b, new_task(b), task, flag_type());
	hand_over(b, task, helper);
	step(b, helper, STEP_WORK, 0, us);
	hand_over(b, helper, task);
	return task;
}

/* Two others want the same CPU meanwhile. */
static unsigned int add_hogs(struct builder *b, unsigned int task, uint32_t us)
{
	if (b->plan->task_cnt == b->asked) {
		int cpu = (int)below(b, CPUS_USED);

		b->plan->tasks[new_task(b)].cpu = cpu;
		b->plan->tasks[new_task(b)].cpu = cpu;
		b->plan->tasks[task].cpu = cpu;
	}
	for (unsigned int hog = b->asked; hog < b->asked + 2; hog++) {
		hand_over(b, task, hog);
		step(b, hog, STEP_WORK, 0, us / 3);
	}
	step(b, task, STEP_WORK, 0, us / 3);
	return task;
}

/* A process that is started for it alone, and waited for. */
static unsigned int spawn(struct builder *b, unsigned int task)
{
	unsigned int child = new_task(b);

	b->plan->tasks[child].deferred = true;
	b->plan->tasks[child].thread = false;
	step(b, task, STEP_SPAWN, child, 0);
	return child;
}

static unsigned int add_child(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int child = spawn(b, task);

	step(b, child, STEP_WORK, 0, us);
	step(b, task, STEP_JOIN, child, 0);
	return child;
}

static unsigned int add_program(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int child = spawn(b, task);

	step(b, child, STEP_EXEC, 0, us);
	step(b, task, STEP_JOIN, child, 0);
	return child;
}

static const struct cause causes[] = {
	{"work", add_work, .adds = 0},
	{"sleep", add_sleep, .adds = 0},
	{"timeout", add_timeout, .adds = 0},
	{"timerfd", add_timerfd, .adds = 0},
	{"fsync", add_fsync, .adds = 0},
	{"direct", add_direct, .adds = 0},
	{"cold", add_cold, .adds = 0},
	{"fault", add_fault, .adds = 0},
	{"quota", add_quota, .adds = 0},
	{"late", add_late, .adds = 1},
	{"loop", add_loop, .adds = 1},
	{"lock", add_lock, .adds = 1},
	{"spin", add_spin, .adds = 1},
	{"handed-off", add_handed_off, .adds = 1},
	{"preempt", add_hogs, .adds = 2},
	{"child", add_child, .once = true, .adds = 1},
	{"program", add_program, .once = true, .adds = 1},
	{"pool", add_pool, .once = true, .adds = 2},
};

/* --- shapes ---------------------------------------------------------------------------------- */

/* What a task does when its turn comes. */
static void visit(struct builder *b, unsigned int task)
{
	work(b, task);
	if (task == b->at)
		b->plan->who = b->cause->add(b, task, CAUSE_US / b->rounds);
}

/* Each asks the next one. */
static void chain_from(struct builder *b, unsigned int task)
{
	visit(b, task);
	if (task + 1 == b->asked)
		return;
	hand_over(b, task, task + 1);
	chain_from(b, task + 1);
	hand_over(b, task + 1, task);
}

static void chain(struct builder *b)
{
	for (unsigned int i = 0; i < b->rounds; i++)
		chain_from(b, 0);
}

/* A token goes round: who waits for it waits for all others. */
static void ring(struct builder *b)
{
	for (unsigned int i = 0; i < b->rounds; i++) {
		for (unsigned int task = 0; task < b->asked; task++) {
			visit(b, task);
			hand_over(b, task, (task + 1) % b->asked);
		}
	}
}

/* Answers may come from all at once; if all can be polled, they are taken as they come. */
static void gather(struct builder *b, unsigned int task, unsigned int first, unsigned int end)
{
	unsigned int first_link = 0;
	bool pollable = true;

	for (unsigned int i = first; i < end; i++) {
		unsigned int l = link_of(b, i, task);

		if (i == first)
			first_link = l;
		pollable = pollable && link_types[b->plan->links[l].type].pollable &&
			   l == first_link + i - first;
	}
	if (pollable && end - first > 1) {
		step(b, task, STEP_GATHER, first_link, end - first);
		return;
	}
	for (unsigned int i = first; i < end; i++)
		await(b, task, i);
}

/* Links of one type and in a row, so that they can be gathered. */
static void link_back(struct builder *b, unsigned int task, unsigned int first, unsigned int end)
{
	unsigned int type;

	do
		type = draw_type(b, task);
	while (!link_types[type].pollable);
	for (unsigned int i = first; i < end; i++)
		new_link(b, i, task, type);
}

static void tree_from(struct builder *b, unsigned int task, unsigned int arity, bool is_new)
{
	unsigned int first = task * arity + 1, end = first + arity;

	if (end > b->asked)
		end = b->asked;
	visit(b, task);
	if (first >= end)
		return;
	if (is_new && below(b, 2))
		link_back(b, task, first, end);
	for (unsigned int i = first; i < end; i++)
		post(b, task, i);
	for (unsigned int i = first; i < end; i++) {
		await(b, i, task);
		tree_from(b, i, arity, is_new);
		post(b, i, task);
	}
	gather(b, task, first, end);
}

static void tree(struct builder *b)
{
	unsigned int arity = 2 + below(b, 3);

	for (unsigned int i = 0; i < b->rounds; i++)
		tree_from(b, 0, arity, i == 0);
}

static void fan(struct builder *b)
{
	for (unsigned int i = 0; i < b->rounds; i++)
		tree_from(b, 0, b->asked, i == 0);
}

/* All but the first want the same lock, again and again. */
static void convoy(struct builder *b)
{
	for (unsigned int i = 0; i < b->rounds; i++) {
		for (unsigned int task = 1; task < b->asked; task++) {
			step(b, task, STEP_LOCK, PLAN_LOCK_FAIR, 0);
			visit(b, task);
			step(b, task, STEP_UNLOCK, PLAN_LOCK_FAIR, 0);
		}
	}
}

/* A token goes to and fro. */
static void pingpong(struct builder *b)
{
	for (unsigned int i = 0; i < b->rounds; i++) {
		visit(b, 0);
		hand_over(b, 0, 1);
		visit(b, 1);
		hand_over(b, 1, 0);
	}
}

/* Some have work to do, others do it. */
static void pool(struct builder *b)
{
	unsigned int workers = 1 + below(b, b->asked - 1), producers = b->asked - workers;

	b->at %= producers;
	b->has_pool = true;
	for (unsigned int task = producers; task < b->asked; task++)
		add_worker(b, task);
	for (unsigned int i = 0; i < b->rounds; i++) {
		for (unsigned int task = 0; task < producers; task++) {
			visit(b, task);
			for (unsigned int item = below(b, 3) + 1; item > 0; item--)
				submit(b, task, b->unit_us / 2 + below(b, b->unit_us), false);
			step(b, task, STEP_COLLECT, 0, 0);
		}
	}
}

/* Work is handed to anyone, and no one waits for its result; at last the first one waits. */
static void graph(struct builder *b)
{
	unsigned int cnt = 2 * b->asked < 100 ? 2 * b->asked : 100, from = b->at, to;

	for (unsigned int i = 0; i < cnt && b->asked > 2; i++) {
		from = 1 + below(b, b->asked - 1);
		to = 1 + (from + below(b, b->asked - 2)) % (b->asked - 1);
		work(b, from);
		hand_over(b, from, to);
	}
	from = b->at;
	for (unsigned int i = 0; i < b->rounds; i++)
		visit(b, from);
	for (unsigned int i = 0; i < 4 && from != 0; i++, from = to) {
		to = i == 3 ? 0 : below(b, b->asked);
		if (to == from)
			break;
		hand_over(b, from, to);
		work(b, to);
	}
	if (from != 0)
		hand_over(b, from, 0);
}

static const struct shape {
	const char *name;
	void (*make)(struct builder *b);
	unsigned int rounds_max;
	unsigned int tasks_max;
} shapes[] = {
	{"chain", chain, 4, PLAN_TASKS_MAX},   {"ring", ring, 6, PLAN_TASKS_MAX},
	{"tree", tree, 3, PLAN_TASKS_MAX},     {"fan", fan, 4, PLAN_TASKS_MAX},
	{"convoy", convoy, 5, PLAN_TASKS_MAX}, {"ping-pong", pingpong, 12, 2},
	{"pool", pool, 3, PLAN_TASKS_MAX},     {"graph", graph, 1, PLAN_TASKS_MAX},
};

/* --------------------------------------------------------------------------------------------- */

/* Small systems more often than large ones. */
static unsigned int draw_size(struct builder *b)
{
	unsigned int most = 2U << below(b, 6);

	return 2 + below(b, most - 1);
}

/* Task 0 is the process that was started; all that is not deferred it starts, and waits for. */
static void surround(struct builder *b)
{
	struct plan *p = b->plan;
	struct task_plan *t = &p->tasks[0], body = *t;

	t->step_cnt = 0;
	for (unsigned int i = 1; i < p->task_cnt; i++)
		if (!p->tasks[i].deferred)
			step(b, 0, STEP_SPAWN, i, 0);
	for (size_t i = 0; i < body.step_cnt; i++)
		step(b, 0, body.steps[i].kind, body.steps[i].arg, body.steps[i].us);
	for (unsigned int i = 1; i < p->task_cnt; i++)
		if (!p->tasks[i].deferred)
			step(b, 0, STEP_JOIN, i, 0);
}

void plan_make(struct plan *p, uint64_t seed)
{
	struct builder b = {.plan = p, .state = seed};
	const struct shape *shape;
	unsigned int style;

	memset(p, 0, sizeof(*p));
	p->seed = seed;
	shape = &shapes[below(&b, sizeof(shapes) / sizeof(shapes[0]))];
	b.cause = &causes[below(&b, sizeof(causes) / sizeof(causes[0]))];
	p->shape = shape->name;
	p->cause = b.cause->name;
	style = below(&b, 4);
	b.threads = style == 0;
	b.mixed = style == 1;
	b.asked = draw_size(&b);
	if (b.asked > shape->tasks_max)
		b.asked = shape->tasks_max;
	if (b.asked > PLAN_TASKS_MAX - b.cause->adds)
		b.asked = PLAN_TASKS_MAX - b.cause->adds;
	b.rounds = b.cause->once ? 1 : 1 + below(&b, shape->rounds_max);
	b.unit_us = REST_US / (b.asked * b.rounds);
	if (b.unit_us < UNIT_MIN)
		b.unit_us = UNIT_MIN;
	if (b.unit_us > UNIT_MAX)
		b.unit_us = UNIT_MAX;
	for (unsigned int i = 0; i < b.asked; i++)
		new_task(&b);
	b.at = shape->make == convoy ? 1 + below(&b, b.asked - 1) : below(&b, b.asked);
	shape->make(&b);
	surround(&b);
}
