/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * governor BUDGET_PPM: records within a budget (daemon/governor), and discards the records, until
 * it gets SIGTERM. Prints "step N, budget B, cost C" for each step of the governor, and "pause N"
 * at the end of each pause. At the end it prints:
 *
 *	program NAME COUNT NANOSECONDS		runs of each BPF program, and their total time
 *	pauses CNT for NANOSECONDS, MISSING	number of pauses; time that records of pauses
 *						cover; paused time that no record covers
 *	seeds CNT of which CNT			SEED records; SEED records with RSP_SW_SAME
 *	sheds CNT NANOSECONDS			SHED records, and the time that they cover
 *	stacks at step N: CNT of CNT		switches with a stack, and all switches
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/governor/governor.h"

#define INTERVAL_US 100000

struct harness {
	struct rsp_capture *capture;
	struct rsp_governor *governor;
	enum rsp_shed step;
	__u64 record_cnt;
	__u64 shed_cnt, shed_ns, shed_until_ns;
	__u64 switch_cnt[RSP_SHED_CNT], stack_cnt[RSP_SHED_CNT];
	__u64 pause_cnt, paused_ns, seed_cnt, same_cnt;
};

static void count_shed(struct harness *h, const struct rsp_ev_shed *shed)
{
	if (shed->from_ns < h->shed_until_ns || shed->hdr.ts_ns <= shed->from_ns)
		errx(1, "SHED records overlap");
	h->shed_until_ns = shed->hdr.ts_ns;
	h->shed_ns += shed->hdr.ts_ns - shed->from_ns;
	h->shed_cnt++;
}

static void sink(const void *record, size_t len, void *userdata)
{
	const struct rsp_ev_hdr *hdr = record;
	const struct rsp_ev_switch *sw = record;
	struct harness *h = userdata;

	h->record_cnt++;
	if (hdr->kind == RSP_EV_LOST && hdr->flags & RSP_LOST_PAUSED)
		h->paused_ns += hdr->ts_ns - ((const struct rsp_ev_lost *)record)->from_ns;
	if (hdr->kind == RSP_EV_SWITCH && hdr->flags & RSP_SW_SEED) {
		h->seed_cnt++;
		h->same_cnt += (hdr->flags & RSP_SW_SAME) != 0;
		return;
	}
	if (hdr->kind == RSP_EV_SHED)
		count_shed(h, record);
	if (hdr->kind != RSP_EV_SWITCH || !sw->prev_tid)
		return;
	h->switch_cnt[h->step]++;
	h->stack_cnt[h->step] += sw->kstack != 0;
}

static void on_step(enum rsp_shed from, enum rsp_shed to, const struct rsp_cost_stats *stats,
		    void *userdata)
{
	struct harness *h = userdata;

	printf("step %d, budget %u, cost %u\n", to, stats->budget_ppm, stats->cost_ppm);
	fflush(stdout);
	h->step = to;
}

static void keep_duty(struct harness *h)
{
	bool pause = rsp_governor_wants_pause(h->governor);

	rsp_capture_want_long_waits(h->capture, rsp_governor_wants_long_waits(h->governor));
	if (pause == rsp_capture_is_paused(h->capture))
		return;
	if (rsp_capture_pause(h->capture, pause) < 0)
		errx(1, "recording paused and cannot go on");
	if (pause)
		return;
	printf("pause %llu\n", ++h->pause_cnt);
	fflush(stdout);
}

static int on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct harness *h = userdata;

	rsp_capture_drain(h->capture);
	rsp_governor_poll(h->governor, rsp_now_ns(), h->record_cnt, 0,
			  rsp_capture_is_paused(h->capture));
	keep_duty(h);
	return sd_event_source_set_time_relative(source,
						 rsp_governor_poll_interval_ns(h->governor) / 1000);
}

static void print_all(struct harness *h)
{
	struct rsp_cost_stats stats;

	rsp_governor_get(h->governor, &stats);
	for (size_t i = 0; i < stats.program_cnt; i++)
		printf("program %s %llu %llu\n", stats.programs[i].name, stats.programs[i].run_cnt,
		       stats.programs[i].run_ns);
	if (rsp_capture_is_paused(h->capture) && rsp_capture_pause(h->capture, false) < 0)
		errx(1, "recording paused and cannot go on");
	printf("pauses %llu for %llu, %lld\n", h->pause_cnt, h->paused_ns,
	       (long long)(rsp_capture_paused_ns(h->capture) - h->paused_ns));
	printf("seeds %llu of which %llu\n", h->seed_cnt, h->same_cnt);
	printf("sheds %llu %llu\n", h->shed_cnt, h->shed_ns);
	for (int step = 0; step < RSP_SHED_CNT; step++)
		printf("stacks at step %d: %llu of %llu\n", step, h->stack_cnt[step],
		       h->switch_cnt[step]);
}

int main(int argc, char **argv)
{
	static const struct rsp_capture_options options = {
		.btf_path = "/sys/kernel/btf/vmlinux",
		.ring_bytes = 4 << 20,
		.samples = {.hz = 99},
		.binaries = {.table_budget_bytes = 64 << 20},
	};
	sd_event_source *timer = NULL;
	struct harness h = {0};
	sd_event *event = NULL;
	struct rsp_reason why = {""};
	sigset_t term;
	int r;

	if (argc != 2)
		errx(2, "usage: governor BUDGET_PPM");
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigaddset(&term, SIGCHLD);
	sigprocmask(SIG_BLOCK, &term, NULL);
	if (sd_event_default(&event) < 0 ||
	    sd_event_add_signal(event, NULL, SIGTERM, NULL, NULL) < 0)
		errx(1, "no event loop");
	r = rsp_capture_new(event, &options, sink, &h, &h.capture, &why);
	if (r < 0)
		errx(1, "cannot record: %s: %s", why.text, strerror(-r));
	r = rsp_governor_new(rsp_capture_bpf(h.capture), (__u32)atoi(argv[1]), sink, on_step, &h,
			     &h.governor);
	if (r == 0)
		r = sd_event_add_time_relative(event, &timer, CLOCK_MONOTONIC, INTERVAL_US, 0,
					       on_timer, &h);
	if (r == 0)
		r = sd_event_source_set_enabled(timer, SD_EVENT_ON);
	if (r < 0)
		errx(1, "cannot govern: %s", strerror(-r));
	puts("ready");
	fflush(stdout);
	sd_event_loop(event);
	print_all(&h);
	rsp_governor_free(h.governor);
	rsp_capture_free(h.capture);
	sd_event_source_unref(timer);
	sd_event_unref(event);
	return 0;
}
