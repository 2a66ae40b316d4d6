/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up time by subject: a program, a file, a function or a peer. */
#ifndef RSP_LIB_FINDINGS_TALLY_H
#define RSP_LIB_FINDINGS_TALLY_H

#include "lib/model/explain/explain.h"

/* All pointers are static or borrowed from the explanation. */
struct rsp_subject {
	const char *name;   /* NULL: unknown; "": the program has an empty name */
	const char *note;   /* text to write after the name; never NULL */
	const char *object; /* the object of the call, which is part of name; "": none */
	const void *row;    /* the row of the explanation that belongs to it; NULL: none */
	bool is_unanswered; /* object is a peer that did not answer */
};
#define RSP_SUBJECT(...) ((struct rsp_subject){__VA_ARGS__, "", "", NULL, false})

struct rsp_tally_row {
	struct rsp_subject subject;
	__u64 ns;
};

struct rsp_tally {
	struct rsp_tally_row *v;
	size_t cnt, cap;
	__u64 ns;	  /* sum of all rows, plus time whose subject is unknown */
	bool is_parallel; /* sums are over several threads: print shares, not durations */
};

void rsp_tally_done(struct rsp_tally *t);
int rsp_tally_add(struct rsp_tally *t, struct rsp_subject subject, __u64 ns); /* -ENOMEM */
/* Merges rows with equal subjects. Sorts rows, heaviest first. */
void rsp_tally_finish(struct rsp_tally *t);
/* Returns the subject of a finished tally if it has nearly all time, or else NULL. */
const struct rsp_subject *rsp_tally_sole(const struct rsp_tally *t);

int rsp_subject_compare(const struct rsp_subject *a, const struct rsp_subject *b);
/*
 * Returns the subject of the time at a chain's end. For sampled running, this is the function. For
 * sleeps, timeouts, waits in the kernel, and waits that the span cuts off, it is the function or
 * system call, with its object. For other waits, it is the disk, the peer, or the task that had the
 * CPU.
 */
struct rsp_subject rsp_subject_of_leaf(const struct rsp_hop *leaf);

/*
 * Limits for details of a sentence about ns. The sentence omits a detail of less than
 * rsp_tally_detail_ns(). A detail of at least rsp_tally_nearly_ns() counts as all of ns.
 */
__u64 rsp_tally_detail_ns(__u64 ns);
__u64 rsp_tally_nearly_ns(__u64 ns);

#endif
