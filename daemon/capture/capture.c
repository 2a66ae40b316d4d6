/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See capture.h. */
#include "daemon/capture/capture.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/helper.h"
#include "daemon/capture/census.h"
#include "daemon/capture/cpu-times.h"
#include "daemon/capture/loader.h"
#include "daemon/capture/misses.h"
#include "daemon/capture/opener.h"
#include "daemon/capture/rings.h"
#include "daemon/capture/sampler.h"
#include "daemon/capture/slices.h"
#include "daemon/capture/visit.h"
#include "daemon/capture/watch.h"
#include "lib/base/cleanup.h"
#include "rsp/sizes.h"
#include "rsp/slo.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

/* A ring wakes the daemon when 1 / WAKE_SHARE of the ring is full. */
#define WAKE_SHARE 4

/*
 * Interval at which rspd counts the runs of BPF programs that the kernel skipped. The time of a
 * skipped run within the interval is unknown.
 */
#define MISSES_INTERVAL_NS 1000000000ULL

/*
 * Interval of CPU_TIME records. Reading /proc/stat takes tens of microseconds on small machines, a
 * millisecond on large ones.
 */
#define CPU_TIMES_INTERVAL_NS 2000000000ULL

struct rsp_capture {
	rsp_sink_fn sink;
	void *userdata;
	struct rsp_bpf *bpf;
	struct ring_buffer *control;
	struct rsp_rings *rings;
	struct rsp_opener *opener;
	struct rsp_binaries *binaries;
	struct rsp_ladder ladder;
	int cpu_cnt;
	struct rsp_sampler *sampler;
	__u64 *reported_cnt; /* per CPU: number of losses that LOST records already contain */
	__u64 reported_control_cnt;
	__u64 reported_ns; /* time of the last check for losses */
	struct rsp_census census;
	struct rsp_slices slices;
	struct rsp_watch watch;
	__u64 cpu_times_ns; /* time of the last CPU_TIME records */
	struct rsp_misses misses;
	__u64 reported_miss_ns;
};

struct knobs {
	unsigned int ring_cnt;
	size_t ring_bytes;
	__u64 secret;
	bool samples_by_nmi;
	__u32 wake_bytes;
	__u64 fn_hrtimer_wakeup, fn_process_timeout, fn_wq_barrier_func, fn_throttle_dispatch;
};

static int fail(int error, const char *why, struct rsp_reason *ret_why)
{
	snprintf(ret_why->text, sizeof(ret_why->text), "%s", why);
	return error;
}

/* --- loading ---------------------------------------------------------------------------------- */

/* If a function is not found, its address stays 0. */
static void find_functions(struct knobs *knobs)
{
	_cleanup_free_ char *line = NULL;
	FILE *f = fopen("/proc/kallsyms", "re");
	unsigned long long address;
	char name[128];
	size_t cap = 0;

	if (!f)
		return;
	while (getline(&line, &cap, f) > 0) {
		if (sscanf(line, "%llx %*c %127s", &address, name) != 2)
			continue;
		if (strcmp(name, "hrtimer_wakeup") == 0)
			knobs->fn_hrtimer_wakeup = address;
		else if (strcmp(name, "process_timeout") == 0)
			knobs->fn_process_timeout = address;
		else if (strcmp(name, "wq_barrier_func") == 0)
			knobs->fn_wq_barrier_func = address;
		else if (strcmp(name, "blk_throtl_dispatch_work_fn") == 0)
			knobs->fn_throttle_dispatch = address;
	}
	fclose(f);
}

static int find_knobs(int cpu_cnt, const struct rsp_capture_options *opt, struct knobs *ret)
{
	*ret = (struct knobs){
		.ring_cnt = rsp_rings_wanted(cpu_cnt),
		.ring_bytes = opt->ring_bytes,
		.samples_by_nmi = rsp_sampler_finds_pmu(),
		.wake_bytes = (__u32)(opt->ring_bytes / WAKE_SHARE),
	};
	if (getrandom(&ret->secret, sizeof(ret->secret), 0) != sizeof(ret->secret))
		return -errno;
	find_functions(ret);
	return 0;
}

static int size_tables(struct rsp_bpf *bpf, unsigned int ring_cnt)
{
	struct bpf_map *tables[] = {bpf->maps.rsp_repeats, bpf->maps.rsp_known_stacks,
				    bpf->maps.rsp_shapes, bpf->maps.rsp_rows,
				    bpf->maps.rsp_mappings};
	__u32 cnt = RSP_SLOTS_MIN;
	int r = 0;

	while (cnt < RSP_SLOTS_MAX && cnt < ring_cnt * RSP_SLOTS_PER_RING)
		cnt *= 2;
	bpf->rodata->rsp_slot_mask = cnt - 1;
	if (ring_cnt * RSP_BINARIES_PER_RING > bpf_map__max_entries(bpf->maps.rsp_binaries))
		r = bpf_map__set_max_entries(bpf->maps.rsp_binaries,
					     ring_cnt * RSP_BINARIES_PER_RING);
	for (size_t i = 0; r == 0 && i < sizeof(tables) / sizeof(*tables); i++)
		r = bpf_map__set_max_entries(tables[i], cnt);
	return r < 0 ? r : bpf_map__set_max_entries(bpf->maps.rsp_seen, RSP_SEEN_PER_SLOT * cnt);
}

static int set_knobs(struct rsp_bpf *bpf, void *userdata)
{
	const struct knobs *knobs = userdata;
	int r = size_tables(bpf, knobs->ring_cnt);

	bpf->rodata->rsp_secret = knobs->secret;
	bpf->rodata->rsp_samples_by_nmi = knobs->samples_by_nmi;
	bpf->rodata->rsp_wake_bytes = knobs->wake_bytes;
	bpf->rodata->rsp_fn_hrtimer_wakeup = knobs->fn_hrtimer_wakeup;
	bpf->rodata->rsp_fn_process_timeout = knobs->fn_process_timeout;
	bpf->rodata->rsp_fn_wq_barrier_func = knobs->fn_wq_barrier_func;
	bpf->rodata->rsp_fn_throttle_dispatch = knobs->fn_throttle_dispatch;
	return r < 0 ? r : rsp_rings_prepare(bpf, knobs->ring_cnt, knobs->ring_bytes);
}

static int load(struct rsp_capture *c, const struct rsp_capture_options *opt,
		struct rsp_reason *ret_why)
{
	struct knobs knobs;
	struct rsp_loading loading = {.btf_path = opt->btf_path,
				      .net = opt->net,
				      .never_pauses = opt->never_pauses,
				      .prepare = set_knobs,
				      .userdata = &knobs};
	int r = find_knobs(c->cpu_cnt, opt, &knobs);

	if (r < 0)
		return fail(r, "cannot get random numbers from the kernel", ret_why);
	r = rsp_load(&loading, &c->ladder, &c->bpf, ret_why);
	if (r < 0)
		return r;
	rsp_ladder_add(&c->ladder, "timeouts", knobs.fn_hrtimer_wakeup ? "kallsyms" : "none",
		       knobs.fn_hrtimer_wakeup
			       ? "the functions that end timeouts are known"
			       : "/proc/kallsyms hides addresses: timeouts look like other timers",
		       knobs.fn_hrtimer_wakeup != 0);
	return 0;
}

/* --- rings ------------------------------------------------------------------------------------ */

static void on_record(const void *rec, size_t len, void *userdata)
{
	struct rsp_capture *c = userdata;
	const struct rsp_ev_hdr *hdr = rec;

	if (len >= sizeof(struct rsp_ev_switch) && hdr->kind == RSP_EV_SWITCH)
		rsp_sampler_note_switch(c->sampler, rec);
	c->sink(rec, len, c->userdata);
}

static int on_control(void *ctx, void *data, size_t len)
{
	on_record(data, len, ctx);
	return 0;
}

static int on_wanted(void *ctx, void *data, size_t len)
{
	struct rsp_capture *c = ctx;

	if (len >= sizeof(struct rsp_binary_wanted))
		rsp_binaries_want(c->binaries, data);
	return 0;
}

static int on_wakeup(void *ctx, void *data, size_t len)
{
	return 0;
}

/*
 * Opens three BPF ring buffers: rsp_control for rare records, rsp_wanted for requests for tables,
 * and rsp_bell for notices that wake the daemon.
 */
static int make_control(struct rsp_capture *c)
{
	int r;

	c->control = ring_buffer__new(bpf_map__fd(c->bpf->maps.rsp_control), on_control, c, NULL);
	if (!c->control)
		return -errno;
	r = ring_buffer__add(c->control, bpf_map__fd(c->bpf->maps.rsp_wanted), on_wanted, c);
	return r < 0 ? r
		     : ring_buffer__add(c->control, bpf_map__fd(c->bpf->maps.rsp_bell), on_wakeup,
					c);
}

static int make_rings(struct rsp_capture *c, size_t bytes)
{
	int r = make_control(c);

	return r < 0 ? r : rsp_rings_new(c->bpf, c->cpu_cnt, bytes, &c->rings);
}

/* --- start and end ---------------------------------------------------------------------------- */

static int give_programs(const struct rsp_bpf *bpf)
{
	const struct bpf_program *entry = bpf->progs.on_allocator_entry;

	if (!bpf_program__autoload(entry))
		return 0;
	return rsp_helper_set_programs(
		RSP_HELPER_ALLOCATORS,
		&(struct rsp_helper_programs){
			.entry = bpf_program__fd(entry),
			.return_ = bpf_program__fd(bpf->progs.on_allocator_return),
			.multi = bpf_program__expected_attach_type(entry) == RSP_UPROBE_MULTI,
		});
}

static int begin(struct rsp_capture *c, sd_event *event, const struct rsp_capture_options *opt,
		 struct rsp_reason *ret_why)
{
	int r = rsp_helper_start(event);

	if (r < 0)
		return fail(r, "the process that makes maps and probes does not start", ret_why);
	r = rsp_opener_new(event, &c->opener);
	if (r < 0)
		return fail(r, "the process that opens binaries does not start", ret_why);
	r = load(c, opt, ret_why);
	if (r < 0)
		return r;
	rsp_census_init(&c->census, c->bpf, c->sink, c->userdata);
	r = make_rings(c, opt->ring_bytes);
	if (r < 0)
		return fail(r, "no memory for the ring buffers: make them smaller with --ring-size",
			    ret_why);
	r = rsp_binaries_new(event, c->bpf, c->opener, &opt->binaries, &c->ladder, &c->binaries);
	if (r < 0)
		return fail(r, "no memory for the unwind tables", ret_why);
	r = rsp_attach(c->bpf, &c->ladder, opt->halted, ret_why);
	if (r < 0)
		return r;
	rsp_slices_init(&c->slices, c->bpf, opt->halted, c->sink, c->userdata);
	if (rsp_is_loaded(c->bpf, "on_allocator_entry"))
		r = give_programs(c->bpf);
	if (r < 0)
		return fail(r, "cannot prepare the probes of allocators", ret_why);
	rsp_watch_init(&c->watch, event, c->bpf, c->sink, c->userdata);
	r = rsp_sampler_new(c->bpf, c->rings, c->cpu_cnt, &opt->samples, opt->halted, &c->ladder,
			    &c->sampler);
	if (r < 0)
		return fail(r, "no memory for the sampling clocks", ret_why);
	c->reported_ns = c->reported_miss_ns = rsp_now_ns();
	return 0;
}

int rsp_capture_new(sd_event *event, const struct rsp_capture_options *opt, rsp_sink_fn sink,
		    void *userdata, struct rsp_capture **ret, struct rsp_reason *ret_why)
{
	struct rsp_capture *c = calloc(1, sizeof(*c));
	int r = -ENOMEM;

	fail(r, "out of memory", ret_why);
	if (!c)
		return r;
	c->sink = sink;
	c->userdata = userdata;
	c->cpu_cnt = libbpf_num_possible_cpus();
	if (c->cpu_cnt < 1)
		c->cpu_cnt = 1;
	c->reported_cnt = calloc((size_t)c->cpu_cnt, sizeof(*c->reported_cnt));
	if (c->reported_cnt)
		r = begin(c, event, opt, ret_why);
	if (r < 0) {
		rsp_capture_free(c);
		return r;
	}
	*ret = c;
	return 0;
}

struct rsp_capture *rsp_capture_free(struct rsp_capture *c)
{
	if (!c)
		return NULL;
	rsp_watch_done(&c->watch);
	rsp_sampler_free(c->sampler);
	rsp_binaries_free(c->binaries);
	rsp_opener_free(c->opener);
	rsp_census_done(&c->census);
	rsp_helper_stop();
	ring_buffer__free(c->control);
	rsp_rings_free(c->rings);
	rsp_bpf__destroy(c->bpf);
	free(c->reported_cnt);
	free(c);
	return NULL;
}

struct rsp_sampler *rsp_capture_sampler(struct rsp_capture *c)
{
	return c->sampler;
}

int rsp_capture_epoll_fd(const struct rsp_capture *c)
{
	return ring_buffer__epoll_fd(c->control);
}

void rsp_capture_bump_epoch(struct rsp_capture *c)
{
	__atomic_fetch_add(&c->bpf->bss->rsp_epoch, 1, __ATOMIC_RELAXED);
}

const struct rsp_binaries *rsp_capture_binaries(const struct rsp_capture *c)
{
	return c->binaries;
}

static void add_stack_stats(struct rsp_stack_stats *sum, const struct rsp_stack_stats *add)
{
	const __u64 *from = (const void *)add;
	__u64 *to = (void *)sum;

	for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += from[i];
}

void rsp_capture_get_stats(const struct rsp_capture *c, struct rsp_capture_stats *ret)
{
	_cleanup_free_ struct rsp_stack_stats *per_cpu = calloc((size_t)c->cpu_cnt,
								sizeof(*per_cpu));
	__u32 zero = 0;

	*ret = (struct rsp_capture_stats){0};
	rsp_binaries_get_stats(c->binaries, &ret->binaries);
	if (!per_cpu ||
	    bpf_map_lookup_elem(bpf_map__fd(c->bpf->maps.rsp_stack_stats), &zero, per_cpu) < 0)
		return;
	for (int cpu = 0; cpu < c->cpu_cnt; cpu++)
		add_stack_stats(&ret->stacks, &per_cpu[cpu]);
}

const struct rsp_ladder *rsp_capture_ladder(const struct rsp_capture *c)
{
	return &c->ladder;
}

struct rsp_bpf *rsp_capture_bpf(const struct rsp_capture *c)
{
	return c->bpf;
}

/* --- census ----------------------------------------------------------------------------------- */

int rsp_capture_census(struct rsp_capture *c)
{
	return rsp_census_take(&c->census);
}

/* --- files mapped before recording ------------------------------------------------------------ */

unsigned int rsp_capture_unprepared(struct rsp_capture *c)
{
	return rsp_binaries_busy_cnt(c->binaries) +
	       (c->watch.is_measuring && rsp_memory_watch_is_busy(&c->watch.memory));
}

/*
 * Visiting one process takes 0.2 ms. On a machine with 2,000 processes, visiting all would keep the
 * event loop from draining the rings for 37 ms.
 */
static void visit_mappings_of(struct rsp_capture *c, pid_t pid)
{
	union bpf_iter_link_info info = {.task.pid = (__u32)pid};
	LIBBPF_OPTS(bpf_iter_attach_opts, opts, .link_info = &info, .link_info_len = sizeof(info));
	struct bpf_link *link = bpf_program__attach_iter(c->bpf->progs.on_mapping, &opts);

	if (!link) /* the process has ended */
		return;
	rsp_visit(link, NULL, NULL);
	bpf_link__destroy(link);
}

unsigned int rsp_capture_prepare(struct rsp_capture *c, pid_t pid)
{
	struct bpf_link *all = c->bpf->links.on_mapping; /* NULL: the kernel rejected the program */

	if (all && pid)
		visit_mappings_of(c, pid);
	else
		rsp_visit(all, NULL, NULL);
	(void)ring_buffer__consume(c->control);
	return rsp_capture_unprepared(c);
}

/* --- losses ----------------------------------------------------------------------------------- */

static void put_lost(struct rsp_capture *c, struct rsp_ev_hdr hdr, __u64 from_ns, __u64 cnt,
		     __u64 kinds)
{
	struct rsp_ev_lost rec = {
		.hdr = hdr,
		.from_ns = from_ns,
		.lost_cnt = cnt,
		.kinds = kinds,
	};

	rec.hdr.kind = RSP_EV_LOST;
	rec.hdr.size = sizeof(rec);
	c->sink(&rec, sizeof(rec), c->userdata);
}

/*
 * The BPF programs continue to count losses meanwhile. If the next check finds from_ns 0, the loss
 * began at this check or later, so its record begins at the time of this check.
 */
static void report_ring(struct rsp_capture *c, struct rsp_ev_hdr hdr, struct rsp_loss *loss,
			__u64 *reported)
{
	__u64 cnt = __atomic_load_n(&loss->cnt, __ATOMIC_ACQUIRE);
	__u64 from_ns, kinds;

	if (cnt == *reported)
		return;
	from_ns = __atomic_exchange_n(&loss->from_ns, 0, __ATOMIC_RELAXED);
	kinds = __atomic_exchange_n(&loss->kinds, 0, __ATOMIC_RELAXED);
	hdr.ts_ns = __atomic_load_n(&loss->until_ns, __ATOMIC_RELAXED);
	put_lost(c, hdr, from_ns ? from_ns : c->reported_ns, cnt - *reported, kinds);
	*reported = cnt;
}

static void report_rings(struct rsp_capture *c)
{
	struct rsp_loss *losses = c->bpf->bss->rsp_losses;
	__u64 ts_ns = rsp_now_ns(), control_cnt = c->reported_control_cnt;

	for (int cpu = 0; cpu < c->cpu_cnt; cpu++)
		report_ring(c, (struct rsp_ev_hdr){.cpu = (__u16)cpu}, &losses[cpu],
			    &c->reported_cnt[cpu]);
	report_ring(c, (struct rsp_ev_hdr){.flags = RSP_LOST_BIRTHS},
		    &c->bpf->bss->rsp_control_loss, &c->reported_control_cnt);
	if (c->reported_control_cnt != control_cnt)
		rsp_census_want(&c->census);
	c->reported_ns = ts_ns;
}

void rsp_capture_report_misses(struct rsp_capture *c)
{
	struct rsp_ev_hdr hdr = {.ts_ns = rsp_now_ns(), .flags = RSP_LOST_NOT_MADE};
	__u64 kinds, cnt = rsp_misses_poll(&c->misses, c->bpf->obj, &kinds);

	if (cnt)
		put_lost(c, hdr, c->reported_miss_ns, cnt, kinds);
	c->reported_miss_ns = hdr.ts_ns;
}

/* --- pauses ----------------------------------------------------------------------------------- */

int rsp_capture_pause(struct rsp_capture *c, bool pause)
{
	if (!pause)
		return rsp_slices_resume(&c->slices);
	rsp_slices_pause(&c->slices);
	return 0;
}

void rsp_capture_want_long_waits(struct rsp_capture *c, bool wants)
{
	rsp_slices_want_long_waits(&c->slices, wants);
}

void rsp_capture_note_states(struct rsp_capture *c)
{
	rsp_slices_note(&c->slices);
}

bool rsp_capture_is_paused(const struct rsp_capture *c)
{
	return c->slices.is_paused;
}

void rsp_capture_halt(struct rsp_capture *c)
{
	rsp_sampler_halt(c->sampler);
	rsp_slices_halt(&c->slices);
}

/*
 * The census reports the threads that were born during the halt. If the sampler fails, recording
 * continues, because samples are dispensable.
 */
int rsp_capture_end_halt(struct rsp_capture *c)
{
	int r = rsp_slices_end_halt(&c->slices, &c->ladder);

	if (r < 0)
		return r;
	if (rsp_sampler_resume(c->sampler) < 0)
		rsp_ladder_reject(&c->ladder, RSP_FEATURE_SAMPLES,
				  &(struct rsp_reason){"a sampling clock does not start again "
						       "after a pause: restart rspd"});
	rsp_capture_bump_epoch(c);
	c->reported_ns = c->reported_miss_ns = rsp_now_ns();
	(void)rsp_census_retake(&c->census);
	return 0;
}

bool rsp_capture_is_halted(const struct rsp_capture *c)
{
	return c->slices.is_halted;
}

__u64 rsp_capture_paused_ns(const struct rsp_capture *c)
{
	return rsp_slices_paused_ns(&c->slices, rsp_now_ns());
}

/* --- watches ---------------------------------------------------------------------------------- */

int rsp_capture_begin_watch(struct rsp_capture *c, const struct rsp_watch_request *request)
{
	return rsp_watch_begin(&c->watch, request);
}

void rsp_capture_read_watch(struct rsp_capture *c)
{
	rsp_watch_read(&c->watch);
}

void rsp_capture_end_watch(struct rsp_capture *c, const struct rsp_watch_request *request)
{
	rsp_watch_end(&c->watch, request);
}

/* --- draining --------------------------------------------------------------------------------- */

static void write_cpu_times(struct rsp_capture *c)
{
	if (c->reported_ns - c->cpu_times_ns < CPU_TIMES_INTERVAL_NS)
		return;
	c->cpu_times_ns = c->reported_ns;
	rsp_cpu_times_write(c->sink, c->userdata);
}

/*
 * Reports losses after it has drained the rings, so that the records around a loss are in the
 * window.
 */
int rsp_capture_drain(struct rsp_capture *c)
{
	int r = ring_buffer__consume(c->control);

	rsp_rings_drain(c->rings, on_record, c);
	report_rings(c);
	if (c->slices.is_halted)
		return r < 0 ? r : 0;
	rsp_slices_record_loss(&c->slices, c->reported_ns);
	rsp_census_go_on(&c->census, c->reported_ns);
	rsp_sampler_keep_pace(c->sampler, c->reported_ns);
	write_cpu_times(c);
	if (c->reported_ns - c->reported_miss_ns >= MISSES_INTERVAL_NS)
		rsp_capture_report_misses(c);
	return r < 0 ? r : 0;
}

bool rsp_capture_poll_numbers(struct rsp_capture *c, __u64 window_oldest_ns)
{
	enum rsp_number_step step = rsp_binaries_poll_numbers(c->binaries, rsp_now_ns(),
							      window_oldest_ns);

	if (step == RSP_NUMBERS_RETIRED)
		rsp_capture_bump_epoch(c);
	return step == RSP_NUMBERS_GRANTED;
}

__u64 rsp_capture_miss_cnt(const struct rsp_capture *c)
{
	return c->misses.cnt;
}
