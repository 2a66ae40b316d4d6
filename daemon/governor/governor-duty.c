/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See governor-duty.h. */
#include "governor-duty.h"

#define MS_NS 1000000ULL

/* What was not spent is kept for so much time: a burst may then cost more than the budget. */
#define SAVED_MAX_NS (5000 * MS_NS)

/*
 * What was spent too much is paid back, but for no longer than this nothing is recorded: also where
 * pauses alone cost more than the budget.
 */
#define DEBT_MAX_NS  (20000 * MS_NS)
#define PAUSE_MAX_NS DEBT_MAX_NS

/* A slice is to be no shorter: it begins with threads in states of which not all is known. */
#define SLICE_MIN_NS (50 * MS_NS)

/* From one slice to the next: detaching and attaching programs costs some 3 ms of one CPU. */
#define PERIOD_MIN_NS (1000 * MS_NS)

/* A slice and a pause, if less than all of the time is to be recorded. */
#define TURN_NS (400 * MS_NS)
#define ALL_PPM 1000000ULL

/* What is aimed at, in percent of the budget: figures of the cost are estimates. */
#define AIM_PCT 95

/*
 * What the ends of long waits may cost in pauses, in percent of the budget: with all of it there
 * would be no slices. Above that they are left out for a while.
 */
#define WATCH_PCT	 50
#define WATCH_AVERAGE_NS (2000 * MS_NS)
#define UNWATCHED_NS	 (60000 * MS_NS)

static double clamped(double value, double min, double max)
{
	return value < min ? min : value > max ? max : value;
}

static bool is_worth_a_slice(const struct rsp_duty *d, const struct rsp_duty_cost *cost)
{
	double most = 0.8 * SAVED_MAX_NS * cost->budget_ppm;
	double need = clamped((double)cost->rate_ppm * SLICE_MIN_NS, 0, most);

	if (cost->now_ns - d->changed_ns >= PAUSE_MAX_NS)
		return true;
	return d->saved > need && cost->now_ns - d->resumed_ns >= PERIOD_MIN_NS;
}

/* Slices and pauses that take turns, as the clock says. */
static bool is_out_of_turn(const struct rsp_duty_cost *cost)
{
	return cost->now_ns % TURN_NS * ALL_PPM >= (__u64)cost->time_ppm * TURN_NS;
}

static void decide_watch(struct rsp_duty *d, const struct rsp_duty_cost *cost, __u64 dt_ns)
{
	double weight = clamped((double)dt_ns / WATCH_AVERAGE_NS, 0, 1);

	if (d->paused && d->watches)
		d->watch_ppm += (cost->watch_ppm - d->watch_ppm) * weight;
	if (cost->budget_ppm && d->watch_ppm * 100 > (double)cost->budget_ppm * WATCH_PCT) {
		d->unwatched_ns = cost->now_ns + UNWATCHED_NS;
		d->watch_ppm = 0;
	}
	d->watches = cost->now_ns >= d->unwatched_ns;
}

bool rsp_duty_decide(struct rsp_duty *d, const struct rsp_duty_cost *cost)
{
	__u64 dt_ns = d->now_ns ? cost->now_ns - d->now_ns : 0;
	double budget = cost->budget_ppm;
	bool was_paused = d->paused;

	d->now_ns = cost->now_ns;
	decide_watch(d, cost, dt_ns);
	d->saved += (budget * AIM_PCT / 100 - cost->spent_ppm) * (double)dt_ns;
	d->saved = clamped(d->saved, -budget * DEBT_MAX_NS, budget * SAVED_MAX_NS);
	if (cost->time_ppm < ALL_PPM) {
		d->paused = is_out_of_turn(cost);
	} else if (!cost->budget_ppm || !cost->may_pause) {
		d->paused = false;
	} else if (d->paused && is_worth_a_slice(d, cost)) {
		d->paused = false;
		d->resumed_ns = cost->now_ns;
	} else if (!d->paused && d->saved < 0 && cost->now_ns - d->resumed_ns >= SLICE_MIN_NS) {
		d->paused = true;
	}
	if (d->paused != was_paused)
		d->changed_ns = cost->now_ns;
	return d->paused;
}

bool rsp_duty_is_overdrawn(const struct rsp_duty *d, __u32 budget_ppm)
{
	return budget_ppm && d->saved <= -(double)budget_ppm * DEBT_MAX_NS;
}
