/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rsp-export: sends summaries and snapshots of this host to servers of the fleet. It has no
 * capabilities. It reads the recorder's socket and store. Exit status: 0: success; 1: failure or,
 * with --once, some batches were not sent; 2: usage; 6: errors in the configuration.
 */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>

#include "export/collector.h"
#include "export/dry-run.h"
#include "export/host.h"
#include "export/log.h"
#include "export/options.h"
#include "export/places.h"
#include "export/sender.h"
#include "export/service.h"
#include "lib/base/cleanup.h"

/* --- configuration ---------------------------------------------------------------------------- */

static void on_problem(const char *file, unsigned int line, const char *text, void *userdata)
{
	if (file && line)
		rsp_export_log(LOG_ERR, "%s:%u: %s", file, line, text);
	else
		rsp_export_log(LOG_ERR, "%s%s%s", file ? file : "", file ? ": " : "", text);
}

/*
 * If a user starts rsp-export, it reads the credentials from /etc/credstore, where systemd finds
 * the credentials for the service.
 */
static int load(const struct rsp_export_options *opt, struct rsp_export_config **ret)
{
	static const char *const dirs[] = {"/etc", "/run", "/usr/local/lib", "/usr/lib", NULL};
	const struct rsp_export_sources sources = {
		.file = opt->config,
		.dirs = dirs,
		.credentials_dir = getenv("CREDENTIALS_DIRECTORY") ?: "/etc/credstore",
	};

	return rsp_export_config_load(&sources, on_problem, NULL, ret);
}

/* --- running ---------------------------------------------------------------------------------- */

/*
 * Returns whether a signal asks rsp-export to stop. The event loop does not run during a request.
 */
static bool stop(void *userdata)
{
	sigset_t pending;

	sd_notify(0, "WATCHDOG=1");
	return sigpending(&pending) == 0 &&
	       (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1);
}

/*
 * Sends the batches of each place until its spool is empty, its server fails, or a signal asks
 * rsp-export to stop. Returns whether all batches were sent.
 */
static bool send_all(struct rsp_collector *c)
{
	bool all = true;

	for (size_t i = 0; i < c->place_cnt; i++) {
		uint64_t us;

		do
			us = rsp_sender_step(&c->places[i], c->host.machine);
		while (us == 0 && !stop(NULL));
		all &= us == RSP_SENDER_IDLE;
	}
	return all;
}

static int run(const struct rsp_export_options *opt, const struct rsp_export_config *config,
	       struct rsp_places *places)
{
	struct rsp_collector c = {
		.config = config,
		.socket = opt->socket,
		.store = opt->store,
		.places = places->v,
		.place_cnt = places->cnt,
		.is_dry_run = opt->mode == RSP_EXPORT_DRY_RUN,
	};
	int r = rsp_export_host_get(&c.host);

	if (r < 0) {
		rsp_export_log(LOG_ERR, "this machine has no ID (machine-id(5)): %s", strerror(-r));
		return EXIT_FAILURE;
	}
	if (opt->mode == RSP_EXPORT_RUN)
		return rsp_export_serve(&c) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	if (opt->mode == RSP_EXPORT_DRY_RUN) {
		rsp_dry_run(&c);
		return c.logged_source_error ? EXIT_FAILURE : EXIT_SUCCESS;
	}
	rsp_collect(&c);
	return send_all(&c) && !c.logged_source_error ? EXIT_SUCCESS : EXIT_FAILURE;
}

/*
 * The event loop reads SIGTERM and SIGINT from a descriptor, and stop() finds them pending during a
 * request.
 */
static void block_signals(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGINT);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
	_cleanup_free_ struct rsp_export_config *config = NULL;
	struct rsp_export_options opt;
	struct rsp_places places;
	int status = rsp_export_options_parse(argc, argv, &opt);

	if (status >= 0)
		return status;
	if (load(&opt, &config) < 0)
		return RSP_EXPORT_EXIT_CONFIG;
	if (opt.mode == RSP_EXPORT_CHECK) {
		puts("The configuration is fine.");
		return EXIT_SUCCESS;
	}
	/* The heap must return the memory of freed summaries to the kernel at once. */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	mallopt(M_TRIM_THRESHOLD, 256 << 10);
	block_signals();
	if (rsp_places_new(&(struct rsp_places_options){.config = config,
							.store = opt.store,
							.stop = stop,
							.dry_run = opt.mode == RSP_EXPORT_DRY_RUN
									   ? stdout
									   : NULL},
			   &places) < 0)
		return EXIT_FAILURE;
	status = run(&opt, config, &places);
	rsp_places_done(&places);
	return status;
}
