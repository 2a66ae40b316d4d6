// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The causes that can dominate a system. A cause adds its steps to the task that it slows down, and
 * adds the helper tasks that it needs.
 */
#include <string.h>

#include "tests/truth/links.h"
#include "tests/truth/plan-parts.h"

#define CPUS_USED 2

/* how long a polling task waits between two checks */
#define LOOP_US 5000

static unsigned int add_work(struct builder *b, unsigned int task, uint32_t us)
{
	build_step(b, task, STEP_WORK, 0, us);
	return task;
}

static unsigned int add_sleep(struct builder *b, unsigned int task, uint32_t us)
{
	build_step(b, task, STEP_SLEEP, 0, us);
	return task;
}

static unsigned int add_timeout(struct builder *b, unsigned int task, uint32_t us)
{
	build_step(b, task, STEP_TIMEOUT, 0, us);
	return task;
}

static unsigned int add_timerfd(struct builder *b, unsigned int task, uint32_t us)
{
	build_step(b, task, STEP_TIMERFD, 0, us);
	return task;
}

static unsigned int add_fault(struct builder *b, unsigned int task, uint32_t us)
{
	build_step(b, task, STEP_FAULT, 0, us);
	return task;
}

static unsigned int type_named(const char *name)
{
	unsigned int type = 0;

	while (strcmp(link_types[type].name, name) != 0)
		type++;
	return type;
}

/*
 * The task waits until the helper has started. Otherwise, no log could show which task called the
 * helper.
 */
static void be_ready(struct builder *b, unsigned int helper, unsigned int task)
{
	unsigned int link = build_link(b, helper, task, build_type(b, task));

	build_step(b, helper, STEP_POST, link, 0);
	build_step(b, task, STEP_WAIT, link, 0);
}

/* a step that polls, and the type of the link with the awaited token */
struct poll_way {
	enum step_kind how;
	const char *type;
};

/* The task polls while a helper works. The helper does not wake the task. */
static void poll_for_helper(struct builder *b, unsigned int task, struct poll_way way,
			    uint32_t work_us, uint32_t poll_us)
{
	bool is_first = b->plan->task_cnt == b->asked, fresh = b->rounds == 1 && build_below(b, 2);
	unsigned int helper = b->asked;

	if (is_first)
		build_link(b, build_task(b), task, type_named(way.type));
	if (fresh) {
		b->plan->tasks[helper].deferred = b->plan->tasks[helper].thread = true;
		build_step(b, task, STEP_SPAWN, helper, 0);
	} else {
		if (is_first)
			be_ready(b, helper, task);
		build_hand_over(b, task, helper);
	}
	build_step(b, helper, STEP_WORK, 0, work_us);
	build_post(b, helper, task);
	build_step(b, task, way.how, build_link_of(b, helper, task), poll_us);
	if (fresh)
		build_step(b, task, STEP_JOIN, helper, 0);
}

/* The helper finishes early, but the task continues to poll another object for a long time. */
static unsigned int add_late(struct builder *b, unsigned int task, uint32_t us)
{
	poll_for_helper(b, task, (struct poll_way){STEP_LATE, "spin"}, us / 8, us);
	return task;
}

static unsigned int add_loop(struct builder *b, unsigned int task, uint32_t us)
{
	poll_for_helper(b, task, (struct poll_way){STEP_LOOP, "spin"}, us, LOOP_US);
	return b->asked;
}

/* The task sleeps between two checks. A better program would poll the link. */
static unsigned int add_naps(struct builder *b, unsigned int task, uint32_t us)
{
	poll_for_helper(b, task, (struct poll_way){STEP_NAPS, "pipe"}, us, LOOP_US);
	return b->asked;
}

/*
 * The task waits for a condition that no task signals. Another task works meanwhile, but no task
 * waits for it.
 */
static unsigned int add_unsignalled(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int helper = b->plan->task_cnt > b->asked ? b->asked : build_task(b);

	build_hand_over(b, task, helper);
	build_step(b, helper, STEP_WORK, 0, us / 2);
	build_step(b, task, STEP_UNSIGNALLED, 0, us);
	return task;
}

/* While the task works, a helper works, too. No task waits for the helper. */
static unsigned int add_handed_off(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int helper = b->plan->task_cnt > b->asked ? b->asked : build_task(b);

	build_hand_over(b, task, helper);
	build_step(b, helper, STEP_WORK, 0, us / 2);
	build_step(b, task, STEP_WORK, 0, us);
	return task;
}

/* With the CPU quota of PLAN_QUOTA_PERCENT, the task is throttled most of the time. */
static unsigned int add_quota(struct builder *b, unsigned int task, uint32_t us)
{
	build_step(b, task, STEP_QUOTA, 0, us * PLAN_QUOTA_PERCENT / 100);
	return task;
}

static unsigned int add_pool(struct builder *b, unsigned int task, uint32_t us)
{
	for (unsigned int i = 0; i < 2 && !b->has_pool; i++)
		build_worker(b, build_task(b));
	build_submit(b, task, us, true);
	build_step(b, task, STEP_COLLECT, 0, 0);
	return task;
}

static unsigned int call_for(struct builder *b, unsigned int task, enum step_kind asked,
			     uint32_t us)
{
	if (!b->has_service)
		b->plan->entrance = build_below(b, PLAN_ENTRANCES_MAX);
	for (unsigned int i = 0; i < 2 && !b->has_service; i++)
		build_server(b, build_task(b));
	build_call(b, task, asked, us, true);
	return task;
}

static unsigned int add_service(struct builder *b, unsigned int task, uint32_t us)
{
	return call_for(b, task, STEP_WORK, us);
}

static unsigned int add_service_sleep(struct builder *b, unsigned int task, uint32_t us)
{
	return call_for(b, task, STEP_SLEEP, us);
}

static unsigned int add_service_fsync(struct builder *b, unsigned int task, uint32_t us)
{
	return call_for(b, task, STEP_FSYNC, us);
}

/*
 * Makes a server's slow answer delay the task. The task asks the server itself, or waits until
 * another task returns the only connection.
 */
static unsigned int add_leased(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int holder;

	if (b->has_leases) {
		build_step(b, task, STEP_TAKE, 0, 0);
		build_ask(b, task, STEP_WORK, us, true);
		build_step(b, task, STEP_GIVE, 0, 0);
		return task;
	}
	holder = build_task(b);
	build_backend(b, build_task(b));
	build_hand_over(b, task, holder);
	build_step(b, holder, STEP_TAKE, 0, 0);
	build_hand_over(b, holder, task);
	build_ask(b, holder, STEP_WORK, us, true);
	build_step(b, holder, STEP_GIVE, 0, 0);
	build_step(b, task, STEP_TAKE, 0, 0);
	build_step(b, task, STEP_GIVE, 0, 0);
	return task;
}

static unsigned int add_limited(struct builder *b, unsigned int task, uint32_t us)
{
	build_step(b, task, STEP_LIMITED, 0, us);
	return task;
}

static unsigned int add_fsync(struct builder *b, unsigned int task, uint32_t us)
{
	build_step(b, task, STEP_FSYNC, 0, us);
	return task;
}

static unsigned int add_direct(struct builder *b, unsigned int task, uint32_t us)
{
	build_step(b, task, STEP_DIRECT, 0, us);
	return task;
}

static unsigned int add_cold(struct builder *b, unsigned int task, uint32_t us)
{
	build_step(b, task, STEP_COLD, 0, us);
	return task;
}

static unsigned int add_lock(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int holder = b->plan->task_cnt > b->asked ? b->asked : build_task(b);

	build_hand_over(b, task, holder);
	build_step(b, holder, STEP_LOCK, PLAN_LOCK_PLAIN, 0);
	build_hand_over(b, holder, task);
	build_step(b, holder, STEP_WORK, 0, us);
	build_step(b, holder, STEP_UNLOCK, PLAN_LOCK_PLAIN, 0);
	build_step(b, task, STEP_LOCK, PLAN_LOCK_PLAIN, 0);
	build_step(b, task, STEP_UNLOCK, PLAN_LOCK_PLAIN, 0);
	return holder;
}

/* The task spins until a helper has finished. To the kernel, both tasks are working. */
static unsigned int add_spin(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int helper = b->asked;

	if (b->plan->task_cnt == b->asked)
		build_link(b, build_task(b), task, type_named("spin"));
	build_hand_over(b, task, helper);
	build_step(b, helper, STEP_WORK, 0, us);
	build_hand_over(b, helper, task);
	return task;
}

static unsigned int add_hogs(struct builder *b, unsigned int task, uint32_t us)
{
	if (b->plan->task_cnt == b->asked) {
		int cpu = (int)build_below(b, CPUS_USED);

		b->plan->tasks[build_task(b)].cpu = cpu;
		b->plan->tasks[build_task(b)].cpu = cpu;
		b->plan->tasks[task].cpu = cpu;
	}
	for (unsigned int hog = b->asked; hog < b->asked + 2; hog++) {
		build_hand_over(b, task, hog);
		build_step(b, hog, STEP_WORK, 0, us / 3);
	}
	build_step(b, task, STEP_WORK, 0, us / 3);
	return task;
}

static unsigned int spawn(struct builder *b, unsigned int task)
{
	unsigned int child = build_task(b);

	b->plan->tasks[child].deferred = true;
	b->plan->tasks[child].thread = false;
	build_step(b, task, STEP_SPAWN, child, 0);
	return child;
}

static unsigned int add_child(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int child = spawn(b, task);

	build_step(b, child, STEP_WORK, 0, us);
	build_step(b, task, STEP_JOIN, child, 0);
	return child;
}

static unsigned int add_program(struct builder *b, unsigned int task, uint32_t us)
{
	unsigned int child = spawn(b, task);

	build_step(b, child, STEP_EXEC, 0, us);
	build_step(b, task, STEP_JOIN, child, 0);
	return child;
}

const struct cause causes[] = {
	{"work", add_work, .adds = 0},
	{"sleep", add_sleep, .adds = 0},
	{"timeout", add_timeout, .adds = 0},
	{"timerfd", add_timerfd, .adds = 0},
	{"fsync", add_fsync, .adds = 0},
	{"direct", add_direct, .adds = 0},
	{"cold", add_cold, .adds = 0},
	{"fault", add_fault, .adds = 0},
	{"quota", add_quota, .adds = 0},
	{"limited", add_limited, .adds = 0},
	{"late", add_late, .adds = 1},
	{"loop", add_loop, .adds = 1},
	{"naps", add_naps, .adds = 1},
	{"unsignalled", add_unsignalled, .adds = 1},
	{"lock", add_lock, .adds = 1},
	{"spin", add_spin, .adds = 1},
	{"handed-off", add_handed_off, .adds = 1},
	{"preempt", add_hogs, .adds = 2},
	{"child", add_child, .once = true, .adds = 1},
	{"program", add_program, .once = true, .adds = 1},
	{"pool", add_pool, .once = true, .adds = 2},
	{"service", add_service, .once = true, .adds = 2},
	{"service-sleep", add_service_sleep, .once = true, .adds = 2},
	{"service-fsync", add_service_fsync, .once = true, .adds = 2},
	{"leased", add_leased, .once = true, .adds = 2},
};
const unsigned int cause_cnt = sizeof(causes) / sizeof(causes[0]);
