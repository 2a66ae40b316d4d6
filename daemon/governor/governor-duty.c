/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See governor-duty.h. */
#include "daemon/governor/governor-duty.h"

#define MS_NS 1000000ULL

/* The account saves at most the budget of SAVED_MAX_NS. A burst may spend these savings. */
#define SAVED_MAX_NS (5000 * MS_NS)

/* The debt is at most the budget of DEBT_MAX_NS. */
#define DEBT_MAX_NS  (20000 * MS_NS)
#define PAUSE_MAX_NS DEBT_MAX_NS
/* the part of the income that pays the debt; the rest pays for slices */
#define DEBT_PART    0.5

/*
 * Minimum length of a slice. When a slice begins, the states of threads are only partly known, so a
 * shorter slice would explain little.
 */
#define SLICE_MIN_NS (50 * MS_NS)

/*
 * Minimum time between the beginnings of two slices: detaching and attaching programs costs some 3
 * ms of one CPU.
 */
#define PERIOD_MIN_NS (1000 * MS_NS)

/* Total length of a slice and the pause after it, with Time=. */
#define TURN_NS (400 * MS_NS)
#define ALL_PPM 1000000ULL

/* Percentage of the budget at which the governor aims, since the cost is only estimated. */
#define AIM_PCT 95

/*
 * Maximum cost of recording the ends of long waits, in percent of the budget; slices get the rest.
 * The recording of long waits stops when its account owes the maximum cost of WATCH_SWING_NS, and
 * starts again when the account has saved this amount.
 */
#define WATCH_PCT      70
#define WATCH_SWING_NS (1000 * MS_NS)

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

/* With Time=, only the clock decides when slices and pauses alternate. */
static bool is_out_of_turn(const struct rsp_duty_cost *cost)
{
	return cost->now_ns % TURN_NS * ALL_PPM >= (__u64)cost->time_ppm * TURN_NS;
}

static void decide_watch(struct rsp_duty *d, const struct rsp_duty_cost *cost, __u64 dt_ns)
{
	double part = (double)cost->budget_ppm * WATCH_PCT / 100, swing = part * WATCH_SWING_NS;
	double spent = d->paused && d->watches ? cost->watch_ppm : 0;

	d->watch_saved = clamped(d->watch_saved + (part - spent) * (double)dt_ns, -swing, swing);
	if (d->watch_saved >= swing)
		d->watches = true;
	else if (d->watch_saved <= -swing)
		d->watches = false;
}

static void keep_account(struct rsp_duty *d, const struct rsp_duty_cost *cost, __u64 dt_ns)
{
	double budget = cost->budget_ppm;
	double income = (budget * AIM_PCT / 100 - cost->spent_ppm) * (double)dt_ns;
	double paid = clamped(income * DEBT_PART, 0, d->debt);

	d->debt -= paid;
	d->saved = clamped(d->saved + income - paid, -budget * DEBT_MAX_NS, budget * SAVED_MAX_NS);
}

static void begin_pause(struct rsp_duty *d, __u32 budget_ppm)
{
	d->paused = true;
	d->debt = clamped(d->debt - d->saved, 0, (double)budget_ppm * DEBT_MAX_NS);
	d->saved = 0;
}

bool rsp_duty_decide(struct rsp_duty *d, const struct rsp_duty_cost *cost)
{
	__u64 dt_ns = d->now_ns ? cost->now_ns - d->now_ns : 0;
	bool was_paused = d->paused;

	d->now_ns = cost->now_ns;
	decide_watch(d, cost, dt_ns);
	keep_account(d, cost, dt_ns);
	if (cost->time_ppm < ALL_PPM) {
		d->paused = is_out_of_turn(cost);
	} else if (!cost->budget_ppm || !cost->may_pause) {
		d->paused = false;
	} else if (d->paused && is_worth_a_slice(d, cost)) {
		d->paused = false;
		d->resumed_ns = cost->now_ns;
	} else if (!d->paused && d->saved < 0 && cost->now_ns - d->resumed_ns >= SLICE_MIN_NS) {
		begin_pause(d, cost->budget_ppm);
	}
	if (d->paused != was_paused)
		d->changed_ns = cost->now_ns;
	return d->paused;
}

bool rsp_duty_is_overdrawn(const struct rsp_duty *d, __u32 budget_ppm)
{
	return budget_ppm && d->debt - d->saved >= (double)budget_ppm * DEBT_MAX_NS;
}
