/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects new summaries and snapshots into the spools. A place is a sink with its spool. Each
 * place has its own cursor. So if one spool fails, the other places do not receive data twice.
 */
#ifndef RSP_EXPORT_COLLECTOR_H
#define RSP_EXPORT_COLLECTOR_H

#include "export/export-config.h"
#include "export/place.h"
#include "export/source.h"

struct rsp_collector {
	const struct rsp_export_config *config;
	const char *socket, *store;
	struct rsp_export_host host;
	struct rsp_place *places;
	size_t place_cnt;
	bool is_dry_run; /* print batches, and do not change spools */

	/* Errors and conditions that have been logged. */
	int logged_source_error;
	uint32_t logged_daily; /* the day on which it was logged that MaxDaily= was reached */
	bool logged_damaged, logged_store, logged_none;
};

void rsp_collect(struct rsp_collector *c);

#endif
