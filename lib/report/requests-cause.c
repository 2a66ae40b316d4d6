/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the main difference between slow and typical requests: the activity, task or stage that
 * took most of the additional time.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/format.h"
#include "lib/report/requests-view.h"

/* A stage is the answer only if its difference is more than a tenth of the whole difference. */
#define WORTH_DIVISOR 10
/* Minimum share of the difference for a cause or a task that is the answer. */
#define MAIN_SHARE    0.6
/* Minimum share of a whole for a part that counts as all of the whole. */
#define NEARLY_SHARE  0.9
/* Minimum share of a stage's difference for a cause that the sentence about the stage names. */
#define MENTION_SHARE 0.25

/*
 * The additional time of slow requests that is due to one cause, or to all activities of one task.
 * Times are sums over all stages.
 */
struct cause {
	const struct rsp_difference *of;
	double slow_ns, more_ns;
	double turn_ns; /* the part of slow_ns in RSP_STAGE_TURN */
};

static bool is_same(const struct rsp_difference *a, const struct rsp_difference *b, bool whole_task)
{
	if (strcmp(a->comm, b->comm) != 0)
		return false;
	return whole_task || (a->words == b->words && a->why == b->why);
}

static struct cause sum_of(const struct rsp_comparison *c, const struct rsp_difference *of,
			   bool whole_task)
{
	struct cause cause = {of};

	for (size_t i = 0; i < c->differences.cnt; i++) {
		const struct rsp_difference *d = &c->differences.v[i];

		if (!is_same(d, of, whole_task))
			continue;
		cause.slow_ns += (double)d->slow_ns;
		cause.more_ns += (double)d->slow_ns - (double)d->typical_ns;
		if (c->stages.v[d->stage].kind == RSP_STAGE_TURN)
			cause.turn_ns += (double)d->slow_ns;
	}
	return cause;
}

/* whole_task: the candidates are tasks instead of causes. If there is no candidate, of is NULL. */
static struct cause largest(const struct rsp_comparison *c, bool whole_task)
{
	struct cause most = {0};

	for (size_t i = 0; i < c->differences.cnt; i++) {
		struct cause cause;

		if (whole_task && !*c->differences.v[i].comm)
			continue;
		cause = sum_of(c, &c->differences.v[i], whole_task);
		if (!most.of || cause.more_ns > most.more_ns)
			most = cause;
	}
	return most;
}

static void put_amount(const struct rsp_comparison *c, double ns, const char *who, FILE *f)
{
	char a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX];

	fprintf(f, "%s %s of %s ", who, rsp_format_ns((__u64)ns, a, sizeof(a)),
		rsp_format_ns(c->slow_ns, b, sizeof(b)));
}

static void put_stage(const struct rsp_comparison *c, const char *who, double min_ns, FILE *f)
{
	const struct rsp_stage_time *stage = c->stages.v;
	double more_ns = stage ? (double)stage->slow_ns - (double)stage->typical_ns : 0;
	char a[RSP_FORMAT_MAX];

	if (more_ns <= min_ns)
		return;
	put_amount(c, (double)stage->slow_ns, who, f);
	fputs(stage->text, f);
	for (size_t i = 0; i < c->differences.cnt; i++) {
		const struct rsp_difference *d = &c->differences.v[i];

		if (d->stage != 0 || strcmp(d->key, rsp_category_key(RSP_CAT_OTHER_PATH)) == 0)
			continue;
		if ((double)d->slow_ns >= NEARLY_SHARE * (double)stage->slow_ns)
			fprintf(f, ": %s", d->text);
		else if ((double)d->slow_ns - (double)d->typical_ns >= MENTION_SHARE * more_ns)
			fprintf(f, "; %s of it: %s", rsp_format_ns(d->slow_ns, a, sizeof(a)),
				d->text);
		return;
	}
}

static bool is_most_of(const struct cause *cause, const struct cause *task)
{
	return strcmp(cause->of->comm, task->of->comm) == 0 &&
	       cause->more_ns >= NEARLY_SHARE * task->more_ns;
}

static const char *main_activity(const struct rsp_comparison *c, const struct cause *task)
{
	const struct rsp_difference *most = task->of;

	for (size_t i = 0; i < c->differences.cnt; i++) {
		const struct rsp_difference *d = &c->differences.v[i];

		if (is_same(d, task->of, true) && d->slow_ns > most->slow_ns)
			most = d;
	}
	return most->activity;
}

static bool is_mostly_turn(const struct rsp_comparison *c, double min_ns)
{
	const struct rsp_stage_time *stage = c->stages.v;

	return stage && stage->kind == RSP_STAGE_TURN &&
	       (double)stage->slow_ns - (double)stage->typical_ns >= min_ns;
}

void rsp_comparison_put_cause(const struct rsp_comparison *c, const char *who, FILE *f)
{
	double all_ns = (double)c->slow_ns - (double)c->typical_ns;
	struct cause cause = largest(c, false), task = largest(c, true);
	const char *activity;

	if (!cause.of)
		return;
	if (cause.more_ns < NEARLY_SHARE * all_ns && is_mostly_turn(c, MAIN_SHARE * all_ns)) {
		put_stage(c, who, 0, f);
	} else if (task.of && task.more_ns >= MAIN_SHARE * all_ns && !is_most_of(&cause, &task)) {
		put_amount(c, task.slow_ns, who, f);
		rsp_difference_put_task(task.of, f);
		activity = main_activity(c, &task);
		fprintf(f, ", which was %s%s", strstr(activity, "mostly") ? "" : "mostly ",
			activity);
	} else if (cause.more_ns >= MAIN_SHARE * all_ns) {
		put_amount(c, cause.slow_ns, who, f);
		if (cause.turn_ns > cause.slow_ns / 2)
			fprintf(f, "%s: ", RSP_STAGE_TURN_TEXT);
		fputs(cause.of->text, f);
	} else {
		put_stage(c, who, all_ns / WORTH_DIVISOR, f);
	}
}
