/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the samples that stand for runs without samples. Most runs are too short to have a sample,
 * but the samples of all runs of a thread show the shares of its functions. The samples are from
 * the same thread or, if the thread has none, from its process, under the same name. docs/model.md
 * describes the rules.
 */
#ifndef RSP_LIB_ESTIMATE_H
#define RSP_LIB_ESTIMATE_H

#include "lib/model/model.h"
#include "lib/model/names.h"

struct rsp_estimate;

enum rsp_estimated {
	RSP_ESTIMATED_SAMPLE, /* a sample stands for the part */
	/*
	 * no sample may stand for the part, but the run is so short that the place at which it left
	 * the CPU may stand for it
	 */
	RSP_ESTIMATED_PLACE,
	RSP_ESTIMATED_UNKNOWN, /* samples are missing */
};

struct rsp_estimated_part {
	enum rsp_estimated by;
	/*
	 * of RSP_ESTIMATED_SAMPLE: the thread of the sample, and the sample's index in the thread
	 */
	__u32 thread, sample;
	/* the next part of the run begins at this time; UINT64_MAX: this is the last part */
	__u64 until_ns;
};

/* model and names must outlive the result, which adds names to *names. Returns 0 or -ENOMEM. */
int rsp_estimate_new(const struct rsp_model *model, struct rsp_names *names,
		     struct rsp_estimate **ret);
struct rsp_estimate *rsp_estimate_free(struct rsp_estimate *e);

/*
 * Sets *ret to the part of a run without samples that contains at_ns. span: the index of the run in
 * its thread.
 */
void rsp_estimate_at(const struct rsp_estimate *e, __u32 thread, size_t span, __u64 at_ns,
		     struct rsp_estimated_part *ret);

/*
 * Returns, for each sample, the time of runs without samples for which it stands, in nanoseconds.
 * The index is the number of the sample among the samples of all threads. The caller frees the
 * array. NULL: no memory.
 */
__u64 *rsp_estimate_sample_ns(const struct rsp_estimate *e);

/*
 * Returns the sampling period at the time of the sample, or the period of the recording if sample
 * is NULL. Never 0.
 */
__u64 rsp_estimate_period_ns(const struct rsp_model *m, const struct rsp_ev_sample *sample);

/* Returns ns * part / all, without overflow if part is at most all. */
__u64 rsp_estimate_share_ns(__u64 ns, __u64 part, __u64 all);

/* Returns the time before and after a sample for which its stack may stand. */
__u64 rsp_estimate_reach_ns(const struct rsp_model *m, const struct rsp_ev_sample *sample);

#endif
