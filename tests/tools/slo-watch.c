/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slo-watch FILE [NET]: measures the SLOs of the configuration FILE, as rspd does. Prints one JSON
 * object per line:
 *
 *	{"ready": true}		all probes are attached
 *	{"breach": NAME, …}	an SLO was breached
 *	{"state": NAME, …}	the state of an SLO; printed for all SLOs on SIGUSR1 and at the end
 *
 * SIGTERM ends the program. SIGHUP makes it read FILE again. NET is the kind of probe for the
 * network: tracepoint, fentry or kprobe.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-event.h>

#include "daemon/base/clock.h"
#include "daemon/capture/capture.h"
#include "daemon/config/config-keys.h"
#include "daemon/config/config.h"
#include "daemon/slo/slo.h"

#define INTERVAL_US 100000

struct watch {
	const char *file;
	struct rsp_capture *capture;
	struct rsp_slos *slos;
	struct rsp_config *config;
	bool announced;
};

static void on_record(const void *rec, size_t len, void *userdata)
{
}

static void on_problem(const char *file, unsigned int line, const char *text, void *userdata)
{
	errx(1, "%s:%u: %s", file ? file : "", line, text);
}

static void on_breach(const struct rsp_slo_breach *b, void *userdata)
{
	printf("{\"breach\": \"%s\", \"tgid\": %d, \"tid\": %d, \"value_ns\": %llu, "
	       "\"start_ns\": %llu, \"end_ns\": %llu, \"cnt\": %llu, \"over\": %llu}\n",
	       b->slo->name, b->tgid, b->tid, b->value_ns, b->start_ns, b->end_ns, b->cnt,
	       b->over_cnt);
}

static void print_states(struct watch *w)
{
	struct rsp_slo_state states[RSP_SLO_MAX];
	size_t cnt = rsp_slos_get(w->slos, states);

	for (size_t i = 0; i < cnt; i++) {
		const struct rsp_slo_state *s = &states[i];

		printf("{\"state\": \"%s\", \"measured\": %s, \"why\": \"%s\", \"cnt\": %llu, "
		       "\"over\": %llu, \"unmeasured\": %llu, \"lost\": %llu, \"sum_ns\": %llu, "
		       "\"max_ns\": %llu, \"breaches\": %llu, \"suppressed\": %llu}\n",
		       s->config->name, s->measured ? "true" : "false", s->why, s->cnt, s->over_cnt,
		       s->unmeasured_cnt, s->lost_cnt, s->sum_ns, s->max_ns, s->breach_cnt,
		       s->suppressed_cnt);
	}
	puts("{\"states\": true}");
}

static void load(struct watch *w)
{
	struct rsp_config *config;
	unsigned int problem_cnt;
	int r;

	if (rsp_config_load_file(w->file, on_problem, NULL, &config, &problem_cnt) < 0)
		errx(1, "%s cannot be read", w->file);
	r = rsp_slos_configure(w->slos, config->slos, config->slo_cnt);
	if (r < 0)
		errx(1, "configure: %s", strerror(-r));
	rsp_config_free(w->config);
	w->config = config;
	w->announced = false;
}

static void poll_now(struct watch *w)
{
	(void)rsp_capture_drain(w->capture);
	rsp_slos_poll(w->slos, rsp_now_ns());
}

static int on_signal(sd_event_source *source, const struct signalfd_siginfo *si, void *userdata)
{
	struct watch *w = userdata;

	if (si->ssi_signo == SIGHUP) {
		load(w);
	} else {
		poll_now(w);
		print_states(w);
	}
	return si->ssi_signo == SIGTERM ? sd_event_exit(sd_event_source_get_event(source), 0) : 0;
}

static int on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct watch *w = userdata;

	poll_now(w);
	if (!w->announced)
		puts("{\"ready\": true}");
	w->announced = true;
	sd_event_source_set_time_relative(source, INTERVAL_US);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

int main(int argc, char **argv)
{
	static const int signals[] = {SIGHUP, SIGUSR1, SIGTERM};
	struct rsp_capture_options opt = {
		.btf_path = "/sys/kernel/btf/vmlinux",
		.ring_bytes = 4 << 20,
		.binaries = {.table_budget_bytes = 8 << 20},
	};
	struct watch w = {0};
	struct rsp_reason why;
	sd_event *event;
	sigset_t set;

	if (argc < 2 || argc > 3 || (argc == 3 && rsp_net_step_parse(argv[2], &opt.net) < 0))
		errx(2, "usage: slo-watch FILE [tracepoint|fentry|kprobe]");
	w.file = argv[1];
	setlinebuf(stdout);
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaddset(&set, signals[i]);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (sd_event_new(&event) < 0)
		errx(1, "no event loop");
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sd_event_add_signal(event, NULL, signals[i], on_signal, &w);
	if (rsp_capture_new(event, &opt, on_record, NULL, &w.capture, &why) < 0)
		errx(1, "%s", why.text);
	if (rsp_slos_new(rsp_capture_bpf(w.capture), on_breach, NULL, &w.slos) < 0)
		errx(1, "no SLOs");
	load(&w);
	sd_event_add_time(event, NULL, CLOCK_MONOTONIC, 0, 0, on_timer, &w);
	sd_event_loop(event);
	rsp_slos_free(w.slos);
	rsp_capture_free(w.capture);
	rsp_config_free(w.config);
	sd_event_unref(event);
	return 0;
}
