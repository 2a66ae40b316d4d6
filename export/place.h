/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a configured sink: its spool, its connection, and the known state of its server. */
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
	const char *section; /* "ClickHouse": its name in messages */
	struct rsp_http *http;
	struct rsp_spool *spool;

	/* sender.c */
	unsigned int failure_cnt; /* attempts that failed in a row */
	int logged_error;	  /* the last logged error; 0: none */
	bool logged_refused;	  /* refused credentials were logged */
	uint64_t rejected_cnt;	  /* batches that the server rejected */
	/* The server has accepted the oldest batch, but its file could not be removed. */
	bool is_accepted;

	/* collector.c */
	uint64_t dropped_cnt; /* batches dropped because the spool was full */
	bool logged_full;
	bool logged_put;	     /* it was logged that batches cannot be spooled */
	bool put_worked, put_failed; /* a put worked, or failed, in this collection */
};

#endif
