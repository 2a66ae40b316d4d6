/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the names of chains and of causes (the ends of chains), and the keys by which the
 * comparison finds the same chain or cause in another recording. In a key, "#" replaces each number
 * in the name of a task or an object, because such numbers differ between recordings.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/format.h"
#include "lib/base/text.h"
#include "lib/diff/diff-parts.h"
#include "lib/report/findings-tally.h"
#include "lib/report/report-frames.h"
#include "lib/report/report-words.h"

int rsp_diff_category(enum rsp_category cat)
{
	return cat == RSP_CAT_RUNNING_UNSAMPLED ? RSP_CAT_RUNNING_SAMPLED : (int)cat;
}

bool rsp_diff_is_idle_or_unknown(int category)
{
	switch (category) {
	case RSP_CAT_IDLE:
	case RSP_CAT_LOST:
	case RSP_CAT_UNRECORDED:
	case RSP_CAT_EDGE:
	case RSP_CAT_UNACCOUNTED:
		return true;
	default:
		return false;
	}
}

static bool waits_for_cpu(const struct rsp_hop *leaf)
{
	return leaf->category == RSP_CAT_RUNQUEUE || leaf->category == RSP_CAT_PREEMPTED;
}

bool rsp_diff_is_machine(const struct rsp_chain *chain)
{
	const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];

	return waits_for_cpu(leaf) && !(leaf->flags & RSP_HOP_THROTTLED) &&
	       strcmp(leaf->object, leaf->comm) != 0;
}

static const char *skip_number(const char *name)
{
	if (name[0] == '0' && name[1] == 'x') {
		name += 2;
		while (isxdigit((unsigned char)*name))
			name++;
	}
	while (isdigit((unsigned char)*name))
		name++;
	return name;
}

static void put_name(FILE *f, const char *name, bool key)
{
	while (*name) {
		bool is_number = key && isdigit((unsigned char)*name);

		fputc(is_number ? '#' : *name, f);
		name = is_number ? skip_number(name) : name + 1;
	}
}

char *rsp_diff_key_of(const char *name)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	put_name(f, name, true);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

static const struct rsp_words *words_of(const struct rsp_hop *leaf)
{
	int words = rsp_words_of_leaf(leaf);

	return rsp_category_words(words == RSP_CAT_RUNNING_UNSAMPLED ? RSP_CAT_RUNNING_SAMPLED
								     : words);
}

static bool computes(const struct rsp_hop *leaf)
{
	return rsp_diff_category(leaf->category) == RSP_CAT_RUNNING_SAMPLED;
}

static bool has_place(const struct rsp_hop *leaf)
{
	switch (leaf->category) {
	case RSP_CAT_KERNEL:
	case RSP_CAT_SLEEP:
	case RSP_CAT_TIMEOUT:
	case RSP_CAT_EDGE:
		return true;
	default:
		return computes(leaf);
	}
}

static void put_activity(FILE *f, const struct rsp_hop *leaf)
{
	fputs(words_of(leaf)->activity, f);
	if (leaf->why)
		fprintf(f, " (%s)", rsp_why_text(leaf->why));
}

static void put_activity_or_key(FILE *f, const struct rsp_hop *leaf, bool key)
{
	struct rsp_subject subject = rsp_subject_of_leaf(leaf);

	put_activity(f, leaf);
	if (!subject.name)
		return;
	fputs(has_place(leaf) ? " in " : words_of(leaf)->object, f);
	put_name(f, subject.name, key && !has_place(leaf));
	fputs(subject.note, f);
	if (*subject.object) {
		fputs(subject.is_unanswered ? " without an answer from " : " on ", f);
		put_name(f, subject.object, key);
	}
}

static bool is_other(const struct rsp_chain *chain, const struct rsp_hop *hop)
{
	const struct rsp_hop *root = &chain->hops[0];

	return hop->tgid != root->tgid || strcmp(hop->comm, root->comm) != 0;
}

static char *text_of(void (*fn)(FILE *f, const struct rsp_chain *chain, bool key),
		     const struct rsp_chain *chain, bool key)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	fn(f, chain, key);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	rsp_text_clean(text);
	return text;
}

static const struct rsp_hop *leaf_of(const struct rsp_chain *chain)
{
	return &chain->hops[chain->hop_cnt - 1];
}

static void put_role(FILE *f, const struct rsp_chain *chain, bool key)
{
	if (!is_other(chain, leaf_of(chain)))
		return;
	fputs("waiting for ", f);
	put_name(f, leaf_of(chain)->comm, key);
	fputs(", which was ", f);
}

static void put_cause(FILE *f, const struct rsp_chain *chain, bool key)
{
	put_role(f, chain, key);
	put_activity_or_key(f, leaf_of(chain), key);
}

static void put_pool(FILE *f, const struct rsp_chain *chain, bool key)
{
	put_role(f, chain, key);
	put_activity(f, leaf_of(chain));
}

char *rsp_diff_cause_name(const struct rsp_chain *chain, bool key)
{
	return text_of(put_cause, chain, key);
}

char *rsp_diff_pool_name(const struct rsp_chain *chain, bool key)
{
	return text_of(put_pool, chain, key);
}

bool rsp_diff_is_computing(const struct rsp_chain *chain)
{
	return computes(leaf_of(chain));
}

bool rsp_diff_has_function(const struct rsp_chain *chain)
{
	return rsp_subject_of_leaf(leaf_of(chain)).name != NULL;
}

static void put_blocked(FILE *f, const struct rsp_hop *hop, bool key)
{
	const struct rsp_frame *frame;

	fputs(" blocked", f);
	if (*hop->syscall)
		fprintf(f, " in %s", hop->syscall);
	if (rsp_frames_select(hop, &frame, 1) && rsp_frame_has_name(frame))
		fprintf(f, " at %s", frame->symbol);
	if (*hop->object && strcmp(hop->object, hop->syscall) != 0) {
		fputs(" on ", f);
		put_name(f, hop->object, key);
	}
}

static void put_chain(FILE *f, const struct rsp_chain *chain, bool key)
{
	for (size_t i = 0; i < chain->hop_cnt; i++) {
		const struct rsp_hop *hop = &chain->hops[i];

		fputs(i > 0 ? " → " : "", f);
		put_name(f, hop->comm, key);
		if (hop->kind == RSP_HOP_BLOCKED) {
			put_blocked(f, hop, key);
			continue;
		}
		fputc(' ', f);
		if (computes(hop))
			fputs(words_of(hop)->activity, f);
		else
			put_activity_or_key(f, hop, key);
	}
}

char *rsp_diff_chain_name(const struct rsp_chain *chain, bool key)
{
	return text_of(put_chain, chain, key);
}
