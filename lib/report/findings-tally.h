/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time added up by what it is about: a program, a file, a function, a peer. */
#ifndef RSP_LIB_FINDINGS_TALLY_H
#define RSP_LIB_FINDINGS_TALLY_H

#include "lib/model/explain.h"

/* All borrowed from the explanation, or static. */
struct rsp_subject {
	const char *name;   /* NULL: unknown; "" is what a program may call itself */
	const char *note;   /* to stand behind it; never NULL */
	const char *object; /* that the call called name was on; "": none */
	const void *row;    /* of the explanation's that it stands for; NULL: none */
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
	__u64 ns;	  /* of all rows, and of what is unknown */
	bool is_parallel; /* of several threads: rows are told as shares, not as durations */
};

void rsp_tally_done(struct rsp_tally *t);
int rsp_tally_add(struct rsp_tally *t, struct rsp_subject subject, __u64 ns); /* -ENOMEM */
/* One row for each subject, the heaviest first. */
void rsp_tally_settle(struct rsp_tally *t);
/* Of a settled tally: the subject of (nearly) all of its time, or NULL. */
const struct rsp_subject *rsp_tally_sole(const struct rsp_tally *t);

int rsp_subject_compare(const struct rsp_subject *a, const struct rsp_subject *b);
/*
 * What the time at a chain's end went to: the function if samples tell of its running; where it
 * waited when that was its own will or the kernel's; else a disk, a peer, who had the CPU.
 */
struct rsp_subject rsp_subject_of_leaf(const struct rsp_hop *leaf);

/* Inside a sentence: how much of its time something must be to be told; from where on all the rest
 * need not be told. */
__u64 rsp_tally_detail_ns(__u64 ns);
__u64 rsp_tally_nearly_ns(__u64 ns);

#endif
