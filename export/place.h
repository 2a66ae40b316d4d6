/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A configured sink at work: its spool, its connection, and what is known about its server. */
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
	int told_error;		  /* the error that was logged; 0: none */
	bool told_refused;	  /* that the server refuses the credentials was logged */
	uint64_t rejected_cnt;	  /* batches that the server did not want */
	/* The oldest batch was accepted, but its file could not be removed. */
	bool is_accepted;

	/* collector.c */
	uint64_t dropped_cnt; /* batches dropped because the spool was full */
	bool told_full;
	bool told_put;		     /* that batches cannot be spooled was logged */
	bool put_worked, put_failed; /* in this collection */
};

#endif
