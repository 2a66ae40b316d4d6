/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place is a configured sink with its spool, its connection, and the known state of its server.
 */
#ifndef RSP_EXPORT_PLACE_H
#define RSP_EXPORT_PLACE_H

#include <stdbool.h>

#include "export/export-config.h"
#include "export/sink.h"
#include "export/spool.h"

struct rsp_place {
	enum rsp_sink_kind kind;
	const struct rsp_sink_ops *ops;
	const void *config;
	const char *section; /* name of the place in messages: "ClickHouse" */
	struct rsp_http *http;
	struct rsp_spool *spool;

	/* sender.c */
	unsigned int failure_cnt; /* failed attempts in a row */
	int logged_error;	  /* -errno that was logged last; 0: none */
	bool logged_refused;	  /* it was logged that the server refused the credentials */
	uint64_t rejected_cnt;	  /* number of batches that the server rejected */
	/*
	 * the server has accepted the oldest batch, but the file of the batch could not be removed
	 */
	bool is_accepted;

	/* collector.c */
	uint64_t dropped_cnt; /* batches dropped because the spool was full */
	bool logged_full;
	bool logged_put; /* it was logged that batches cannot be spooled */
	/* in this collection, at least one batch was spooled, or could not be spooled */
	bool put_worked, put_failed;
};

#endif
