// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The shapes of systems. A shape makes the steps of all tasks, and inserts the steps of the cause
 * (causes.c).
 */
#include "tests/truth/links.h"
#include "tests/truth/plan-parts.h"

static void visit(struct builder *b, unsigned int task)
{
	build_work(b, task);
	if (task == b->at)
		b->plan->who = b->cause->add(b, task, CAUSE_US / b->rounds);
}

static void chain_from(struct builder *b, unsigned int task)
{
	visit(b, task);
	if (task + 1 == b->asked)
		return;
	build_hand_over(b, task, task + 1);
	chain_from(b, task + 1);
	build_hand_over(b, task + 1, task);
}

static void chain(struct builder *b)
{
	for (unsigned int i = 0; i < b->rounds; i++)
		chain_from(b, 0);
}

/* The tasks pass a token around a ring, so each task waits for all other tasks. */
static void ring(struct builder *b)
{
	for (unsigned int i = 0; i < b->rounds; i++) {
		for (unsigned int task = 0; task < b->asked; task++) {
			visit(b, task);
			build_hand_over(b, task, (task + 1) % b->asked);
		}
	}
}

/*
 * Adds waits for answers from the tasks from `first` to before `end`. If the task can poll all
 * links and their numbers are consecutive, it takes the answers in the order of arrival; otherwise,
 * in the order of the tasks.
 */
static void gather(struct builder *b, unsigned int task, unsigned int first, unsigned int end)
{
	unsigned int first_link = 0;
	bool pollable = true;

	for (unsigned int i = first; i < end; i++) {
		unsigned int l = build_link_of(b, i, task);

		if (i == first)
			first_link = l;
		pollable = pollable && link_types[b->plan->links[l].type].pollable &&
			   l == first_link + i - first;
	}
	if (pollable && end - first > 1) {
		build_step(b, task, STEP_GATHER, first_link, end - first);
		return;
	}
	for (unsigned int i = first; i < end; i++)
		build_await(b, task, i);
}

/* Makes links of one type with consecutive numbers, which STEP_GATHER needs. */
static void link_back(struct builder *b, unsigned int task, unsigned int first, unsigned int end)
{
	unsigned int type;

	do
		type = build_type(b, task);
	while (!link_types[type].pollable);
	for (unsigned int i = first; i < end; i++)
		build_link(b, i, task, type);
}

static void tree_from(struct builder *b, unsigned int task, unsigned int arity, bool is_new)
{
	unsigned int first = task * arity + 1, end = first + arity;

	if (end > b->asked)
		end = b->asked;
	visit(b, task);
	if (first >= end)
		return;
	if (is_new && build_below(b, 2))
		link_back(b, task, first, end);
	for (unsigned int i = first; i < end; i++)
		build_post(b, task, i);
	for (unsigned int i = first; i < end; i++) {
		build_await(b, i, task);
		tree_from(b, i, arity, is_new);
		build_post(b, i, task);
	}
	gather(b, task, first, end);
}

static void tree(struct builder *b)
{
	unsigned int arity = 2 + build_below(b, 3);

	for (unsigned int i = 0; i < b->rounds; i++)
		tree_from(b, 0, arity, i == 0);
}

static void fan(struct builder *b)
{
	for (unsigned int i = 0; i < b->rounds; i++)
		tree_from(b, 0, b->asked, i == 0);
}

static void convoy(struct builder *b)
{
	for (unsigned int i = 0; i < b->rounds; i++) {
		for (unsigned int task = 1; task < b->asked; task++) {
			build_step(b, task, STEP_LOCK, PLAN_LOCK_FAIR, 0);
			visit(b, task);
			build_step(b, task, STEP_UNLOCK, PLAN_LOCK_FAIR, 0);
		}
	}
}

static void pingpong(struct builder *b)
{
	for (unsigned int i = 0; i < b->rounds; i++) {
		visit(b, 0);
		build_hand_over(b, 0, 1);
		visit(b, 1);
		build_hand_over(b, 1, 0);
	}
}

static uint32_t draw_us(struct builder *b)
{
	return b->unit_us / 2 + build_below(b, b->unit_us);
}

static void pool(struct builder *b)
{
	unsigned int workers = 1 + build_below(b, b->asked - 1), producers = b->asked - workers;

	b->at %= producers;
	b->has_pool = true;
	for (unsigned int task = producers; task < b->asked; task++)
		build_worker(b, task);
	for (unsigned int i = 0; i < b->rounds; i++) {
		for (unsigned int task = 0; task < producers; task++) {
			visit(b, task);
			for (unsigned int item = build_below(b, 3) + 1; item > 0; item--)
				build_submit(b, task, draw_us(b), false);
			build_step(b, task, STEP_COLLECT, 0, 0);
		}
	}
}

/*
 * Tasks hand work to random tasks, and do not wait for results. Then the task that meets the cause
 * hands work on, over a few tasks, to task 0, which waits for it.
 */
static void graph(struct builder *b)
{
	unsigned int cnt = 2 * b->asked < 100 ? 2 * b->asked : 100, from = b->at, to;

	for (unsigned int i = 0; i < cnt && b->asked > 2; i++) {
		from = 1 + build_below(b, b->asked - 1);
		to = 1 + (from + build_below(b, b->asked - 2)) % (b->asked - 1);
		build_work(b, from);
		build_hand_over(b, from, to);
	}
	from = b->at;
	for (unsigned int i = 0; i < b->rounds; i++)
		visit(b, from);
	for (unsigned int i = 0; i < 4 && from != 0; i++, from = to) {
		to = i == 3 ? 0 : build_below(b, b->asked);
		if (to == from)
			break;
		build_hand_over(b, from, to);
		build_work(b, to);
	}
	if (from != 0)
		build_hand_over(b, from, 0);
}

static enum step_kind draw_request(struct builder *b)
{
	return build_below(b, 6) ? STEP_WORK : STEP_SLEEP;
}

static void draw_patience(struct builder *b)
{
	static const unsigned int ms[] = {0, 0, 0, 20, 50};

	b->plan->patience_ms = ms[build_below(b, sizeof(ms) / sizeof(ms[0]))];
}

/* The last tasks of the plan are servers. All other tasks send requests to the servers. */
static void ask_servers(struct builder *b, unsigned int servers)
{
	unsigned int clients = b->asked - servers;

	b->at %= clients;
	b->has_service = true;
	draw_patience(b);
	b->plan->entrance = build_below(b, PLAN_ENTRANCES_MAX);
	for (unsigned int task = clients; task < b->asked; task++)
		build_server(b, task);
	for (unsigned int i = 0; i < b->rounds; i++) {
		for (unsigned int task = 0; task < clients; task++) {
			visit(b, task);
			for (unsigned int n = build_below(b, 3) + 1; n > 0; n--)
				build_call(b, task, draw_request(b), draw_us(b), false);
		}
	}
}

/*
 * One server serves all tasks in the order of their requests, so a task also waits for the requests
 * of other tasks.
 */
static void desk(struct builder *b)
{
	ask_servers(b, 1);
}

static void crew(struct builder *b)
{
	ask_servers(b, 1 + build_below(b, b->asked - 1));
}

/*
 * There are seldom enough connections for all tasks. A task keeps its connection for two questions.
 */
static void leases(struct builder *b)
{
	unsigned int backends = 1 + build_below(b, (b->asked + 1) / 3),
		     clients = b->asked - backends;

	b->at %= clients;
	b->has_leases = true;
	draw_patience(b);
	for (unsigned int task = clients; task < b->asked; task++)
		build_backend(b, task);
	for (unsigned int i = 0; i < b->rounds; i++) {
		for (unsigned int task = 0; task < clients; task++) {
			visit(b, task);
			build_step(b, task, STEP_TAKE, 0, 0);
			build_ask(b, task, draw_request(b), draw_us(b), false);
			build_work(b, task);
			build_ask(b, task, draw_request(b), draw_us(b), false);
			build_step(b, task, STEP_GIVE, 0, 0);
		}
	}
}

const struct shape shapes[] = {
	{"chain", chain, 4, PLAN_TASKS_MAX, false},
	{"ring", ring, 6, PLAN_TASKS_MAX, false},
	{"tree", tree, 3, PLAN_TASKS_MAX, false},
	{"fan", fan, 4, PLAN_TASKS_MAX, false},
	{"convoy", convoy, 5, PLAN_TASKS_MAX, true},
	{"ping-pong", pingpong, 12, 2, false},
	{"pool", pool, 3, PLAN_TASKS_MAX, false},
	{"graph", graph, 1, PLAN_TASKS_MAX, false},
	{"desk", desk, 4, 24, false},
	{"crew", crew, 4, 24, false},
	{"leases", leases, 3, 24, false},
};
const unsigned int shape_cnt = sizeof(shapes) / sizeof(shapes[0]);
