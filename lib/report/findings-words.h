/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that sentences of findings are made of. Foreign names are cleaned and cut to size. */
#ifndef RSP_LIB_FINDINGS_WORDS_H
#define RSP_LIB_FINDINGS_WORDS_H

#include <stdio.h>

#include "lib/report/findings-cover.h"
#include "lib/report/findings-tally.h"
#include "lib/report/report-put.h"

#define RSP_FINDINGS_NAMES_MAX 3 /* in one list */

/* Writes " [1240]", or " [12/15]" if the thread is not the first one of its process. */
void rsp_put_ids(FILE *f, const struct rsp_hop *hop);
/* Prints a time by the clock: "3.41 s (92 % of 3.71 s)". */
void rsp_put_share(FILE *f, const struct rsp_explanation *e, __u64 ns);
/* Writes how long the selected chains took: "at least 1.80 s (61 % of 3.00 s) in 4 threads". */
void rsp_put_selected(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s);

/* Writes a part of the selection: "30.0 ms", or "40 %" if it is a sum over threads. */
void rsp_put_part(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s,
		  __u64 ns);

/*
 * "cc1", "cc1 and as", "cc1, as and 3 others": the tally has rows. Rows with almost no time are
 * left out.
 */
void rsp_put_names(FILE *f, const struct rsp_tally *t);
size_t rsp_names_cnt(const struct rsp_tally *t); /* the number of rows whose names are written */
/*
 * Writes joint, then the rows of t with their times: "on: /a 2.10 s, /b 900 ms"; "by: cc1" if one
 * row has (nearly) all. whole_ns: the time of which t contains a part. If the heaviest row is only
 * a small part of it, writes nothing and returns false.
 */
bool rsp_put_subjects(FILE *f, const char *joint, const char *label, const struct rsp_tally *t,
		      __u64 whole_ns, size_t max);
/*
 * Writes joint, then the functions of t: "312 samples: deflate 61 % ± 3 %, adler32 20 % ± 2 %", "40
 * samples for 410 ms of it: …", "too few samples (2) to name a function", "not sampled". The errors
 * are standard errors. whole_ns: the computing time of which t contains a part. If there is no
 * sample, and that time is too short to expect one, writes nothing and returns false.
 */
bool rsp_put_functions(FILE *f, const char *joint, const struct rsp_tally *t, __u64 sample_cnt,
		       __u64 whole_ns, size_t max);

/* The tasks whose time is at the end of the chains: the process's own threads, or other tasks. */
struct rsp_owners {
	struct rsp_tally own, others;
};

int rsp_owners_make(const struct rsp_selection *s, struct rsp_owners *ret); /* -ENOMEM */
void rsp_owners_done(struct rsp_owners *o);
/*
 * Writes the subject of the sentence: "fsync-writer", or "lock-1, lock-2 and 3 others" for threads.
 */
void rsp_put_waiters(FILE *f, const struct rsp_explanation *e, const struct rsp_owners *owners);
/* ", in part through kworker" */
void rsp_put_through(FILE *f, const struct rsp_owners *owners);

#endif
