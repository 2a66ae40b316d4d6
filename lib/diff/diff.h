/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings of two sides, before and after -> what changed for the process of interest, and which
 * of the changes are more than chance. docs/diff.md describes the method.
 *
 * A side with several recordings varies from recording to recording, and each recording is a unit
 * of the test. With fewer recordings than the test needs, each recording is cut into blocks of
 * equal length, and the blocks are the units: the test then knows nothing of how recordings vary.
 */
#ifndef RSP_LIB_DIFF_H
#define RSP_LIB_DIFF_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/trace/trace.h"
#include "permute.h"
#include "lib/profile/profile.h"

#define RSP_DIFF_RECORDINGS_MAX 16 /* with blocks, the test has no more units than it can hold */

/* What figures are about. */
enum rsp_diff_basis {
	RSP_DIFF_PER_ANY, /* chosen by what the recordings contain */
	RSP_DIFF_PER_RUN, /* a command from start to end */
	RSP_DIFF_PER_SECOND,
	RSP_DIFF_PER_REQUEST, /* that the process answered */
};

enum rsp_diff_table {
	RSP_DIFF_SUM,
	RSP_DIFF_CATEGORY,
	RSP_DIFF_CAUSE, /* the ends of chains: whom or what the time went to */
	RSP_DIFF_CHAIN,
	RSP_DIFF_ONCPU_SELF,
	RSP_DIFF_ONCPU_TOTAL,
	RSP_DIFF_OFFCPU_SELF,
	RSP_DIFF_OFFCPU_TOTAL,
	RSP_DIFF_REQUEST,
	RSP_DIFF_TABLE_CNT,
};

struct rsp_diff_row {
	enum rsp_diff_table table;
	int category;	    /* CATEGORY, CAUSE: both kinds of running are one; else -1 */
	char *name;	    /* as the side that has more of it calls it */
	double name_weight; /* internal */
	double *values;	    /* of each unit */
	size_t value_cnt;   /* internal: units that have one */
	bool is_machine;    /* waits for CPUs that other programs had */
	bool is_rate;	    /* a number per second, not a time */
	bool is_each;	    /* a duration that does not depend on the basis: a latency */
	double mean[2];	    /* nanoseconds for each of the basis, or a number per second */
	int rank;	    /* enum rsp_frame_rank of a function */
	bool is_tested;	    /* if not, margin, p and is_significant mean nothing */
	double margin;	    /* a difference beyond it is significant */
	double p;	    /* of no difference; adjusted for the number of rows */
	bool is_significant;
	bool is_separate; /* each recording of a side has more of it than each of the other */
};

struct rsp_diff_recording {
	const char *name; /* borrowed */
	int side;
	char comm[RSP_TASK_COMM_LEN];
	__u32 pid;
	__u64 clock_ns, span_ns, request_cnt, lost_cnt;
	bool is_run;
	bool is_lossy;
};

/* A part of a recording, from its beginning on. to_ns 0: its end. */
struct rsp_diff_part {
	__u64 from_ns, to_ns;
};

struct rsp_diff_options {
	__u32 pid;	  /* process of interest; 0: that of each recording */
	const char *comm; /* the process of that name that ran most; NULL: as above */
	enum rsp_diff_basis basis;
	bool profiles; /* keeps profiles of that kind: diff-profile.h */
	enum rsp_profile_kind kind;
	bool json, pretty, colour;
	unsigned int width; /* of the terminal; 0: do not break lines */
	size_t row_max;	    /* of each table; 0: as fits */
};

struct rsp_diff;

/* recording_cnt: of each side, at least one. 0; -E2BIG; -ENOMEM. */
int rsp_diff_new(const struct rsp_diff_options *opt, const size_t recording_cnt[static 2],
		 struct rsp_diff **ret);
struct rsp_diff *rsp_diff_free(struct rsp_diff *d);
/*
 * Adds a recording to a side (0, 1), or part of it. Changes the META of the snapshot. name must
 * outlive d. 0; -ESRCH: the process of interest does not occur; -ERANGE: it has no such part;
 * -ENOMEM.
 */
int rsp_diff_add(struct rsp_diff *d, int side, struct rsp_snapshot *snap,
		 const struct rsp_diff_part *part, const char *name);
/* Once all are added: compares the sides. 0 or -ENOMEM. */
int rsp_diff_compare(struct rsp_diff *d);

/* Writes the report. 0, -ENOMEM or -errno of the stream. */
int rsp_diff_report(const struct rsp_diff *d, FILE *out);
/* Whether records are missing from a recording. */
bool rsp_diff_is_lossy(const struct rsp_diff *d);

#endif
