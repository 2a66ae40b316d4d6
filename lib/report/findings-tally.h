/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up time by subject: a program, a file, a function or a peer. */
#ifndef RSP_LIB_FINDINGS_TALLY_H
#define RSP_LIB_FINDINGS_TALLY_H

#include "lib/model/explain/explain.h"

/* All pointers are static or borrowed from the explanation. */
struct rsp_subject {
	const char *name;   /* NULL: unknown; "": a program may have an empty name */
	const char *note;   /* text to write after the name; never NULL */
	const char *object; /* the object of the call that name contains; "": none */
	const void *row;    /* the row of the explanation that it represents; NULL: none */
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
	__u64 ns;	  /* sum of all rows and of time with an unknown subject */
	bool is_parallel; /* sums over several threads: report rows as shares, not as durations */
};

void rsp_tally_done(struct rsp_tally *t);
int rsp_tally_add(struct rsp_tally *t, struct rsp_subject subject, __u64 ns); /* -ENOMEM */
/* Merges the rows of equal subjects and sorts rows, heaviest first. */
void rsp_tally_finish(struct rsp_tally *t);
/* Returns the subject of (nearly) all time of a finished tally, or NULL. */
const struct rsp_subject *rsp_tally_sole(const struct rsp_tally *t);

int rsp_subject_compare(const struct rsp_subject *a, const struct rsp_subject *b);
/*
 * Returns the subject of the time at a chain's end. For sampled running it is the function. For
 * sleeps, timeouts, waits in the kernel, and waits that the span cuts off, it is the function or
 * system call, with its object. For other waits it is the disk, the peer, or the task that had the
 * CPU.
 */
struct rsp_subject rsp_subject_of_leaf(const struct rsp_hop *leaf);

/*
 * A sentence about ns omits details of less than rsp_tally_detail_ns(). A detail of at least
 * rsp_tally_nearly_ns() counts as all of ns.
 */
__u64 rsp_tally_detail_ns(__u64 ns);
__u64 rsp_tally_nearly_ns(__u64 ns);

#endif
