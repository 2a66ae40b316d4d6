/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up time by subject, for example by program, file, function or peer. */
#ifndef RSP_LIB_FINDINGS_TALLY_H
#define RSP_LIB_FINDINGS_TALLY_H

#include "lib/model/explain/explain.h"

/* The subject of a part of the time. All pointers are static or belong to the explanation. */
struct rsp_subject {
	const char *name;   /* NULL: the subject is unknown */
	const char *note;   /* distinguishes equal names; never NULL */
	const char *object; /* second part of the name, like a file; "": none */
	const void *row;    /* data about the subject, such as a row of the survey; NULL: none */
	bool is_unanswered; /* object names a peer that did not answer */
	const char *place;  /* function of a wait for an object without a name; NULL: none */
};
#define RSP_SUBJECT(...) ((struct rsp_subject){__VA_ARGS__, "", "", NULL, false, NULL})

struct rsp_tally_row {
	struct rsp_subject subject;
	__u64 ns;
};

struct rsp_tally {
	struct rsp_tally_row *v;
	size_t cnt, cap;
	__u64 ns;	   /* sum of all rows, plus time with an unknown subject */
	bool needs_shares; /* times are not durations (rsp_selection_needs_shares()) */
};

void rsp_tally_done(struct rsp_tally *t);
int rsp_tally_add(struct rsp_tally *t, struct rsp_subject subject, __u64 ns); /* -ENOMEM */
/* Merges rows with equal subjects. Sorts rows, heaviest first. */
void rsp_tally_finish(struct rsp_tally *t);
/* Returns the first subject of a finished tally if it has nearly all of the time, or else NULL. */
const struct rsp_subject *rsp_tally_sole(const struct rsp_tally *t);

int rsp_subject_compare(const struct rsp_subject *a, const struct rsp_subject *b);
/*
 * Returns the subject of the time at the last hop of a chain: the function of a sampled run, the
 * place of a sleep or timeout, or the object of another wait.
 */
struct rsp_subject rsp_subject_of_leaf(const struct rsp_hop *leaf);

/*
 * Limits for details of a sentence about a time of ns. A detail of less than rsp_tally_detail_ns()
 * is left out. A detail of at least rsp_tally_nearly_ns() counts as all of ns.
 */
__u64 rsp_tally_detail_ns(__u64 ns);
__u64 rsp_tally_nearly_ns(__u64 ns);

#endif
