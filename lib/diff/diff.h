/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares recordings of two sides, before and after. Finds the changes of the process of interest
 * that chance does not explain. docs/diff.md describes the method. Each recording is a unit of the
 * test, so the test takes the variation between recordings into account. If there are fewer
 * recordings than the test needs, each recording is cut into blocks of equal length, and the blocks
 * are the units. The test then ignores the variation between recordings.
 */
#ifndef RSP_LIB_DIFF_H
#define RSP_LIB_DIFF_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/diff/permute.h"
#include "lib/profile/profile.h"
#include "lib/trace/trace.h"

#define RSP_DIFF_RECORDINGS_MAX 16 /* per side; both sides fit into RSP_PERMUTE_UNITS_MAX */

/* The quantity by which figures are divided. */
enum rsp_diff_basis {
	RSP_DIFF_PER_ANY, /* the contents of the recordings decide */
	RSP_DIFF_PER_RUN, /* a command from start to end */
	RSP_DIFF_PER_SECOND,
	RSP_DIFF_PER_REQUEST, /* requests that the process answered */
};

enum rsp_diff_table {
	RSP_DIFF_SUM,
	RSP_DIFF_CATEGORY,
	RSP_DIFF_CAUSE, /* ends of chains */
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
	int category;	    /* see rsp_diff_category(); -1: no category */
	char *name;	    /* the name in the unit with the largest figure */
	double name_weight; /* internal: that figure */
	double *values;	    /* one value per unit */
	size_t value_cnt;   /* internal: number of units with a value above 0 */
	bool is_machine;    /* waits for CPUs; CAUSE, CHAIN: while other programs had the CPUs */
	bool is_rate;	    /* a number per second, not a time */
	bool is_latency;    /* a latency, which is not divided by the basis */
	double mean[2];	    /* nanoseconds per run, second or request; is_rate: per second */
	int rank;	    /* enum rsp_frame_rank of a function */
	__u32 pool;	    /* internal: see struct rsp_diff_pool; 0: none */
	bool is_unknown;    /* internal: time of the pool without a known function */
	double share;	    /* internal: the mean share of the pool's time */
	bool is_tested;	    /* false: margin, p and is_significant are 0 */
	double margin;	    /* smallest difference that would be significant */
	double p;	    /* p-value, adjusted for the number of rows */
	bool is_significant;
	bool is_separate; /* the values of the two sides' recordings do not overlap */
};

struct rsp_diff_recording {
	const char *name; /* borrowed */
	int side;
	char comm[RSP_COMM_MAX];
	__u32 pid;
	__u64 clock_ns, span_ns, request_cnt, lost_cnt;
	__u64 paused_ns;      /* the part of span_ns in which the recorder paused */
	__u64 requested_ns;   /* the part of paused_ns that a user requested */
	bool is_run;	      /* of a command */
	bool has_descendants; /* functions include those of descendants of pid */
	bool is_lossy;
};

/* A recording, or a part of one. */
struct rsp_diff_input {
	int side;		       /* 0: before, 1: after */
	struct rsp_snapshot *snap;     /* rsp_diff_add() changes its META */
	const struct rsp_trace *trace; /* of snap */
	__u64 since_ns, until_ns;      /* the part, CLOCK_MONOTONIC; until_ns 0: the whole span */
	const char *name;	       /* must outlive the comparison */
};

struct rsp_diff_options {
	__u32 pid;	  /* process of interest; 0: that of each recording */
	const char *comm; /* name of the process of interest; NULL: pid chooses it */
	enum rsp_diff_basis basis;
	bool profiles; /* keep profiles of this kind for rsp_diff_profile_make() */
	enum rsp_profile_kind kind;
	bool json, pretty, colour;
	unsigned int width; /* of the terminal; 0: do not break lines */
	size_t row_max;	    /* rows per table of the text; 0: the default of each table */
};

struct rsp_diff;

/*
 * recording_cnt is the number of recordings of each side. Returns 0, -E2BIG if a side has no
 * recording or more than RSP_DIFF_RECORDINGS_MAX, or -ENOMEM.
 */
int rsp_diff_new(const struct rsp_diff_options *opt, const size_t recording_cnt[static 2],
		 struct rsp_diff **ret);
struct rsp_diff *rsp_diff_free(struct rsp_diff *d);
/*
 * Adds a recording to its side. Returns 0, -ESRCH if the recording does not contain the process of
 * interest, -ERANGE if the part is empty, -E2BIG if the side is full (see rsp_diff_new()), or
 * -ENOMEM.
 */
int rsp_diff_add(struct rsp_diff *d, const struct rsp_diff_input *input);
/*
 * Compares the sides. Must be called after all recordings are added. Returns 0, -EINVAL or -ENOMEM.
 */
int rsp_diff_compare(struct rsp_diff *d);

/* Writes the report. Returns 0, -ENOMEM or -errno of the stream. */
int rsp_diff_report(const struct rsp_diff *d, FILE *out);
/* Returns whether any recording lacks records. */
bool rsp_diff_is_lossy(const struct rsp_diff *d);

#endif
