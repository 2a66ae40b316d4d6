/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs without a sample of their own -> the samples that stand for them. Samples are taken at equal
 * times, so most runs are too short for one; but of the runs of a thread together they tell the
 * shares of its functions. Each sample of a thread (of its process under the same name, if the
 * thread has none) stands for as much of the time without samples as its run falls short of the
 * mean, in the order of time. docs/model.md has the rules.
 */
#ifndef RSP_LIB_ESTIMATE_H
#define RSP_LIB_ESTIMATE_H

#include "lib/model/model.h"
#include "lib/model/names.h"

struct rsp_estimate;

enum rsp_estimated {
	RSP_ESTIMATED_SAMPLE,  /* a sample stands for it */
	RSP_ESTIMATED_PLACE,   /* there are no samples; the run left the CPU so soon that the place
				  may stand for it */
	RSP_ESTIMATED_UNKNOWN, /* samples are missing */
};

struct rsp_estimated_part {
	enum rsp_estimated by;
	__u32 thread, sample; /* SAMPLE: the thread that it is of, and its index there */
	__u64 until_ns;	      /* the run goes on with another part then; UINT64_MAX: it does not */
};

/* model and names outlive it; names grows. -ENOMEM */
int rsp_estimate_new(const struct rsp_model *model, struct rsp_names *names,
		     struct rsp_estimate **ret);
struct rsp_estimate *rsp_estimate_free(struct rsp_estimate *e);

/* Returns the part at at_ns of a run without samples; span: the run's index in its thread. */
void rsp_estimate_at(const struct rsp_estimate *e, __u32 thread, size_t span, __u64 at_ns,
		     struct rsp_estimated_part *ret);

/*
 * Returns for each sample how much of the time of runs without samples it stands for, in
 * nanoseconds. The index is the number of the sample among those of all threads. The caller frees
 * the array. NULL: no memory.
 */
__u64 *rsp_estimate_sample_ns(const struct rsp_estimate *e);

/* The period of the clock at which it was taken; NULL: that of the recording. Never 0. */
__u64 rsp_estimate_period_ns(const struct rsp_model *m, const struct rsp_ev_sample *sample);

/* ns * part / all, without overflow if part is no more than all. */
__u64 rsp_estimate_share_ns(__u64 ns, __u64 part, __u64 all);

/* The time before and after a sample for which its stack is taken. */
__u64 rsp_estimate_reach_ns(const struct rsp_model *m, const struct rsp_ev_sample *sample);

#endif
