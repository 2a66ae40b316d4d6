/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See sampler.h. */
#include "daemon/capture/sampler.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/capture/ladder.h"
#include "daemon/capture/pace.h"
#include "daemon/capture/rings.h"
#include "lib/base/cleanup.h"
#include "rsp/cost.h"
#include "rsp/event.h"
#include "rsp/numbers.h"
#include "rsp/slo.h"
#include "rsp/unwind.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

#define S_IN_US 1000000U
#define S_IN_NS 1000000000ULL

struct cpu {
	int fd;
	int link; /* BPF link from the clock to the program; -1: halted, or no samples */
	unsigned int hz;
	bool calm;
	struct rsp_pace pace;
};

struct rsp_sampler {
	struct rsp_bpf *bpf;
	struct rsp_sampler_options opt; /* limited to the rate that the kernel allows */
	bool cycles;			/* true: the clocks count cycles; false: time */
	bool halted;
	int cpu_cnt;
	struct cpu cpus[];
};

/*
 * perf_event_open() expects a frequency for a clock that counts cycles, and a period for a clock
 * that counts time.
 */
static __u64 rate_of(bool cycles, unsigned int hz)
{
	return cycles ? hz : S_IN_NS / hz;
}

static int open_clock(__u32 type, __u64 config, int cpu, unsigned int hz)
{
	bool cycles = type == PERF_TYPE_HARDWARE;
	struct perf_event_attr attr = {.size = sizeof(attr),
				       .type = type,
				       .config = config,
				       .freq = cycles,
				       .disabled = 1, /* until the program is attached */
				       .sample_period = rate_of(cycles, hz)};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

bool rsp_sampler_finds_pmu(void)
{
	_cleanup_close_ int fd = open_clock(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, 1);

	return fd >= 0;
}

/*
 * The kernel lowers its limit if samples take long, as on emulated CPUs, and refuses higher rates.
 */
static unsigned int allowed_hz(unsigned int hz)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "re");
	unsigned int most;

	if (!f)
		return hz;
	if (fscanf(f, "%u", &most) == 1 && most < hz)
		hz = most;
	fclose(f);
	return hz;
}

/* --- rates ------------------------------------------------------------------------------------ */

static void store_period(struct rsp_sampler *s, int cpu)
{
	__u32 *periods_us = s->bpf->bss->rsp_sample_period_us;
	__u32 max = sizeof(s->bpf->bss->rsp_sample_period_us) / sizeof(*periods_us);

	if ((__u32)cpu < max)
		__atomic_store_n(&periods_us[cpu], S_IN_US / s->cpus[cpu].hz, __ATOMIC_RELAXED);
}

static unsigned int wanted_hz(const struct rsp_sampler *s, const struct cpu *cpu)
{
	return cpu->calm ? s->opt.calm_hz : s->opt.hz;
}

static void set_rate(struct rsp_sampler *s, int i)
{
	struct cpu *cpu = &s->cpus[i];
	unsigned int hz = wanted_hz(s, cpu);
	__u64 rate;

	if (cpu->fd < 0 || cpu->hz == hz)
		return; /* without samples, hz is 0 */
	rate = rate_of(s->cycles, hz);
	if (ioctl(cpu->fd, PERF_EVENT_IOC_PERIOD, &rate) < 0)
		return;
	cpu->hz = hz;
	store_period(s, i);
}

void rsp_sampler_note_switch(struct rsp_sampler *s, const struct rsp_ev_switch *ev)
{
	if (ev->hdr.cpu < s->cpu_cnt && !(ev->hdr.flags & (RSP_SW_SEED | RSP_SW_CARRIED)))
		rsp_pace_switch(&s->cpus[ev->hdr.cpu].pace, ev->hdr.ts_ns, !ev->prev_tid);
}

void rsp_sampler_keep_pace(struct rsp_sampler *s, __u64 now_ns)
{
	if (s->opt.calm_hz >= s->opt.hz)
		return;
	for (int i = 0; i < s->cpu_cnt; i++) {
		s->cpus[i].calm = rsp_pace_is_calm(&s->cpus[i].pace, now_ns);
		set_rate(s, i);
	}
}

void rsp_sampler_expect(struct rsp_sampler *s, __u64 now_ns)
{
	for (int i = 0; i < s->cpu_cnt; i++) {
		rsp_pace_restart(&s->cpus[i].pace, now_ns);
		s->cpus[i].calm = false;
		set_rate(s, i);
	}
}

unsigned int rsp_sampler_hz(const struct rsp_sampler *s)
{
	return s->opt.hz;
}

/* --- start and end ---------------------------------------------------------------------------- */

/*
 * Does not use bpf_program__attach_perf_event(): without CAP_BPF, libbpf cannot find out that the
 * kernel has BPF links for clocks, and attaches the program in a way that cannot be undone.
 */
static int attach(struct rsp_sampler *s, struct cpu *cpu)
{
	int fd = bpf_link_create(bpf_program__fd(s->bpf->progs.on_sample), cpu->fd, BPF_PERF_EVENT,
				 NULL);

	if (fd < 0)
		return fd;
	if (ioctl(cpu->fd, PERF_EVENT_IOC_ENABLE, 0) < 0) {
		int r = -errno;

		close(fd);
		return r;
	}
	cpu->link = fd;
	return 0;
}

static void detach(struct cpu *cpu)
{
	if (cpu->link < 0)
		return;
	(void)ioctl(cpu->fd, PERF_EVENT_IOC_DISABLE, 0);
	close(cpu->link);
	cpu->link = -1;
}

static bool start_clock(struct rsp_sampler *s, __u32 type, __u64 config, int i)
{
	struct cpu *cpu = &s->cpus[i];

	cpu->fd = open_clock(type, config, i, s->opt.hz);
	if (cpu->fd < 0)
		return false;
	cpu->hz = s->opt.hz;
	store_period(s, i);
	if (s->halted || attach(s, cpu) == 0)
		return true;
	close(cpu->fd);
	cpu->fd = -1;
	return false;
}

void rsp_sampler_halt(struct rsp_sampler *s)
{
	s->halted = true;
	for (int i = 0; i < s->cpu_cnt; i++)
		detach(&s->cpus[i]);
}

int rsp_sampler_resume(struct rsp_sampler *s)
{
	int ret = 0;

	s->halted = false;
	for (int i = 0; i < s->cpu_cnt; i++) {
		struct cpu *cpu = &s->cpus[i];
		int r = cpu->fd >= 0 && cpu->link < 0 ? attach(s, cpu) : 0;

		if (r < 0)
			ret = r;
	}
	return ret;
}

static bool start_clocks(struct rsp_sampler *s, const struct rsp_rings *rings, __u32 type,
			 __u64 config)
{
	bool any = false;

	for (int i = 0; i < s->cpu_cnt; i++)
		if (rsp_rings_has(rings, i) && start_clock(s, type, config, i))
			any = true;
	return any;
}

static void start(struct rsp_sampler *s, const struct rsp_rings *rings, struct rsp_ladder *ladder)
{
	s->cycles = s->opt.hz && s->bpf->rodata->rsp_samples_by_nmi &&
		    start_clocks(s, rings, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	if (!s->opt.hz)
		rsp_ladder_add(ladder, "samples", "none", "switched off", true);
	else if (s->cycles)
		rsp_ladder_add(ladder, "samples", "cycles", "there is a PMU", true);
	else if (start_clocks(s, rings, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK))
		rsp_ladder_add(ladder, "samples", "cpu-clock", "there is no PMU", true);
	else {
		s->opt.hz = 0;
		rsp_ladder_add(ladder, "samples", "none",
			       "perf_event_open is refused: above 2, kernel.perf_event_paranoid "
			       "takes CAP_SYS_ADMIN on some kernels",
			       false);
	}
}

int rsp_sampler_new(struct rsp_bpf *bpf, const struct rsp_rings *rings, int cpu_cnt,
		    const struct rsp_sampler_options *opt, bool halted, struct rsp_ladder *ladder,
		    struct rsp_sampler **ret)
{
	struct rsp_sampler *s = calloc(1, sizeof(*s) + (size_t)cpu_cnt * sizeof(s->cpus[0]));

	if (!s)
		return -ENOMEM;
	s->bpf = bpf;
	s->cpu_cnt = cpu_cnt;
	s->halted = halted;
	for (int i = 0; i < cpu_cnt; i++)
		s->cpus[i].fd = s->cpus[i].link = -1;
	s->opt.hz = rsp_ladder_rejects(ladder, RSP_FEATURE_SAMPLES) ? 0 : allowed_hz(opt->hz);
	s->opt.calm_hz = opt->calm_hz ? opt->calm_hz : s->opt.hz;
	start(s, rings, ladder);
	*ret = s;
	return 0;
}

struct rsp_sampler *rsp_sampler_free(struct rsp_sampler *s)
{
	if (!s)
		return NULL;
	for (int i = 0; i < s->cpu_cnt; i++) {
		detach(&s->cpus[i]);
		if (s->cpus[i].fd >= 0)
			close(s->cpus[i].fd);
	}
	free(s);
	return NULL;
}
