/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sampling clocks: one for each CPU, each with its own rate. */
#ifndef RSP_DAEMON_SAMPLER_H
#define RSP_DAEMON_SAMPLER_H

#include <linux/types.h>
#include <stdbool.h>

struct rsp_bpf;
struct rsp_ev_switch;
struct rsp_ladder;
struct rsp_rings;
struct rsp_sampler;

struct rsp_sampler_options {
	unsigned int hz;      /* maximum on each CPU; 0: no samples */
	unsigned int calm_hz; /* rate if tasks run for long or rarely (pace.h); 0: same as hz */
};

/* Returns whether the CPUs can count cycles. Otherwise, clocks count time. */
bool rsp_sampler_finds_pmu(void);

/*
 * Starts the clocks of the CPUs that have a ring of their own. halted: takes no samples until
 * rsp_sampler_resume(). Returns 0, even if the kernel allows no samples; -ENOMEM.
 */
int rsp_sampler_new(struct rsp_bpf *bpf, const struct rsp_rings *rings, int cpu_cnt,
		    const struct rsp_sampler_options *opt, bool halted, struct rsp_ladder *ladder,
		    struct rsp_sampler **ret);
struct rsp_sampler *rsp_sampler_free(struct rsp_sampler *sampler);

/* The clocks stay open, since opening them requires a capability that rspd has dropped by then. */
void rsp_sampler_halt(struct rsp_sampler *sampler);
/* Starts the clocks again. Returns 0, or -errno if a clock does not start. */
int rsp_sampler_resume(struct rsp_sampler *sampler);

/* Returns the configured rate, or the kernel's lower limit; 0: there are no samples. */
unsigned int rsp_sampler_hz(const struct rsp_sampler *sampler);

/*
 * The caller must report each switch with rsp_sampler_note_switch(). After each drain it must call
 * rsp_sampler_keep_pace(), which adjusts the rates.
 */
void rsp_sampler_note_switch(struct rsp_sampler *sampler, const struct rsp_ev_switch *ev);
void rsp_sampler_keep_pace(struct rsp_sampler *sampler, __u64 now_ns);

/* Sets the maximum rate on all CPUs for at least a second. */
void rsp_sampler_expect(struct rsp_sampler *sampler, __u64 now_ns);

#endif
