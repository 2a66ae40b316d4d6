/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the differences of a comparison. A struct rsp_difference is an activity of a task in one
 * stage, with its time in slow and in typical requests.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/base/text.h"
#include "lib/report/findings-tally.h"
#include "lib/report/report-words.h"
#include "lib/report/report.h"
#include "lib/report/requests-view.h"

#define NAME_COLS 80

/*
 * Returns "" if the task at the end of the chain belongs to the process of its first task and has
 * the same name.
 */
static const char *task_of(const struct rsp_chain *chain)
{
	const struct rsp_hop *root = &chain->hops[0], *leaf = &chain->hops[chain->hop_cnt - 1];

	return leaf->tgid == root->tgid && strcmp(leaf->comm, root->comm) == 0 ? "" : leaf->comm;
}

/*
 * Time in the disk's queue counts as waiting for the disk, preemption as waiting for a CPU, and
 * running without samples as running.
 */
static const struct rsp_words *words_of(const struct rsp_hop *leaf)
{
	int words = rsp_words_of_leaf(leaf);

	if (words == RSP_CAT_DISK_QUEUED)
		words = RSP_CAT_DISK_ACTIVE;
	else if (words == RSP_CAT_PREEMPTED)
		words = RSP_CAT_RUNQUEUE;
	else if (words == RSP_CAT_RUNNING_UNSAMPLED)
		words = RSP_CAT_RUNNING_SAMPLED;
	return rsp_category_words(words);
}

static bool computes(const struct rsp_hop *leaf)
{
	return leaf->category == RSP_CAT_RUNNING_SAMPLED ||
	       leaf->category == RSP_CAT_RUNNING_UNSAMPLED;
}

static void put_detail(const struct rsp_hop *leaf, FILE *f)
{
	const struct rsp_words *words = words_of(leaf);
	bool is_timer = leaf->category == RSP_CAT_TIMEOUT || leaf->category == RSP_CAT_SLEEP;
	char name[RSP_FORMAT_NAME_BYTES(NAME_COLS)];
	struct rsp_subject function;

	if (computes(leaf)) {
		function = rsp_subject_of_leaf(leaf);
		if (function.name && *function.name)
			fprintf(f, " in %s%s",
				rsp_format_name(function.name, NAME_COLS, name, sizeof(name)),
				function.note);
		return;
	}
	if (*leaf->object)
		fprintf(f, "%s%s", words->object,
			rsp_format_name(leaf->object, NAME_COLS, name, sizeof(name)));
	if (*leaf->behind && !is_timer)
		fprintf(f, " (%s)", rsp_format_name(leaf->behind, NAME_COLS, name, sizeof(name)));
}

/* Returns "" if there is no detail. NULL: out of memory. */
static char *detail_of(const struct rsp_hop *leaf)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	put_detail(leaf, f);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	rsp_text_clean(text);
	return text;
}

static bool is_about(const struct rsp_difference *d, size_t stage, const struct rsp_chain *chain)
{
	const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];

	return d->stage == stage && strcmp(d->comm, task_of(chain)) == 0 && d->why == leaf->why &&
	       d->words == words_of(leaf);
}

static struct rsp_difference *find(struct rsp_comparison *c, size_t stage,
				   const struct rsp_chain *chain)
{
	const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];
	__u32 tgid = leaf->task_cnt <= 1 ? leaf->tgid : 0;
	struct rsp_difference *d;

	for (size_t i = 0; i < c->differences.cnt; i++) {
		d = &c->differences.v[i];
		if (!is_about(d, stage, chain))
			continue;
		if (d->tgid != tgid)
			d->tgid = 0;
		return d;
	}
	d = rsp_array_add(&c->differences);
	if (!d)
		return NULL;
	d->stage = stage;
	d->tgid = tgid;
	d->why = leaf->why;
	d->words = words_of(leaf);
	d->key = rsp_category_key(leaf->category);
	snprintf(d->comm, sizeof(d->comm), "%s", task_of(chain));
	return d;
}

static struct rsp_detail *find_detail(struct rsp_difference *d, const struct rsp_hop *leaf)
{
	_cleanup_free_ char *text = detail_of(leaf);
	struct rsp_detail *detail;

	for (size_t i = 0; text && i < d->details.cnt; i++)
		if (strcmp(d->details.v[i].text, text) == 0)
			return &d->details.v[i];
	detail = text ? rsp_array_add(&d->details) : NULL;
	if (detail)
		detail->text = rsp_take_ptr(text);
	return detail;
}

int rsp_difference_add(struct rsp_comparison *c, size_t stage, const struct rsp_chain *chain,
		       bool is_slow)
{
	struct rsp_difference *d = find(c, stage, chain);
	struct rsp_detail *detail = d ? find_detail(d, &chain->hops[chain->hop_cnt - 1]) : NULL;

	if (!detail)
		return -ENOMEM;
	detail->ns += chain->ns;
	d->sample_cnt += chain->sample_cnt;
	d->computes = computes(&chain->hops[chain->hop_cnt - 1]);
	*(is_slow ? &d->slow_ns : &d->typical_ns) += chain->ns;
	return 0;
}

/*
 * The text names a detail if the detail has at least MOST_SHARE of the activity's time. Below
 * WHOLE_SHARE, the text adds "mostly".
 */
#define WHOLE_SHARE 0.8
#define MOST_SHARE  0.4
/* Minimum number of samples for which the text names a function. */
#define SAMPLES_MIN 5

/* The share of a function is its share of the sampled time. */
static void put_activity(const struct rsp_difference *d, FILE *f)
{
	const struct rsp_detail *most = NULL;
	__u64 all_ns = 0;
	const char *text;

	for (size_t i = 0; i < d->details.cnt; i++) {
		if (d->computes && !*d->details.v[i].text)
			continue;
		all_ns += d->details.v[i].ns;
		if (!most || d->details.v[i].ns > most->ns)
			most = &d->details.v[i];
	}
	text = most ? most->text : "";
	fputs(d->words->activity, f);
	if (!*text || (double)most->ns < MOST_SHARE * (double)all_ns ||
	    (d->computes && d->sample_cnt < SAMPLES_MIN))
		return;
	if ((double)most->ns >= WHOLE_SHARE * (double)all_ns)
		fputs(text, f);
	else if (strncmp(text, ", ", 2) == 0)
		fprintf(f, ", mostly %s", text + 2);
	else
		fprintf(f, ", mostly%s", text);
}

void rsp_difference_put_task(const struct rsp_difference *d, FILE *f)
{
	char name[RSP_FORMAT_NAME_BYTES(RSP_COMM_MAX)];

	fprintf(f, "waiting for %s", rsp_format_name(d->comm, RSP_COMM_MAX, name, sizeof(name)));
	if (d->tgid)
		fprintf(f, " [%u]", rsp_host_tid(d->tgid));
}

static char *activity_of(const struct rsp_difference *d)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	put_activity(d, f);
	if (d->why)
		fprintf(f, " (%s)", rsp_why_text(d->why));
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

int rsp_difference_finish(struct rsp_difference *d)
{
	size_t len;
	FILE *f;

	d->activity = activity_of(d);
	f = d->activity ? open_memstream(&d->text, &len) : NULL;
	if (!f)
		return -ENOMEM;
	if (*d->comm) {
		rsp_difference_put_task(d, f);
		fputs(", which was ", f);
	}
	fputs(d->activity, f);
	return fclose(f) == 0 ? 0 : -ENOMEM;
}

void rsp_difference_done(struct rsp_difference *d)
{
	for (size_t i = 0; i < d->details.cnt; i++)
		free(d->details.v[i].text);
	free(d->details.v);
	free(d->text);
	free(d->activity);
	*d = (struct rsp_difference){0};
}
