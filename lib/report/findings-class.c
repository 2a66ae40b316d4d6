/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See findings-class.h. The findings of this file report the time that no other finding covers. */
#include "lib/report/findings-class.h"

#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings.h"
#include "lib/report/report-samples.h"
#include "lib/report/report-words.h"

#define BIT(cat) (1u << (cat))

static const struct class
{
	const char *kind;
	unsigned int cats;
	int speaks; /* index for rsp_category_words(): a category or RSP_WORDS_* */
} classes[] = {
	{"cpu", BIT(RSP_CAT_RUNNING_SAMPLED) | BIT(RSP_CAT_RUNNING_UNSAMPLED),
	 RSP_CAT_RUNNING_SAMPLED},
	{"disk", BIT(RSP_CAT_DISK_ACTIVE) | BIT(RSP_CAT_DISK_QUEUED), RSP_CAT_DISK_ACTIVE},
	{"network", BIT(RSP_CAT_NETWORK), RSP_CAT_NETWORK},
	{"runqueue", BIT(RSP_CAT_RUNQUEUE), RSP_CAT_RUNQUEUE},
	{"preempted", BIT(RSP_CAT_PREEMPTED), RSP_CAT_PREEMPTED},
	{"hardware", BIT(RSP_CAT_HARDWARE), RSP_CAT_HARDWARE},
	{"kernel", BIT(RSP_CAT_KERNEL), RSP_CAT_KERNEL},
	{"timeout", BIT(RSP_CAT_TIMEOUT), RSP_CAT_TIMEOUT},
	{"unseen_timeout", BIT(RSP_WORDS_UNSEEN_TIMEOUT), RSP_WORDS_UNSEEN_TIMEOUT},
	{"sleep", BIT(RSP_CAT_SLEEP), RSP_CAT_SLEEP},
	{"stopped", BIT(RSP_CAT_STOPPED), RSP_CAT_STOPPED},
	{"frozen", BIT(RSP_WORDS_FROZEN), RSP_WORDS_FROZEN},
	{"idle", BIT(RSP_CAT_IDLE), RSP_CAT_IDLE},
	{"other_path", BIT(RSP_CAT_OTHER_PATH), RSP_CAT_OTHER_PATH},
	{"open_wait", BIT(RSP_WORDS_OPEN_WAIT), RSP_WORDS_OPEN_WAIT},
	{"edge", BIT(RSP_CAT_EDGE), RSP_CAT_EDGE},
	{"cut_wait", BIT(RSP_WORDS_CUT_WAIT), RSP_WORDS_CUT_WAIT},
	{"unrecorded", BIT(RSP_CAT_UNRECORDED), RSP_CAT_UNRECORDED},
	{"unaccounted", BIT(RSP_CAT_UNACCOUNTED), RSP_CAT_UNACCOUNTED},
};
#define CLASS_CNT (sizeof(classes) / sizeof(classes[0]))

#define DOINGS                                                                                     \
	(BIT(RSP_CAT_RUNNING_SAMPLED) | BIT(RSP_CAT_RUNNING_UNSAMPLED) | BIT(RSP_CAT_RUNQUEUE) |   \
	 BIT(RSP_CAT_PREEMPTED) | BIT(RSP_CAT_SLEEP) | BIT(RSP_CAT_TIMEOUT) |                      \
	 BIT(RSP_CAT_STOPPED) | BIT(RSP_CAT_UNRECORDED))

bool rsp_class_is_wait(const struct rsp_cover *t)
{
	return t->relation != RSP_RELATION_SELF && BIT(t->leaf->category) & DOINGS;
}

struct sum {
	struct rsp_tally subjects; /* by cause; computing: only sampled time */
	__u64 ns;
	struct rsp_samples samples;
	__u64 queued_ns;
};

static void sum_done(struct sum *sum)
{
	rsp_tally_done(&sum->subjects);
	rsp_samples_done(&sum->samples);
}

static bool is_of(const struct class *class, const struct rsp_hop *leaf)
{
	return BIT(rsp_words_of_leaf(leaf)) & class->cats;
}

static int sum_make(const struct rsp_explanation *e, const struct rsp_selection *s,
		    const struct class *class, struct sum *ret)
{
	_cleanup_(sum_done) struct sum sum = {0};

	sum.subjects.needs_shares = rsp_selection_needs_shares(s, e);
	for (size_t i = 0; i < s->cnt; i++) {
		const struct rsp_hop *leaf = s->v[i].cover->leaf;
		__u64 ns = s->v[i].ns;

		if (!is_of(class, leaf))
			continue;
		sum.ns += ns;
		sum.queued_ns += leaf->category == RSP_CAT_DISK_QUEUED ? ns : 0;
		if (rsp_samples_add(&sum.samples, s->v[i].cover->chain) < 0)
			return -ENOMEM;
		if ((leaf->category != RSP_CAT_RUNNING_UNSAMPLED || rsp_hop_is_sampled(leaf)) &&
		    rsp_tally_add(&sum.subjects, rsp_subject_of_leaf(leaf), ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_finish(&sum.subjects);
	*ret = sum;
	sum = (struct sum){0};
	return 0;
}

static bool put_sum(FILE *f, const char *joint, const struct class *class, struct sum *sum,
		    size_t max)
{
	if (class->speaks == RSP_CAT_RUNNING_SAMPLED)
		return rsp_put_functions(f, joint, &sum->subjects, rsp_samples_cnt(&sum->samples),
					 sum->ns, max);
	return rsp_put_subjects(f, joint, rsp_category_words(class->speaks)->label, &sum->subjects,
				sum->ns, max);
}

/*
 * --- one class of time --------------------------------------------------------------------------
 */

/* Returns the number of classes in ret, at most RSP_FINDINGS_NAMES_MAX. */
static size_t order_classes(const struct sum *sums, __u64 whole_ns, size_t *ret)
{
	size_t n = 0;

	for (size_t c = 0; c < CLASS_CNT; c++) {
		size_t at = n;

		if (sums[c].ns == 0 || sums[c].ns < rsp_tally_detail_ns(whole_ns))
			continue;
		for (; at > 0 && sums[ret[at - 1]].ns < sums[c].ns; at--)
			ret[at] = ret[at - 1];
		ret[at] = c;
		n++;
	}
	return n > RSP_FINDINGS_NAMES_MAX ? RSP_FINDINGS_NAMES_MAX : n;
}

int rsp_put_activities(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s)
{
	struct sum sums[CLASS_CNT] = {0};
	size_t order[CLASS_CNT] = {0}, cnt;
	int r = 0;

	for (size_t c = 0; c < CLASS_CNT && r == 0; c++)
		r = sum_make(e, s, &classes[c], &sums[c]);
	cnt = order_classes(sums, s->ns, order);
	for (size_t i = 0; i < cnt && r == 0; i++) {
		struct sum *sum = &sums[order[i]];
		const struct class *class = &classes[order[i]];

		fprintf(f, "%s%s",
			i == 0	      ? ""
			: i + 1 < cnt ? ", "
				      : " and ",
			rsp_category_words(class->speaks)->activity);
		if (cnt > 1 || sum->ns < rsp_tally_nearly_ns(s->ns)) {
			fputs(" for ", f);
			rsp_put_part(f, e, s, sum->ns);
		}
		if (put_sum(f, " (", class, sum, 1))
			fputc(')', f);
	}
	for (size_t c = 0; c < CLASS_CNT; c++)
		sum_done(&sums[c]);
	return r;
}

/* --- the plain findings ----------------------------------------------------------------------- */

static bool group_class(const struct rsp_explanation *e, const struct rsp_cover *t,
			struct rsp_subject *ret)
{
	if (rsp_class_is_wait(t) || rsp_words_of_leaf(t->leaf) == RSP_CAT_UNRECORDED)
		return false; /* rsp_findings_pauses() reports pauses */
	for (size_t c = 0; c < CLASS_CNT; c++) {
		if (!is_of(&classes[c], t->leaf))
			continue;
		*ret = RSP_SUBJECT(classes[c].kind);
		ret->note = t->is_idle ? "idle" : "";
		ret->row = &classes[c];
		return true;
	}
	return false;
}

static void put_idle(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s,
		     const struct sum *sum)
{
	__u64 ns = sum->ns;

	for (size_t i = 0; i < sum->subjects.cnt; i++)
		ns -= sum->subjects.v[i].ns;
	if (ns == 0 || ns < rsp_tally_detail_ns(sum->ns))
		return;
	fputs("; no recorded task used the CPU for ", f);
	rsp_put_part(f, e, s, ns);
	fputs(" of it", f);
}

/*
 * A disk with at least this percentage of the disk waits is named as the only one: a few pages may
 * come from another disk.
 */
#define MAIN_DISK_PERCENT 90

/*
 * Returns the disk that caused nearly all disk waits of the process; "" if its name is unknown,
 * NULL if there is no such disk.
 */
static const char *main_disk(const struct rsp_explanation *e)
{
	const struct rsp_io_row *most = NULL;
	__u64 all_ns = 0, its_ns = 0;

	for (size_t i = 0; i < e->survey.io.cnt; i++) {
		const struct rsp_io_row *row = &e->survey.io.v[i];

		all_ns += row->target_ns;
		if (row->target_ns > (most ? most->target_ns : 0))
			most = row;
	}
	for (size_t i = 0; most && i < e->survey.io.cnt; i++)
		if (strcmp(e->survey.io.v[i].disk, most->disk) == 0)
			its_ns += e->survey.io.v[i].target_ns;
	return most && its_ns >= all_ns / 100 * MAIN_DISK_PERCENT ? most->disk : NULL;
}

/* Writes nothing if the list of files and disks that follows begins with this disk. */
static void put_disk(FILE *f, const struct rsp_explanation *e, const struct sum *sum)
{
	const char *disk = main_disk(e);

	if (!disk || !*disk)
		return;
	if (sum->subjects.cnt && strcmp(sum->subjects.v[0].subject.name, disk) == 0)
		return;
	fputc(' ', f);
	rsp_put_name(f, disk);
}

static void put_spent(FILE *f, const struct rsp_explanation *e, const struct class *class,
		      const struct rsp_selection *s, bool many)
{
	const char *activity = rsp_category_words(class->speaks)->activity;
	const char *be = many ? "were" : "was";

	switch (class->speaks) {
	case RSP_CAT_IDLE:
		fprintf(f, " %s %s for ", be, activity);
		rsp_put_selected(f, e, s);
		return;
	case RSP_WORDS_OPEN_WAIT:
		fprintf(f, " %s %s, after ", be, activity);
		rsp_put_selected(f, e, s);
		return;
	}
	fputs(" spent ", f);
	rsp_put_selected(f, e, s);
	fprintf(f, " %s", activity);
}

static int write_class(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		       const struct rsp_selection *s)
{
	const struct class *class = group->row;
	_cleanup_(rsp_owners_done) struct rsp_owners owners = {0};
	_cleanup_(sum_done) struct sum sum = {0};

	if (sum_make(e, s, class, &sum) < 0 || rsp_owners_make(s, &owners) < 0)
		return -ENOMEM;
	rsp_put_waiters(f, e, &owners);
	put_spent(f, e, class, s, rsp_names_cnt(&owners.own) > 1);
	if (class->speaks == RSP_CAT_DISK_ACTIVE)
		put_disk(f, e, &sum);
	if (sum.queued_ns > 0 && sum.queued_ns >= rsp_tally_detail_ns(sum.ns)) {
		fputs(", ", f);
		rsp_put_part(f, e, s, sum.queued_ns);
		fputs(" of it in the queue", f);
	}
	rsp_put_through(f, &owners);
	put_sum(f, "; ", class, &sum, RSP_FINDINGS_NAMES_MAX);
	if (class->speaks == RSP_CAT_RUNQUEUE)
		put_idle(f, e, s, &sum);
	return 0;
}

const struct rsp_finding_kind rsp_finding_class = {.group = group_class, .write = write_class};
