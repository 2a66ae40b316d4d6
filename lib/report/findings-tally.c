/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See findings-tally.h. */
#include "lib/report/findings-tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/report/report-frames.h"

#define DETAIL_MIN_DIVISOR 10

void rsp_tally_done(struct rsp_tally *t)
{
	free(t->v);
	*t = (struct rsp_tally){0};
}

int rsp_tally_add(struct rsp_tally *t, struct rsp_subject subject, __u64 ns)
{
	struct rsp_tally_row *row;

	if (subject.name) {
		row = rsp_array_add(t);
		if (!row)
			return -ENOMEM;
		*row = (struct rsp_tally_row){subject, ns};
	}
	t->ns += ns;
	return 0;
}

int rsp_subject_compare(const struct rsp_subject *a, const struct rsp_subject *b)
{
	int order = strcmp(a->name, b->name);

	order = order ? order : strcmp(a->note, b->note);
	order = order ? order : strcmp(a->object, b->object);
	order = order ? order : a->is_unanswered - b->is_unanswered;
	order = order ? order : strcmp(a->place ? a->place : "", b->place ? b->place : "");
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

static int compare_subjects(const void *a, const void *b)
{
	return rsp_subject_compare(&((const struct rsp_tally_row *)a)->subject,
				   &((const struct rsp_tally_row *)b)->subject);
}

static int compare_ns(const void *a, const void *b)
{
	const struct rsp_tally_row *x = a, *y = b;

	return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : compare_subjects(a, b);
}

void rsp_tally_finish(struct rsp_tally *t)
{
	size_t cnt = 0;

	if (t->cnt == 0)
		return;
	qsort(t->v, t->cnt, sizeof(*t->v), compare_subjects);
	for (size_t i = 0; i < t->cnt; i++) {
		if (cnt > 0 && compare_subjects(&t->v[cnt - 1], &t->v[i]) == 0)
			t->v[cnt - 1].ns += t->v[i].ns;
		else
			t->v[cnt++] = t->v[i];
	}
	t->cnt = cnt;
	qsort(t->v, t->cnt, sizeof(*t->v), compare_ns);
}

__u64 rsp_tally_detail_ns(__u64 ns)
{
	return ns / DETAIL_MIN_DIVISOR;
}

__u64 rsp_tally_nearly_ns(__u64 ns)
{
	return ns - ns / DETAIL_MIN_DIVISOR;
}

const struct rsp_subject *rsp_tally_sole(const struct rsp_tally *t)
{
	if (t->cnt == 0 || t->v[0].ns < rsp_tally_nearly_ns(t->ns))
		return NULL;
	return &t->v[0].subject;
}

/* --- subjects --------------------------------------------------------------------------------- */

static struct rsp_subject name_or_nothing(const char *name)
{
	return RSP_SUBJECT(*name ? name : NULL);
}

/*
 * Returns whether the object says nothing to a reader: an anonymous file ("[eventpoll]"), the
 * address of a futex, or the name of the system call.
 */
static bool is_anonymous(const struct rsp_hop *leaf)
{
	return *leaf->object == '[' || strncmp(leaf->object, "futex", strlen("futex")) == 0 ||
	       strcmp(leaf->object, leaf->syscall) == 0;
}

/* Returns whether the object is one of many without a name. */
static bool has_no_name(const struct rsp_hop *leaf)
{
	return strcmp(leaf->object, "pipe") == 0 || strcmp(leaf->object, "unix socket") == 0;
}

static struct rsp_subject function_or_call(const struct rsp_hop *leaf)
{
	const struct rsp_frame *frame;

	if (rsp_frames_select(leaf, &frame, 1) && rsp_frame_has_name(frame))
		return RSP_SUBJECT(frame->symbol);
	return name_or_nothing(leaf->syscall);
}

static struct rsp_subject place_of(const struct rsp_hop *leaf)
{
	struct rsp_subject place = function_or_call(leaf);
	bool has_function;

	if (!*leaf->object || is_anonymous(leaf))
		return place;
	if (leaf->why == RSP_WHY_UNANSWERED && place.name) {
		place.object = leaf->object;
		place.is_unanswered = true;
		return place;
	}
	if (!*leaf->syscall)
		return RSP_SUBJECT(leaf->object);
	has_function = place.name != leaf->syscall;
	return (struct rsp_subject){.name = leaf->syscall,
				    .note = "",
				    .object = leaf->object,
				    .place = has_function && has_no_name(leaf) ? place.name : NULL};
}

/* If the run has no stack, the name is NULL. */
static struct rsp_subject function_of(const struct rsp_hop *leaf)
{
	const struct rsp_frame *frame;

	if (!rsp_frames_select(leaf, &frame, 1))
		return RSP_SUBJECT(NULL);
	if (rsp_frame_is_unnamed_code(frame))
		return RSP_SUBJECT(rsp_frame_text(frame));
	if (!rsp_frame_has_name(frame))
		return (struct rsp_subject){frame->module, " (no symbols)", "", NULL, false};
	return RSP_SUBJECT(frame->symbol);
}

struct rsp_subject rsp_subject_of_leaf(const struct rsp_hop *leaf)
{
	switch (leaf->category) {
	case RSP_CAT_RUNNING_SAMPLED:
	case RSP_CAT_RUNNING_UNSAMPLED:
		return rsp_hop_is_sampled(leaf) ? function_of(leaf) : RSP_SUBJECT(NULL);
	case RSP_CAT_KERNEL:
	case RSP_CAT_SLEEP:
	case RSP_CAT_TIMEOUT:
	case RSP_CAT_EDGE:
		return place_of(leaf);
	default:
		return name_or_nothing(leaf->object);
	}
}
