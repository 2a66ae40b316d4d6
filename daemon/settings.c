/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See settings.h. */
#include "daemon/settings.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/journal.h"
#include "daemon/recorder.h"
#include "daemon/service.h"

static void on_problem(const char *file, unsigned int line, const char *text, void *userdata)
{
	struct rsp_journal_fields fields = {.config_file = file, .config_line = line};

	if (file && line)
		rsp_journal(RSP_MSG_CONFIG, LOG_WARNING, &fields, "%s:%u: %s", file, line, text);
	else
		rsp_journal(RSP_MSG_CONFIG, LOG_WARNING, &fields, "%s%s%s", file ? file : "",
			    file ? ": " : "", text);
}

/*
 * Sampling rates of a recorder for one command. The rates are high, because only runs (times on a
 * CPU) with a sample can be explained, and most runs are shorter than a millisecond. The rates are
 * primes, so that samples do not run in step with the kernel's ticks.
 */
#define RUN_SAMPLE_HZ	   4999
#define RUN_CALM_SAMPLE_HZ 997

int rsp_settings_load(const struct rsp_options *opt, struct rsp_config **ret,
		      unsigned int *ret_problem_cnt)
{
	static const char *const dirs[] = {"/etc", "/run", "/usr/local/lib", "/usr/lib", NULL};
	struct rsp_config *config;
	int r = 0;

	*ret_problem_cnt = 0;
	if (opt->private_fd >= 0) {
		config = rsp_config_new();
		r = config ? 0 : -ENOMEM;
		if (config) {
			config->cpu_ppm = 0; /* a recorder for one command records everything */
			config->sample_hz = RUN_SAMPLE_HZ;
			config->calm_sample_hz = RUN_CALM_SAMPLE_HZ;
		}
	} else if (opt->config) {
		r = rsp_config_load_file(opt->config, on_problem, NULL, &config, ret_problem_cnt);
	} else {
		r = rsp_config_load(dirs, on_problem, NULL, &config, ret_problem_cnt);
	}
	if (r < 0)
		return r;
	(void)rsp_options_apply(opt, config); /* rsp_options_parse() has checked the values */
	*ret = config;
	return 0;
}

int rsp_settings_begin(const struct rsp_options *opt, struct rsp_config **ret)
{
	unsigned int problem_cnt;
	int r = rsp_settings_load(opt, ret, &problem_cnt);

	if (r == 0 || opt->config)
		return r;
	rsp_journal(
		RSP_MSG_CONFIG, LOG_ERR, NULL,
		"the configuration cannot be read: recording begins with the defaults, and without "
		"SLOs");
	*ret = rsp_config_new();
	if (!*ret)
		return -ENOMEM;
	(void)rsp_options_apply(opt, *ret);
	return 0;
}

static void log_restart_needed(const char *key)
{
	rsp_log(LOG_NOTICE, "%s= changed; the new value takes effect after a restart", key);
}

static int on_hangup(sd_event_source *source, const struct signalfd_siginfo *info, void *userdata)
{
	struct rsp_reloading *reloading = userdata;
	struct rsp_config *next;
	unsigned int problem_cnt;
	int r;

	rsp_service_reloading();
	r = rsp_settings_load(reloading->opt, &next, &problem_cnt);
	if (r == 0) {
		rsp_config_needs_restart(reloading->now, next, log_restart_needed);
		rsp_config_keep_until_restart(reloading->now, next);
		r = rsp_recorder_configure(reloading->rec, next);
		if (r < 0)
			rsp_config_free(next);
		else
			reloading->now = next;
	}
	if (r < 0)
		rsp_journal(RSP_MSG_RELOADED, LOG_ERR, NULL,
			    "the configuration stays as it was: %s", strerror(-r));
	else
		rsp_journal(RSP_MSG_RELOADED, LOG_INFO, NULL,
			    "the configuration was read again: %zu SLOs, %u problems",
			    next->slo_cnt, problem_cnt);
	rsp_service_ready();
	return 0;
}

int rsp_settings_reload_on_hangup(sd_event *event, struct rsp_reloading *r)
{
	return sd_event_add_signal(event, NULL, SIGHUP, on_hangup, r);
}
