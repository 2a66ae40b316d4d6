/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the parts of the sentences of findings. Names from the snapshot are not trusted: they are
 * cleaned and shortened.
 */
#ifndef RSP_LIB_FINDINGS_WORDS_H
#define RSP_LIB_FINDINGS_WORDS_H

#include <stdio.h>

#include "lib/report/findings-cover.h"
#include "lib/report/findings-tally.h"
#include "lib/report/report-put.h"

/* maximum number of subjects or activities that a sentence lists */
#define RSP_FINDINGS_NAMES_MAX 3

/* Writes " [1240]", or " [12/15]" if the thread is not the first one of its process. */
void rsp_put_ids(FILE *f, const struct rsp_hop *hop);
/* Writes an elapsed time, like "3.41 s (92 % of 3.71 s)". */
void rsp_put_share(FILE *f, const struct rsp_explanation *e, __u64 ns);
/*
 * Writes the elapsed time of the selected chains, like "at least 1.80 s (61 % of 3.00 s) in 4
 * threads".
 */
void rsp_put_selected(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s);

/*
 * Writes a part of the selected time, like "30.0 ms", or like "40 %" if the selection needs shares
 * (findings-cover.h).
 */
void rsp_put_part(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s,
		  __u64 ns);

/*
 * Writes the names of a tally, like "cc1", "cc1 and as" or "cc1, as and 3 others". The tally must
 * have rows. Omits names with less than a tenth of the first name's time.
 */
void rsp_put_names(FILE *f, const struct rsp_tally *t);
/* Returns the number of names that rsp_put_names() writes or counts as others. */
size_t rsp_names_cnt(const struct rsp_tally *t);
/*
 * Writes joint and label, then at most max rows of t with their times, like "on: /a 2.10 s, /b 900
 * ms", or "by: cc1" if one row has nearly all of the time. t: a part of the time whole_ns. If t or
 * its heaviest row is too small to be mentioned, writes nothing and returns false.
 */
bool rsp_put_subjects(FILE *f, const char *joint, const char *label, const struct rsp_tally *t,
		      __u64 whole_ns, size_t max);
/*
 * Writes joint, then the functions of t with standard errors: "312 samples: deflate 61 % ± 3 %,
 * adler32 20 % ± 2 %". t: a part of the computing time whole_ns. If there is no sample, and
 * whole_ns is too short to expect one, writes nothing and returns false.
 */
bool rsp_put_functions(FILE *f, const char *joint, const struct rsp_tally *t, __u64 sample_cnt,
		       __u64 whole_ns, size_t max);

/*
 * The tasks at the ends of the selected chains: threads of the process of interest, and other
 * tasks.
 */
struct rsp_owners {
	struct rsp_tally own, others;
};

int rsp_owners_make(const struct rsp_selection *s, struct rsp_owners *ret); /* -ENOMEM */
void rsp_owners_done(struct rsp_owners *o);
/*
 * Writes the subject of a sentence: the process, like "fsync-writer", or its threads, like "lock-1,
 * lock-2 and 3 others".
 */
void rsp_put_waiters(FILE *f, const struct rsp_explanation *e, const struct rsp_owners *owners);
/*
 * Writes owners->others, like ", in part through kworker". Writes nothing if they have little of
 * the time.
 */
void rsp_put_through(FILE *f, const struct rsp_owners *owners);

#endif
