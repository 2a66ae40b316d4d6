/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the effective configuration from files and the command line, at start and again on SIGHUP.
 */
#ifndef RSP_DAEMON_SETTINGS_H
#define RSP_DAEMON_SETTINGS_H

#include <systemd/sd-event.h>

#include "daemon/options.h"

struct rsp_recorder;

/* Logs problems. Returns 0 and *ret, or -errno. */
int rsp_settings_load(const struct rsp_options *opt, struct rsp_config **ret,
		      unsigned int *ret_problem_cnt);

/*
 * Like rsp_settings_load(), for the start of rspd. If a file cannot be read, uses the defaults. If
 * the command line names the file, fails instead.
 */
int rsp_settings_begin(const struct rsp_options *opt, struct rsp_config **ret);

struct rsp_reloading {
	const struct rsp_options *opt;
	struct rsp_recorder *rec;
	const struct rsp_config *now; /* the recorder's current configuration */
};

/* *r must stay valid while the loop runs. Returns 0 or -errno. */
int rsp_settings_reload_on_hangup(sd_event *event, struct rsp_reloading *r);

#endif
