/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See governor.h. To save cost, the BPF programs measure their run time only in one poll interval
 * in about a second. Until the next measurement, the governor uses the measured time per record as
 * an estimate.
 */
#include "daemon/governor/governor.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include "daemon/governor/governor-duty.h"
#include "daemon/governor/governor-steps.h"
#include "lib/base/cleanup.h"
#include "rsp/slo.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

/*
 * One in POLLS_PER_SPAN intervals between polls is a measured span, in which the BPF programs
 * measure their run time. The number is prime, so that a load that repeats each second is measured
 * in all its phases.
 */
#define POLLS_PER_SPAN 11

/* Time over which costs are averaged. */
#define AVERAGE_NS 2000000000ULL

/* Time over which costs are averaged while slices and pauses alternate. */
#define SLICED_AVERAGE_NS 20000000000ULL

/*
 * Time after the start in which the step stays unchanged: every stack and every binary is new,
 * which costs more.
 */
#define START_NS 3000000000ULL

#define PPM 1000000ULL

/*
 * The cost of a run of a BPF program that the program cannot measure itself: on a machine with
 * mitigations (retpolines, safe-RET), programs that return at once add 0.12 us to each event of
 * perf bench sched pipe. While the programs measure, a run takes 70 ns more.
 */
#define DISPATCH_NS  120
#define MEASURING_NS 70

/*
 * on_waking_paused counts all its runs, but measures its time only in runs that record something.
 * Each run is charged SHORT_RUN_NS for the unmeasured part: the kernel's statistics showed 86 ns
 * per run, including two clock readings.
 */
#define WATCHER	     RSP_PROGRAM_on_waking_paused
#define SHORT_RUN_NS 40

/* Multiple of the budget that the cost on a single CPU may reach. */
#define SINGLE_CPU_FACTOR 5

struct rsp_governor {
	struct rsp_bpf *bpf;
	rsp_sink_fn sink;
	rsp_governor_fn report;
	void *userdata;
	struct rsp_runs *per_cpu; /* the counters of the BPF programs, from the last read */
	unsigned int possible_cnt;
	unsigned int online_cnt;

	__u32 budget_ppm, time_ppm;
	bool ignores_budget;
	struct rsp_steps steps;
	struct rsp_duty duty;
	bool was_paused; /* whether recording was paused since the last poll */
	double spent_ns;
	__u64 shed_cnt;
	bool above_budget;

	__u64 started_ns;
	__u64 poll_ns; /* time of the last poll; 0: no poll yet */
	__u64 record_cnt;
	__u64 daemon_ns;
	unsigned int poll_cnt; /* polls since the last measured span */
	double charge_ns;      /* not yet counted */
	__u64 charge_until_ns; /* time by which all of charge_ns will be counted */

	__u64 watched_cnt, watched_ns;
	double watch_ns; /* cost of on_waking_paused since the last poll, with DISPATCH_NS */

	bool in_span;
	struct rsp_runs before; /* counters at the beginning of the span */
	__u64 spoken_ns;	/* end of the time that totals covers */
	struct rsp_runs totals;

	/*
	 * Sums over measured spans, in which older spans count less. 0 at the beginning of a step.
	 */
	double span_ns, span_records;
	double programs_ppm, daemon_ppm; /* averages over the time outside of pauses */
	double average_programs_ppm, average_daemon_ppm; /* averages over the whole time */
	double hottest; /* the busiest CPU's share of the run time of all programs */
	__u64 *cpu_ns;	/* by CPU: the run time of the programs at the beginning of the span */
};

/* --- costs ------------------------------------------------------------------------------------ */

static __u64 cpu_ns(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (__u64)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000ULL +
	       (__u64)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000ULL;
}

/* The CPU clocks of the process and of its thread tick separately, so guests_ns may be larger. */
static __u64 own_ns(__u64 guests_ns)
{
	__u64 ns = cpu_ns(RUSAGE_SELF);

	return ns > guests_ns ? ns - guests_ns : 0;
}

static __u64 programs_on(const struct rsp_runs *runs)
{
	__u64 ns = 0;

	for (size_t i = 0; i < RSP_PROGRAM_CNT; i++)
		ns += runs->v[i].ns + runs->v[i].cnt * DISPATCH_NS;
	return ns;
}

/* The cost of on_waking_paused is counted separately. */
static void take_watched(struct rsp_governor *g)
{
	g->watched_cnt = g->watched_ns = 0;
	for (unsigned int cpu = 0; cpu < g->possible_cnt; cpu++) {
		g->watched_cnt += g->per_cpu[cpu].v[WATCHER].cnt;
		g->watched_ns += g->per_cpu[cpu].v[WATCHER].ns;
		g->per_cpu[cpu].v[WATCHER].cnt = g->per_cpu[cpu].v[WATCHER].ns = 0;
	}
}

/* If the map cannot be read, *ret stays unchanged. */
static void read_runs(struct rsp_governor *g, struct rsp_runs *ret)
{
	__u32 zero = 0;

	if (bpf_map_lookup_elem(bpf_map__fd(g->bpf->maps.rsp_runs), &zero, g->per_cpu) < 0)
		return;
	take_watched(g);
	memset(ret, 0, sizeof(*ret));
	for (unsigned int cpu = 0; cpu < g->possible_cnt; cpu++) {
		for (size_t i = 0; i < RSP_PROGRAM_CNT; i++) {
			ret->v[i].cnt += g->per_cpu[cpu].v[i].cnt;
			ret->v[i].ns += g->per_cpu[cpu].v[i].ns;
		}
	}
}

static void begin_span(struct rsp_governor *g)
{
	g->online_cnt = (unsigned int)get_nprocs();
	read_runs(g, &g->before);
	for (unsigned int cpu = 0; cpu < g->possible_cnt; cpu++)
		g->cpu_ns[cpu] = programs_on(&g->per_cpu[cpu]);
	g->in_span = true;
	g->poll_cnt = 0;
	__atomic_store_n(&g->bpf->bss->rsp_measuring, 1, __ATOMIC_RELAXED);
}

static double find_hottest(const struct rsp_governor *g)
{
	__u64 most_ns = 0, sum_ns = 0;

	for (unsigned int cpu = 0; cpu < g->possible_cnt; cpu++) {
		__u64 ns = programs_on(&g->per_cpu[cpu]) - g->cpu_ns[cpu];

		sum_ns += ns;
		if (ns > most_ns)
			most_ns = ns;
	}
	return sum_ns ? (double)most_ns / (double)sum_ns : 0;
}

/*
 * Returns the run time of the BPF programs in the span, with DISPATCH_NS for each of the *ret_cnt
 * runs. Adds time and runs to the totals, scaled up to the whole time since the end of the previous
 * span.
 */
static __u64 end_span(struct rsp_governor *g, __u64 now_ns, __u64 *ret_cnt)
{
	struct rsp_runs after = g->before;
	double scale = (double)(now_ns - g->spoken_ns) / (double)(now_ns - g->poll_ns);
	__u64 sum_ns = 0;

	*ret_cnt = 0;
	__atomic_store_n(&g->bpf->bss->rsp_measuring, 0, __ATOMIC_RELAXED);
	read_runs(g, &after);
	g->hottest = find_hottest(g);
	for (size_t i = 0; i < RSP_PROGRAM_CNT; i++) {
		__u64 ns = after.v[i].ns - g->before.v[i].ns;
		__u64 cnt = after.v[i].cnt - g->before.v[i].cnt;

		sum_ns += ns + cnt * DISPATCH_NS;
		*ret_cnt += cnt;
		g->totals.v[i].ns += (__u64)((double)ns * scale);
		g->totals.v[i].cnt += (__u64)((double)cnt * scale);
	}
	g->in_span = false;
	g->spoken_ns = now_ns;
	return sum_ns;
}

static double record_ns(const struct rsp_governor *g)
{
	return g->span_records > 0 ? g->span_ns / g->span_records : 0;
}

static double programs_ns(struct rsp_governor *g, __u64 now_ns, __u64 new_records)
{
	__u64 ns, cnt;

	if (!g->in_span)
		return (double)new_records * record_ns(g);
	ns = end_span(g, now_ns, &cnt);
	g->span_ns = g->span_ns / 2 + (double)ns;
	g->span_records = g->span_records / 2 + (double)new_records;
	return (double)(ns + cnt * MEASURING_NS);
}

/* on_waking_paused is attached only in pauses, so without a pause the cost is 0. */
static double watch_ns(struct rsp_governor *g)
{
	__u64 cnt = g->watched_cnt, ns = g->watched_ns;
	struct rsp_runs runs;

	if (!g->was_paused)
		return 0;
	runs = g->before;
	read_runs(g, &runs);
	g->totals.v[WATCHER].cnt = g->watched_cnt;
	g->totals.v[WATCHER].ns = g->watched_ns + g->watched_cnt * SHORT_RUN_NS;
	cnt = g->watched_cnt - cnt;
	return (double)(g->watched_ns - ns + cnt * (DISPATCH_NS + SHORT_RUN_NS));
}

static void average(double *avg, double ns, double cpu_time_ns, double weight)
{
	*avg += (ns * PPM / cpu_time_ns - *avg) * weight;
}

static double weight_of(const struct rsp_governor *g, __u64 now_ns, __u64 dt_ns)
{
	__u64 at_step_ns = now_ns - g->steps.since_ns;

	if (at_step_ns > AVERAGE_NS)
		at_step_ns = AVERAGE_NS;
	return at_step_ns <= dt_ns ? 1 : (double)dt_ns / (double)at_step_ns;
}

static enum rsp_shed step_of(const struct rsp_governor *g)
{
	return g->ignores_budget ? RSP_SHED_NOTHING : g->steps.step;
}

static bool is_in_slices(const struct rsp_governor *g)
{
	return step_of(g) == RSP_SHED_SLICES || g->time_ppm < PPM;
}

static double average_weight(const struct rsp_governor *g, __u64 dt_ns)
{
	bool in_slices = is_in_slices(g);
	double weight = (double)dt_ns / (double)(in_slices ? SLICED_AVERAGE_NS : AVERAGE_NS);

	return weight < 1 ? weight : 1;
}

static double take_charge(struct rsp_governor *g, __u64 now_ns)
{
	double ns = g->charge_ns;

	if (now_ns < g->charge_until_ns)
		ns *= (double)(now_ns - g->poll_ns) / (double)(g->charge_until_ns - g->poll_ns);
	g->charge_ns -= ns;
	return ns;
}

/*
 * Returns the cost since the last poll in ppm of all CPUs, or a higher value if the cost on a
 * single CPU was too high.
 */
static __u32 add_costs(struct rsp_governor *g, __u64 now_ns, __u64 record_cnt, __u64 guests_ns)
{
	__u64 daemon_ns = own_ns(guests_ns), dt_ns = now_ns - g->poll_ns;
	double cpu_time_ns = (double)dt_ns * g->online_cnt;
	double programs = programs_ns(g, now_ns, record_cnt - g->record_cnt);
	double daemon = (daemon_ns > g->daemon_ns ? (double)(daemon_ns - g->daemon_ns) : 0) +
			take_charge(g, now_ns);
	double single = programs * g->hottest * g->online_cnt / SINGLE_CPU_FACTOR;
	double spent;

	g->watch_ns = watch_ns(g);
	programs += g->watch_ns;
	spent = programs + daemon;
	if (!g->was_paused) {
		double weight = weight_of(g, now_ns, dt_ns);

		average(&g->programs_ppm, programs, cpu_time_ns, weight);
		average(&g->daemon_ppm, daemon, cpu_time_ns, weight);
	}
	average(&g->average_programs_ppm, programs, cpu_time_ns, average_weight(g, dt_ns));
	average(&g->average_daemon_ppm, daemon, cpu_time_ns, average_weight(g, dt_ns));
	g->daemon_ns = daemon_ns;
	g->spent_ns += spent;
	if (spent < single)
		spent = single;
	return (__u32)(spent * PPM / cpu_time_ns);
}

/* --- decisions -------------------------------------------------------------------------------- */

static void put_shed(struct rsp_governor *g, enum rsp_shed step, __u64 from_ns, __u64 until_ns)
{
	struct rsp_ev_shed rec = {
		.hdr = {.ts_ns = until_ns,
			.kind = RSP_EV_SHED,
			.size = sizeof(rec),
			.flags = RSP_SHED_SAMPLES_LAST},
		.from_ns = from_ns,
		.step = step,
		.budget_ppm = g->budget_ppm,
	};

	g->sink(&rec, sizeof(rec), g->userdata);
}

/* The BPF programs do not know SLICES, since the daemon makes the pauses. */
static enum rsp_shed stacks_left_out(enum rsp_shed step)
{
	return step == RSP_SHED_SLICES ? RSP_SHED_HOT_STACKS : step;
}

/* Resets the estimates, because the measured costs are those of the previous step. */
static void apply_step(struct rsp_governor *g)
{
	__atomic_store_n(&g->bpf->bss->rsp_shed, stacks_left_out(step_of(g)), __ATOMIC_RELAXED);
	g->span_ns = g->span_records = 0;
	g->poll_cnt = POLLS_PER_SPAN;
}

static void change(struct rsp_governor *g, enum rsp_shed from)
{
	struct rsp_cost_stats stats;

	apply_step(g);
	g->shed_cnt += g->steps.step > from;
	if (g->report) {
		rsp_governor_get(g, &stats);
		g->report(from, g->steps.step, &stats, g->userdata);
	}
}

static void decide_duty(struct rsp_governor *g, __u64 now_ns, __u32 spent_ppm)
{
	double cpu_time_ns = (double)(now_ns - g->poll_ns) * g->online_cnt;
	struct rsp_duty_cost cost = {
		.now_ns = now_ns,
		.budget_ppm = g->budget_ppm,
		.spent_ppm = spent_ppm,
		.rate_ppm = (__u32)(g->programs_ppm + g->daemon_ppm),
		.watch_ppm = (__u32)(g->watch_ns * PPM / cpu_time_ns),
		.time_ppm = g->time_ppm,
		.may_pause = step_of(g) == RSP_SHED_SLICES,
	};

	rsp_duty_decide(&g->duty, &cost);
}

void rsp_governor_ignore_budget(struct rsp_governor *g, bool ignores_budget)
{
	if (g->ignores_budget == ignores_budget)
		return;
	g->ignores_budget = ignores_budget;
	apply_step(g);
	decide_duty(g, g->poll_ns, 0);
}

static void decide(struct rsp_governor *g, __u64 now_ns, __u32 spent_ppm)
{
	enum rsp_shed from = g->steps.step;
	struct rsp_steps_cost cost = {
		.now_ns = now_ns,
		.budget_ppm = g->budget_ppm,
		.programs_ppm = (__u32)g->programs_ppm,
		.daemon_ppm = (__u32)g->daemon_ppm,
		.spent_ppm = spent_ppm,
		.record_ns = (__u64)record_ns(g),
	};

	if (g->ignores_budget)
		g->steps.now_ns = now_ns;
	else if (now_ns - g->started_ns >= START_NS && !g->was_paused)
		rsp_steps_decide(&g->steps, &cost);
	g->above_budget = step_of(g) == RSP_SHED_SLICES &&
			  rsp_duty_is_overdrawn(&g->duty, g->budget_ppm);
	if (g->steps.step != from)
		change(g, from);
}

void rsp_governor_poll(struct rsp_governor *g, __u64 now_ns, __u64 record_cnt, __u64 guests_ns,
		       bool was_paused)
{
	enum rsp_shed step = step_of(g);
	__u32 spent_ppm;

	if (now_ns <= g->poll_ns)
		return;
	g->was_paused = was_paused;
	if (g->poll_ns) {
		if (step != RSP_SHED_NOTHING)
			put_shed(g, step, g->poll_ns, now_ns);
		spent_ppm = add_costs(g, now_ns, record_cnt, guests_ns);
		decide(g, now_ns, spent_ppm);
		decide_duty(g, now_ns, g->ignores_budget ? 0 : spent_ppm);
	} else {
		g->spoken_ns = now_ns;
		g->steps.since_ns = now_ns;
		g->started_ns = now_ns;
	}
	g->poll_ns = now_ns;
	g->record_cnt = record_cnt;
	if (!g->duty.paused && ++g->poll_cnt >= POLLS_PER_SPAN)
		begin_span(g);
}

void rsp_governor_charge(struct rsp_governor *g, __u64 ns, __u64 over_ns)
{
	g->charge_ns += (double)ns;
	g->charge_until_ns = g->poll_ns + over_ns;
}

void rsp_governor_skip(struct rsp_governor *g, __u64 now_ns, __u64 record_cnt, __u64 guests_ns)
{
	__u64 cnt;

	if (g->in_span && now_ns > g->poll_ns)
		(void)end_span(g, now_ns, &cnt);
	g->spoken_ns = g->poll_ns = g->duty.now_ns = now_ns;
	g->record_cnt = record_cnt;
	g->daemon_ns = own_ns(guests_ns);
	g->average_programs_ppm = g->average_daemon_ppm = 0;
}

bool rsp_governor_wants_pause(const struct rsp_governor *g)
{
	return g->duty.paused;
}

bool rsp_governor_wants_long_waits(const struct rsp_governor *g)
{
	return g->duty.watches;
}

/*
 * The short interval lets a slice end before the account has a large debt, and gives slices the
 * right length with Time=.
 */
__u64 rsp_governor_poll_interval_ns(const struct rsp_governor *g)
{
	bool in_turn = g->time_ppm < PPM;
	bool in_slice = step_of(g) == RSP_SHED_SLICES && !g->duty.paused;

	return in_slice || in_turn ? RSP_GOVERNOR_SLICE_POLL_NS : RSP_GOVERNOR_POLL_NS;
}

/* --- start and end ---------------------------------------------------------------------------- */

int rsp_governor_new(struct rsp_bpf *bpf, __u32 budget_ppm, rsp_sink_fn sink,
		     rsp_governor_fn report, void *userdata, struct rsp_governor **ret)
{
	struct rsp_governor *g = calloc(1, sizeof(*g));
	int cpu_cnt = libbpf_num_possible_cpus();

	if (!g)
		return -ENOMEM;
	g->bpf = bpf;
	g->budget_ppm = budget_ppm;
	g->time_ppm = PPM;
	g->duty.watches = true;
	g->sink = sink;
	g->report = report;
	g->userdata = userdata;
	g->possible_cnt = cpu_cnt > 0 ? (unsigned int)cpu_cnt : 1;
	g->per_cpu = calloc(g->possible_cnt, sizeof(*g->per_cpu));
	g->cpu_ns = calloc(g->possible_cnt, sizeof(*g->cpu_ns));
	if (!g->per_cpu || !g->cpu_ns) {
		free(g->per_cpu);
		free(g->cpu_ns);
		free(g);
		return -ENOMEM;
	}
	g->online_cnt = (unsigned int)get_nprocs();
	g->daemon_ns = cpu_ns(RUSAGE_SELF);
	g->poll_cnt = POLLS_PER_SPAN;
	*ret = g;
	return 0;
}

struct rsp_governor *rsp_governor_free(struct rsp_governor *g)
{
	if (!g)
		return NULL;
	__atomic_store_n(&g->bpf->bss->rsp_measuring, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&g->bpf->bss->rsp_shed, RSP_SHED_NOTHING, __ATOMIC_RELAXED);
	free(g->per_cpu);
	free(g->cpu_ns);
	free(g);
	return NULL;
}

void rsp_governor_set_budget(struct rsp_governor *g, __u32 budget_ppm, __u32 time_ppm)
{
	g->budget_ppm = budget_ppm;
	g->time_ppm = time_ppm;
}

/* --- statistics ------------------------------------------------------------------------------- */

static int most_first(const void *pa, const void *pb)
{
	const struct rsp_program_cost *a = pa, *b = pb;

	return (a->run_ns < b->run_ns) - (a->run_ns > b->run_ns);
}

static void fill_programs(const struct rsp_governor *g, struct rsp_cost_stats *ret)
{
#define NAME(name, kind) #name,
	static const char *const names[RSP_PROGRAM_CNT] = {RSP_PROGRAMS(NAME)};
#undef NAME

	for (size_t i = 0; i < RSP_PROGRAM_CNT; i++)
		if (g->totals.v[i].cnt)
			ret->programs[ret->program_cnt++] = (struct rsp_program_cost){
				names[i], g->totals.v[i].cnt, g->totals.v[i].ns};
	qsort(ret->programs, ret->program_cnt, sizeof(*ret->programs), most_first);
}

void rsp_governor_get(const struct rsp_governor *g, struct rsp_cost_stats *ret)
{
	*ret = (struct rsp_cost_stats){
		.budget_ppm = g->budget_ppm,
		.programs_ppm = (__u32)g->average_programs_ppm,
		.daemon_ppm = (__u32)g->average_daemon_ppm,
		.cost_ppm = (__u32)(g->average_programs_ppm + g->average_daemon_ppm),
		.spent_ns = (__u64)g->spent_ns,
		.in_slices = is_in_slices(g),
		.daemon_cpu_ns = cpu_ns(RUSAGE_SELF) + cpu_ns(RUSAGE_CHILDREN),
		.shed = step_of(g),
		.shed_since_ns = step_of(g) ? g->steps.since_ns : 0,
		.shed_cnt = g->shed_cnt,
		.above_budget = g->above_budget,
	};
	fill_programs(g, ret);
}
