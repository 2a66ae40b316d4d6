/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the evidence for a finding: the longest occurrences of its chains, with a short text for
 * each.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings.h"
#include "lib/report/report-frames.h"
#include "lib/report/report-words.h"

#define FRAMES_MAX 2
#define FRAME_COLS 40

static void put_frames(FILE *f, const struct rsp_hop *hop)
{
	const struct rsp_frame *frames[FRAMES_MAX];
	size_t cnt = rsp_frames_select(hop, frames, FRAMES_MAX);
	bool inferred = hop->kind == RSP_HOP_LEAF && rsp_hop_place_is_inferred(hop);
	char symbol[RSP_FORMAT_NAME_BYTES(FRAME_COLS)];

	for (size_t i = 0; i < cnt; i++)
		fprintf(f, "%s%s",
			i > 0	   ? " ← "
			: inferred ? " likely at "
				   : " at ",
			rsp_format_name(rsp_frame_text(frames[i]), FRAME_COLS, symbol,
					sizeof(symbol)));
}

static void put_state(FILE *f, const struct rsp_hop *hop)
{
	const struct rsp_words *words = rsp_category_words(rsp_words_of_leaf(hop));
	bool blocked = hop->kind == RSP_HOP_BLOCKED;

	fprintf(f, " %s", blocked ? "blocked" : words->activity);
	if (*hop->syscall)
		fprintf(f, " in %s", hop->syscall);
	if (*hop->object && strcmp(hop->object, hop->syscall) != 0) {
		fputs(blocked ? " on " : words->object, f);
		rsp_put_name(f, hop->object);
	}
}

static int describe(const struct rsp_hop *hop, char **ret)
{
	size_t len;
	FILE *f = open_memstream(ret, &len);

	if (!f)
		return -ENOMEM;
	rsp_put_name(f, hop->comm);
	rsp_put_ids(f, hop);
	put_state(f, hop);
	put_frames(f, hop);
	if (fclose(f) == 0)
		return 0;
	free(*ret);
	return -ENOMEM;
}

int rsp_findings_add_seen(struct rsp_finding *finding, __u64 at_ns, __u64 ns,
			  const struct rsp_hop *hop)
{
	char *text;

	if (describe(hop, &text) < 0)
		return -ENOMEM;
	finding->evidence[finding->evidence_cnt++] = (struct rsp_evidence){
		.at_ns = at_ns, .ns = ns, .hop = hop, .text = text};
	return 0;
}

/* Computing with and without samples is the same activity. */
static int activity_of(const struct rsp_hop *leaf)
{
	int words = rsp_words_of_leaf(leaf);

	return words == RSP_CAT_RUNNING_UNSAMPLED ? RSP_CAT_RUNNING_SAMPLED : words;
}

/*
 * Returns the activity with the most time, with which the finding's sentence begins. Evidence must
 * show this activity.
 */
static int main_activity(const struct rsp_selection *s)
{
	__u64 ns[RSP_WORDS_MAX] = {0};
	int most = 0;

	for (size_t i = 0; i < s->cnt; i++)
		ns[activity_of(s->v[i].cover->leaf)] += s->v[i].ns;
	for (int activity = 1; activity < RSP_WORDS_MAX; activity++)
		most = ns[activity] > ns[most] ? activity : most;
	return most;
}

/* Returns the number of chains in ret, at most RSP_EVIDENCE_MAX. */
static size_t longest(const struct rsp_selection *s, const struct rsp_cover **ret)
{
	int activity = main_activity(s);
	size_t cnt = 0;

	for (size_t i = 0; i < s->cnt; i++) {
		const struct rsp_cover *t = s->v[i].cover;
		size_t at = cnt;

		if (t->chain->longest.ns == 0 || activity_of(t->leaf) != activity)
			continue;
		while (at > 0 && ret[at - 1]->chain->longest.ns < t->chain->longest.ns)
			at--;
		if (at == RSP_EVIDENCE_MAX)
			continue;
		cnt += cnt < RSP_EVIDENCE_MAX;
		memmove(&ret[at + 1], &ret[at], (cnt - 1 - at) * sizeof(ret[0]));
		ret[at] = t;
	}
	return cnt;
}

int rsp_findings_add_evidence(const struct rsp_findings_maker *m,
			      const struct rsp_finding_kind *kind, const struct rsp_selection *s,
			      struct rsp_finding *finding)
{
	const struct rsp_cover *v[RSP_EVIDENCE_MAX];
	size_t cnt = longest(s, v);
	int r = 0;

	for (size_t i = 0; i < cnt && r == 0; i++) {
		const struct rsp_hop *hop = kind->hop ? kind->hop(m->e, v[i]) : v[i]->leaf;

		r = rsp_findings_add_seen(finding, v[i]->chain->longest.from_ns,
					  v[i]->chain->longest.ns, hop);
	}
	return r;
}
