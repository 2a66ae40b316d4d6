/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares recordings of two sides, before and after. docs/diff.md describes the method. Each
 * recording is a unit of the test. If there are fewer recordings than the test needs, each
 * recording is cut into blocks of equal length, and the blocks are the units.
 */
#ifndef RSP_LIB_DIFF_H
#define RSP_LIB_DIFF_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/diff/permute.h"
#include "lib/profile/profile.h"
#include "lib/trace/trace.h"

/* limit for each side; both sides fit into RSP_PERMUTE_UNITS_MAX */
#define RSP_DIFF_RECORDINGS_MAX 16

/* The quantity by which figures are divided. */
enum rsp_diff_basis {
	RSP_DIFF_PER_ANY, /* chosen after the recordings are added */
	RSP_DIFF_PER_RUN, /* a run of a command, from start to end */
	RSP_DIFF_PER_SECOND,
	RSP_DIFF_PER_REQUEST, /* a request that the process answered */
};

enum rsp_diff_table {
	RSP_DIFF_SUM,
	RSP_DIFF_CATEGORY,
	RSP_DIFF_CAUSE, /* last hops of chains */
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
	double name_weight; /* internal: this largest figure */
	double *values;	    /* one value per unit */
	size_t value_cnt;   /* internal: number of units with a value above 0 */
	/* a wait for a CPU; in CAUSE and CHAIN, only while another program had the CPU */
	bool is_machine;
	bool is_rate;	 /* values are numbers per second, not times */
	bool is_latency; /* values are latencies, which are not divided by the basis */
	/*
	 * mean of each side: ns per run, second or request; is_latency: ns; is_rate: number per
	 * second
	 */
	double mean[2];
	int rank;	 /* of a function: enum rsp_frame_rank */
	__u32 pool;	 /* internal: number of the row's pool (struct rsp_diff_pool); 0: none */
	bool is_unknown; /* internal: the row is the pool's time without a known function */
	double share;	 /* internal: the function's mean share of the pool's known time */
	bool is_tested;	 /* false: margin, p, is_significant and is_separate are 0 */
	double margin;	 /* the smallest difference that would be significant */
	double p;	 /* p-value, adjusted for the number of rows */
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
	bool is_run;	      /* the recording is of a command, from start to end */
	bool has_descendants; /* figures of functions include the descendants of pid */
	bool is_lossy;
};

/* A recording, or the part of a recording to compare. */
struct rsp_diff_input {
	int side;		   /* 0: before, 1: after */
	struct rsp_snapshot *snap; /* rsp_diff_add() changes snap->meta */
	const struct rsp_trace *trace;
	/* the part to compare, CLOCK_MONOTONIC; until_ns 0: the whole span of the recording */
	__u64 since_ns, until_ns;
	const char *name; /* must outlive the comparison */
};

struct rsp_diff_options {
	__u32 pid;	  /* the process of interest; 0: each recording names its own */
	const char *comm; /* name of the process of interest; NULL: pid chooses it */
	enum rsp_diff_basis basis;
	bool profiles; /* keep profiles of this kind for rsp_diff_profile_make() */
	enum rsp_profile_kind kind;
	bool json, pretty, colour;
	unsigned int width; /* columns of the terminal; 0: do not break lines */
	size_t row_max;	    /* text: maximum number of rows per table; 0: each table's default */
};

struct rsp_diff;

/*
 * Starts a comparison. recording_cnt: number of recordings of each side. Returns 0, -E2BIG if a
 * side has no recording or more than RSP_DIFF_RECORDINGS_MAX, or -ENOMEM.
 */
int rsp_diff_new(const struct rsp_diff_options *opt, const size_t recording_cnt[static 2],
		 struct rsp_diff **ret);
struct rsp_diff *rsp_diff_free(struct rsp_diff *d);
/*
 * Adds a recording to its side. Returns 0, -ESRCH if the recording does not contain the process of
 * interest, -ERANGE if the part is empty, -E2BIG if all recordings are already added (see
 * rsp_diff_new()), or -ENOMEM.
 */
int rsp_diff_add(struct rsp_diff *d, const struct rsp_diff_input *input);
/* Compares the sides, after all recordings are added. Returns 0, -EINVAL or -ENOMEM. */
int rsp_diff_compare(struct rsp_diff *d);

/* Writes the comparison as text or JSON. Returns 0, -ENOMEM or -errno of the stream. */
int rsp_diff_report(const struct rsp_diff *d, FILE *out);
/* Returns whether records are missing in any recording. */
bool rsp_diff_is_lossy(const struct rsp_diff *d);
/* Returns whether the processes of interest have different names on the two sides. */
bool rsp_diff_is_of_two(const struct rsp_diff *d);

#endif
