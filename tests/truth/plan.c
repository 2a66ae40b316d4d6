// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See plan.h. The shape (shapes.c) of a plan decides how tasks wait for each other. One task meets
 * the cause (causes.c).
 */
#include "tests/truth/plan.h"

#include <stdlib.h>
#include <string.h>

#include "tests/truth/links.h"
#include "tests/truth/plan-parts.h"

#define REST_US	 120000
#define UNIT_MIN 1500
#define UNIT_MAX 12000

static uint64_t draw(struct builder *b) /* splitmix64 */
{
	uint64_t z = b->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

unsigned int build_below(struct builder *b, unsigned int n)
{
	return (unsigned int)(draw(b) % n);
}

/* --- tasks and steps ------------------------------------------------------------------------- */

static void append(struct builder *b, unsigned int task, struct step s)
{
	struct task_plan *t = &b->plan->tasks[task];

	if (t->step_cnt == PLAN_STEPS_MAX)
		abort();
	t->steps[t->step_cnt++] = s;
}

void build_step(struct builder *b, unsigned int task, enum step_kind kind, unsigned int arg,
		uint32_t us)
{
	append(b, task, (struct step){.kind = kind, .arg = (uint16_t)arg, .us = us});
}

unsigned int build_task(struct builder *b)
{
	unsigned int task = (unsigned int)b->plan->task_cnt++;
	struct task_plan *t = &b->plan->tasks[task];

	if (task >= PLAN_TASKS_MAX)
		abort();
	t->cpu = -1;
	t->thread = b->threads || (b->mixed && build_below(b, 2));
	return task;
}

void build_work(struct builder *b, unsigned int task)
{
	build_step(b, task, STEP_WORK, 0, b->unit_us / 2 + build_below(b, b->unit_us));
}

/* --- links ----------------------------------------------------------------------------------- */

static unsigned int links_into(const struct plan *p, unsigned int to)
{
	unsigned int cnt = 0;

	for (size_t i = 0; i < p->link_cnt; i++)
		cnt += p->links[i].to == to;
	return cnt;
}

/*
 * There are only a few signal numbers, so if many links lead to a task, new links to it get other
 * types than "signal".
 */
unsigned int build_type(struct builder *b, unsigned int to)
{
	unsigned int type;

	do
		type = build_below(b, link_type_cnt - 1);
	while (links_into(b->plan, to) > 16 && strcmp(link_types[type].name, "signal") == 0);
	return type;
}

unsigned int build_link(struct builder *b, unsigned int from, unsigned int to, unsigned int type)
{
	struct plan *p = b->plan;

	if (p->link_cnt == PLAN_LINKS_MAX)
		abort();
	p->links[p->link_cnt] = (struct link_plan){
		.type = type, .from = (uint16_t)from, .to = (uint16_t)to};
	return (unsigned int)p->link_cnt++;
}

unsigned int build_link_of(struct builder *b, unsigned int from, unsigned int to)
{
	const struct plan *p = b->plan;

	for (size_t i = 0; i < p->link_cnt; i++)
		if (p->links[i].from == from && p->links[i].to == to)
			return (unsigned int)i;
	return build_link(b, from, to, build_type(b, to));
}

void build_post(struct builder *b, unsigned int from, unsigned int to)
{
	build_step(b, from, STEP_POST, build_link_of(b, from, to), 0);
}

void build_await(struct builder *b, unsigned int task, unsigned int from)
{
	build_step(b, task, STEP_WAIT, build_link_of(b, from, task), 0);
}

void build_hand_over(struct builder *b, unsigned int from, unsigned int to)
{
	build_post(b, from, to);
	build_await(b, to, from);
}

/* --- pools and services --------------------------------------------------------------------- */

void build_worker(struct builder *b, unsigned int task)
{
	build_step(b, task, STEP_SERVE, 0, 0);
}

void build_submit(struct builder *b, unsigned int task, uint32_t us, bool is_cause)
{
	build_step(b, task, STEP_SUBMIT, is_cause, us);
	b->plan->item_cnt++;
}

void build_server(struct builder *b, unsigned int task)
{
	build_step(b, task, STEP_ATTEND, 0, 0);
	b->plan->server_cnt++;
}

void build_call(struct builder *b, unsigned int task, enum step_kind asked, uint32_t us,
		bool is_cause)
{
	append(b, task, (struct step){STEP_CALL, asked, is_cause, us});
	b->plan->call_cnt++;
}

void build_backend(struct builder *b, unsigned int task)
{
	build_step(b, task, STEP_BACKEND, b->plan->backend_cnt++, 0);
}

void build_ask(struct builder *b, unsigned int task, enum step_kind asked, uint32_t us,
	       bool is_cause)
{
	append(b, task, (struct step){STEP_ASK, asked, is_cause, us});
	b->plan->ask_cnt++;
}

/* --------------------------------------------------------------------------------------------- */

/* Draws small systems more often than large ones. */
static unsigned int draw_size(struct builder *b)
{
	unsigned int most = 2U << build_below(b, 6);

	return 2 + build_below(b, most - 1);
}

/*
 * Adds steps to task 0, the first process: at the beginning, it starts all tasks that no other task
 * starts; at the end, it waits for these tasks.
 */
static void surround(struct builder *b)
{
	struct plan *p = b->plan;
	struct task_plan *t = &p->tasks[0], body = *t;

	t->step_cnt = 0;
	for (unsigned int i = 1; i < p->task_cnt; i++)
		if (!p->tasks[i].deferred)
			build_step(b, 0, STEP_SPAWN, i, 0);
	for (size_t i = 0; i < body.step_cnt; i++)
		append(b, 0, body.steps[i]);
	for (unsigned int i = 1; i < p->task_cnt; i++)
		if (!p->tasks[i].deferred)
			build_step(b, 0, STEP_JOIN, i, 0);
}

void plan_make(struct plan *p, uint64_t seed)
{
	struct builder b = {.plan = p, .state = seed};
	const struct shape *shape;
	unsigned int style;

	memset(p, 0, sizeof(*p));
	p->seed = seed;
	shape = &shapes[build_below(&b, shape_cnt)];
	b.cause = &causes[build_below(&b, cause_cnt)];
	p->shape = shape->name;
	p->cause = b.cause->name;
	style = build_below(&b, 4);
	b.threads = style == 0;
	b.mixed = style == 1;
	b.asked = draw_size(&b);
	if (b.asked > shape->tasks_max)
		b.asked = shape->tasks_max;
	if (b.asked > PLAN_TASKS_MAX - b.cause->adds)
		b.asked = PLAN_TASKS_MAX - b.cause->adds;
	b.rounds = b.cause->once ? 1 : 1 + build_below(&b, shape->rounds_max);
	b.unit_us = REST_US / (b.asked * b.rounds);
	if (b.unit_us < UNIT_MIN)
		b.unit_us = UNIT_MIN;
	if (b.unit_us > UNIT_MAX)
		b.unit_us = UNIT_MAX;
	for (unsigned int i = 0; i < b.asked; i++)
		build_task(&b);
	b.at = shape->spares_first ? 1 + build_below(&b, b.asked - 1) : build_below(&b, b.asked);
	shape->make(&b);
	surround(&b);
}
