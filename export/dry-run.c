/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See dry-run.h. The sinks make the requests, but lib/http prints the requests instead of sending
 * them. Secrets and compression are left out.
 */
#include "export/dry-run.h"

#include <stdlib.h>
#include <string.h>

#include "export/log.h"
#include "export/sender.h"
#include "lib/base/cleanup.h"

static void print_batch(struct rsp_place *place, const struct rsp_spool_batch *batch,
			const char *machine)
{
	_cleanup_free_ char *bytes = NULL;
	struct rsp_sink_result result = {0};
	char token[RSP_TOKEN_BYTES];
	int r = rsp_spool_read(place->spool, batch, &bytes);

	if (r < 0) {
		rsp_export_log(LOG_ERR, "cannot read %s of the spool: %s", batch->name,
			       strerror(-r));
		return;
	}
	rsp_sender_token(batch, machine, token);
	place->ops->send(place->config, place->http, token, bytes, batch->bytes, &result);
	if (result.error < 0)
		rsp_export_log(LOG_ERR, "%s: %s", place->section, result.why);
}

void rsp_dry_run(struct rsp_collector *c)
{
	for (size_t i = 0; i < c->place_cnt; i++)
		for (size_t k = 0; k < rsp_spool_cnt(c->places[i].spool); k++)
			print_batch(&c->places[i], rsp_spool_at(c->places[i].spool, k),
				    c->host.machine);
	rsp_collect(c);
	fflush(stdout);
}
