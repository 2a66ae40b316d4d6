/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration as it is in force: files and command line, read at start and again on SIGHUP;
 * what is wrong with it goes to the journal.
 */
#ifndef RSP_DAEMON_SETTINGS_H
#define RSP_DAEMON_SETTINGS_H

#include <systemd/sd-event.h>

#include "options.h"

struct rsp_recorder;

/* 0 and *ret; -errno: a file that is there cannot be read. What is wrong has been told. */
int rsp_settings_load(const struct rsp_options *opt, struct rsp_config **ret,
		      unsigned int *ret_problem_cnt);

/*
 * Like it, at start: a recorder with what it has by default is better than none, unless the file
 * was named on the command line.
 */
int rsp_settings_begin(const struct rsp_options *opt, struct rsp_config **ret);

struct rsp_reloading {
	const struct rsp_options *opt;
	struct rsp_recorder *rec;
	const struct rsp_config *now; /* the recorder's */
};

/* From now on SIGHUP reloads; r must outlive the loop. A file that cannot be read changes nothing.
 */
int rsp_settings_reload_on_hangup(sd_event *event, struct rsp_reloading *r);

#endif
