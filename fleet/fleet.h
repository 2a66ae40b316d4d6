/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations for all questions of rspctl fleet. rspctl runs the program rsp-fleet to answer a
 * question, so that rspctl itself does not use the network.
 */
#ifndef RSP_FLEET_FLEET_H
#define RSP_FLEET_FLEET_H

#include <stdio.h>

#include "cli/rspctl.h"
#include "fleet/config.h"
#include "lib/fleet/source.h"

struct rsp_fleet_options {
	const char *clickhouse, *database, *user, *config; /* NULL: not given */
	const char *since, *until, *before, *after;	   /* NULL: not given */
	uint64_t last_ns, timeout_ns;
	const char *unit, *host; /* NULL: all */
	size_t limit;
	bool slowest, shows_sql;
	enum rsp_json_mode json;
	const char *output; /* NULL: not given */
	char **args;	    /* arguments after the question */
	int arg_cnt;
};

struct rsp_fleet_connection;

struct rsp_fleet {
	struct rsp_fleet_options opt;
	struct rsp_fleet_config config;
	struct rsp_fleet_connection *connection;
};

/* Each function answers one question, reports errors, and returns an enum rsp_exit. */
int rsp_fleet_top(struct rsp_fleet *fleet);
int rsp_fleet_outliers(struct rsp_fleet *fleet);
int rsp_fleet_diff(struct rsp_fleet *fleet);
int rsp_fleet_requests(struct rsp_fleet *fleet);
int rsp_fleet_get(struct rsp_fleet *fleet);
int rsp_fleet_setup(struct rsp_fleet *fleet);

#endif
