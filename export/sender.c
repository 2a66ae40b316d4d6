/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See sender.h. */
#include "export/sender.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/backoff.h"
#include "export/log.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"

void rsp_sender_token(const struct rsp_spool_batch *batch, const char *machine,
		      char token[static RSP_TOKEN_BYTES])
{
	snprintf(token, RSP_TOKEN_BYTES, "%s%s", machine, strchr(batch->name, '-'));
}

/* --- messages --------------------------------------------------------------------------------- */

static void log_failure(struct rsp_place *place, const struct rsp_sink_result *result)
{
	bool is_refused = result->error == -EACCES;

	/*
	 * A server that is down cannot refuse a password, so a wrong password is logged even if
	 * another failure was logged before.
	 */
	if (place->logged_error && (place->logged_refused || !is_refused))
		return;
	place->logged_error = result->error;
	place->logged_refused |= is_refused;
	rsp_export_log(LOG_WARNING, "%s does not accept data: %s; the data is kept and sent later",
		       place->section, result->why);
}

static void log_success(struct rsp_place *place)
{
	char bytes[RSP_FORMAT_MAX];

	if (!place->logged_error)
		return;
	place->logged_error = 0;
	place->logged_refused = false;
	rsp_export_log(LOG_NOTICE,
		       "%s accepts data again, after %u attempts; %zu batches (%s) waited, %" PRIu64
		       " were dropped",
		       place->section, place->failure_cnt, rsp_spool_cnt(place->spool) + 1,
		       rsp_format_bytes(rsp_spool_bytes(place->spool), bytes, sizeof(bytes)),
		       place->dropped_cnt);
	place->dropped_cnt = 0;
	place->logged_full = false;
}

/* Most rejections have the same reason, so only the first is logged. */
static void log_rejection(struct rsp_place *place, const struct rsp_sink_result *result)
{
	if (place->rejected_cnt++ == 0)
		rsp_export_log(LOG_ERR,
			       "%s rejects a batch, which is dropped: %s; further ones are dropped "
			       "without a message",
			       place->section, result->why);
}

/* --- sending ---------------------------------------------------------------------------------- */

static void attempt(struct rsp_place *place, const struct rsp_spool_batch *batch,
		    const char *machine, struct rsp_sink_result *ret)
{
	_cleanup_free_ char *bytes = NULL;
	char token[RSP_TOKEN_BYTES];
	int r = rsp_spool_read(place->spool, batch, &bytes);

	*ret = (struct rsp_sink_result){0};
	if (r == -EBADMSG || r == -ENOENT) {
		ret->error = -EBADMSG;
		snprintf(ret->why, sizeof(ret->why), "its file %s is damaged", batch->name);
		return;
	}
	if (r < 0) {
		ret->error = r;
		snprintf(ret->why, sizeof(ret->why), "cannot read %s: %s", batch->name,
			 strerror(-r));
		return;
	}
	rsp_sender_token(batch, machine, token);
	place->ops->send(place->config, place->http, token, bytes, batch->bytes, ret);
}

/*
 * If the file of the accepted batch cannot be removed, the batch must not be sent again. Returns
 * the time in us after which to call rsp_sender_step() again.
 */
static uint64_t finish(struct rsp_place *place)
{
	struct rsp_sink_result result = {0};
	int r = rsp_spool_remove_oldest(place->spool);

	place->is_accepted = r < 0;
	if (r < 0) {
		result.error = r;
		snprintf(result.why, sizeof(result.why), "cannot change its spool: %s",
			 strerror(-r));
		log_failure(place, &result);
		place->failure_cnt++;
		return rsp_backoff_us(place->failure_cnt, 0, rsp_backoff_random());
	}
	log_success(place);
	place->failure_cnt = 0;
	return rsp_spool_cnt(place->spool) > 0 ? 0 : RSP_SENDER_IDLE;
}

uint64_t rsp_sender_step(struct rsp_place *place, const char *machine)
{
	const struct rsp_spool_batch *batch = rsp_spool_oldest(place->spool);
	struct rsp_sink_result result;

	if (!batch)
		return RSP_SENDER_IDLE;
	if (place->is_accepted)
		return finish(place);
	attempt(place, batch, machine, &result);
	if (result.error == 0 && *result.why) /* the server rejected a part of the batch */
		rsp_export_log(LOG_WARNING, "%s: %s", place->section, result.why);
	if (result.error == -EBADMSG) {
		log_rejection(place, &result);
		if (place->ops->dropped)
			place->ops->dropped(place->config);
	}
	if (result.error == 0 || result.error == -EBADMSG)
		return finish(place);
	if (result.error == -ECANCELED)
		return 0;
	log_failure(place, &result);
	place->failure_cnt++;
	return rsp_backoff_us(place->failure_cnt, result.retry_after_s, rsp_backoff_random());
}
