/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words for categories in reports and findings. */
#ifndef RSP_LIB_REPORT_WORDS_H
#define RSP_LIB_REPORT_WORDS_H

#include "lib/model/explain/explain.h"

struct rsp_words {
	const char *name;     /* title of the row in the table of categories */
	const char *activity; /* text after "was" or "spent 3 s", like "waiting for the disk" */
	const char *label;  /* label for a list of objects, like "taken by"; "": has no such list */
	const char *object; /* text between the activity and one object, like ", taken by " */
	const char *colour; /* SGR parameters */
	const char *mark;   /* " (inferred)" or " (unknown)"; "": the category is measured */
};

/* Some categories contain two kinds of time, for which reports use different words. */
enum {
	RSP_WORDS_OPEN_WAIT = RSP_CAT_MAX,
	RSP_WORDS_THROTTLED,
	RSP_WORDS_FROZEN,
	RSP_WORDS_IO_LIMIT,
	RSP_WORDS_SLOWED,
	RSP_WORDS_UNSEEN_TIMEOUT,
	RSP_WORDS_CUT_WAIT,
	RSP_WORDS_MAX,
};

/* Returns the words for cat: an enum rsp_category or one of the values above. */
const struct rsp_words *rsp_category_words(int cat);
/* Returns the category or RSP_WORDS_* value whose words describe the last hop of a chain. */
int rsp_words_of_leaf(const struct rsp_hop *leaf);

/*
 * Returns whether the hop's stack is inferred, that is, comes from another event. If only the end
 * of a wait is inferred, the stack is the hop's own, and the function returns false.
 */
bool rsp_hop_place_is_inferred(const struct rsp_hop *hop);

/*
 * If a task computes for this time or longer without a sample, the report says that samples are
 * missing.
 */
#define RSP_UNSAMPLED_MIN_NS 20000000ULL

#endif
