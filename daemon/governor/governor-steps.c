/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See governor-steps.h. */
#include "daemon/governor/governor-steps.h"

#define SECOND_NS 1000000000ULL

/*
 * Minimum time over which a cost is measured: a burst of tenths of a second must not change the
 * step.
 */
#define SETTLE_NS (1 * SECOND_NS)

/*
 * The step goes up when the accumulated excess over the budget reaches the budget of CREDIT_NS.
 * Time below the budget reduces the excess.
 */
#define CREDIT_NS (5 * SECOND_NS)

/* Percentage of the budget to which the estimated cost must fall before a step down. */
#define MARGIN_PCT 75
/* Time for which the estimated cost must fit the budget before a step down: loads come in waves. */
#define HOLD_NS	   (10 * SECOND_NS)

/* Time after a measurement for which the estimate of a step's cost is valid. */
#define KNOWN_NS (300 * SECOND_NS)

/* A step down has failed if the step must go up again within FAILED_NS. */
#define FAILED_NS (600 * SECOND_NS)
/*
 * If the number of records per second has grown by more than this factor since the step down, the
 * load is new, and the step down has not failed.
 */
#define CHANGED	  2

/*
 * Multiple of the budget above which the step goes directly to SLICES: leaving out stacks saves
 * less than two thirds of the cost, so the rest would be above the budget.
 */
#define HOPELESS 3

/* Maximum of s->patience, the factor for HOLD_NS and KNOWN_NS. */
#define PATIENCE_MAX 16

/* The last step maps to itself. */
static const enum rsp_shed above[RSP_SHED_CNT] = {
	[RSP_SHED_NOTHING] = RSP_SHED_WAKER_STACKS,
	[RSP_SHED_WAKER_STACKS] = RSP_SHED_HOT_STACKS,
	[RSP_SHED_HOT_STACKS] = RSP_SHED_SLICES,
	[RSP_SHED_SLICES] = RSP_SHED_SLICES,
};
static const enum rsp_shed below[RSP_SHED_CNT] = {
	[RSP_SHED_WAKER_STACKS] = RSP_SHED_NOTHING,
	[RSP_SHED_HOT_STACKS] = RSP_SHED_WAKER_STACKS,
	[RSP_SHED_SLICES] = RSP_SHED_HOT_STACKS,
};

static void take(struct rsp_steps *s, enum rsp_shed step, __u64 now_ns)
{
	s->step = step;
	s->since_ns = now_ns;
	s->fits_ns = 0;
	s->over = 0;
}

/* Returns the load: a value that is proportional to the number of records per second. */
static __u64 load(const struct rsp_steps_cost *cost)
{
	return (__u64)cost->programs_ppm * 1000 / cost->record_ns;
}

static bool is_unproved(const struct rsp_steps *s, __u64 now_ns)
{
	return s->down_ns && now_ns - s->down_ns < FAILED_NS;
}

static bool is_hopeless(const struct rsp_steps_cost *cost)
{
	return (__u64)cost->programs_ppm + cost->daemon_ppm > (__u64)HOPELESS * cost->budget_ppm;
}

static void go_up(struct rsp_steps *s, const struct rsp_steps_cost *cost)
{
	bool failed = is_unproved(s, cost->now_ns) && load(cost) <= CHANGED * s->down_load;

	if (!failed)
		s->patience = 1;
	else if (s->patience < PATIENCE_MAX)
		s->patience *= 2;
	s->known[s->step] = (struct rsp_steps_known){cost->now_ns, cost->record_ns};
	s->up_ns = cost->now_ns;
	take(s, is_hopeless(cost) ? RSP_SHED_SLICES : above[s->step], cost->now_ns);
}

/* If the cost of that step was not measured recently, returns the cost of the current step. */
static __u64 cost_below(const struct rsp_steps *s, const struct rsp_steps_cost *cost)
{
	const struct rsp_steps_known *known = &s->known[below[s->step]];
	bool is_known = known->at_ns && cost->now_ns - known->at_ns < s->patience * KNOWN_NS;
	__u64 programs_ppm = cost->programs_ppm;

	if (is_known && cost->record_ns && known->record_ns > cost->record_ns)
		programs_ppm = programs_ppm * known->record_ns / cost->record_ns;
	return programs_ppm + cost->daemon_ppm;
}

static void look_down(struct rsp_steps *s, const struct rsp_steps_cost *cost)
{
	__u64 below_ppm = cost_below(s, cost);

	if (!is_unproved(s, cost->now_ns) && s->down_ns > s->up_ns)
		s->patience = 1;
	if (below_ppm > cost->budget_ppm)
		s->fits_ns = 0;
	else if (!s->fits_ns && below_ppm * 100 <= (__u64)cost->budget_ppm * MARGIN_PCT)
		s->fits_ns = cost->now_ns;
	if (!s->fits_ns || cost->now_ns - s->fits_ns < s->patience * HOLD_NS)
		return;
	s->down_ns = cost->now_ns;
	s->down_load = load(cost);
	take(s, below[s->step], cost->now_ns);
}

/* Returns whether the excess over the budget is too high. */
static bool spend(struct rsp_steps *s, const struct rsp_steps_cost *cost, __u64 dt_ns)
{
	double budget = cost->budget_ppm;

	s->over += (cost->spent_ppm - budget) * (double)dt_ns;
	if (s->over < 0)
		s->over = 0;
	return s->over > budget * CREDIT_NS;
}

enum rsp_shed rsp_steps_decide(struct rsp_steps *s, const struct rsp_steps_cost *cost)
{
	__u64 dt_ns = s->now_ns ? cost->now_ns - s->now_ns : 0;
	bool overdrawn;

	s->now_ns = cost->now_ns;
	if (!s->since_ns)
		s->since_ns = cost->now_ns;
	if (!s->patience)
		s->patience = 1;
	if (!cost->budget_ppm) {
		if (s->step != RSP_SHED_NOTHING)
			take(s, RSP_SHED_NOTHING, cost->now_ns);
		return s->step;
	}
	overdrawn = spend(s, cost, dt_ns);
	if (!cost->record_ns || (cost->now_ns - s->since_ns < SETTLE_NS && !is_hopeless(cost)))
		return s->step;
	if (overdrawn && s->step != RSP_SHED_SLICES)
		go_up(s, cost);
	else if (s->step > RSP_SHED_NOTHING)
		look_down(s, cost);
	return s->step;
}
