/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds batches to the spools, within their limits. See collector-parts.h. */
#include "export/collector-parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "export/log.h"
#include "export/spool-state.h"
#include "lib/base/format.h"

static uint64_t bytes_of_day(const struct rsp_collector *c, uint32_t date)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < c->place_cnt; i++) {
		const struct rsp_spool_day *day = rsp_spool_day(c->places[i].spool);

		bytes += day->date == date ? day->bytes : 0;
	}
	return bytes;
}

static bool is_within_day(struct rsp_collector *c, uint64_t bytes)
{
	uint32_t date = rsp_spool_date_of(time(NULL));
	char limit[RSP_FORMAT_MAX];

	if (bytes <= c->config->max_daily_bytes &&
	    bytes_of_day(c, date) <= c->config->max_daily_bytes - bytes)
		return true;
	if (c->logged_daily != date)
		rsp_export_log(LOG_WARNING,
			       "MaxDaily=%s is reached: the rest of the day (UTC) is left out",
			       rsp_format_bytes(c->config->max_daily_bytes, limit, sizeof(limit)));
	c->logged_daily = date;
	return false;
}

/* --- the quota of the spool ------------------------------------------------------------------- */

/*
 * keep_quota() drops the batches of the place with the largest spool first, so that a server that
 * is down does not cause the loss of data for other servers.
 */
static struct rsp_place *find_largest(const struct rsp_collector *c)
{
	struct rsp_place *largest = &c->places[0];

	for (size_t i = 1; i < c->place_cnt; i++)
		if (rsp_spool_bytes(c->places[i].spool) > rsp_spool_bytes(largest->spool))
			largest = &c->places[i];
	return largest;
}

static uint64_t spooled_bytes(const struct rsp_collector *c)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < c->place_cnt; i++)
		bytes += rsp_spool_bytes(c->places[i].spool);
	return bytes;
}

static int drop_oldest(struct rsp_place *place)
{
	int r = rsp_spool_remove_oldest(place->spool);

	if (r < 0)
		return r;
	if (place->is_accepted) {
		place->is_accepted = false;
		return 0;
	}
	if (place->ops->dropped)
		place->ops->dropped(place->config);
	place->dropped_cnt++;
	if (!place->logged_full)
		rsp_export_log(LOG_WARNING,
			       "the spool is full (MaxUse=): the oldest batches for %s are dropped "
			       "until it accepts data again",
			       place->section);
	place->logged_full = true;
	return 0;
}

static void keep_quota(struct rsp_collector *c)
{
	while (spooled_bytes(c) > c->config->max_use_bytes)
		if (drop_oldest(find_largest(c)) < 0)
			return; /* the quota is checked again with the next batch */
}

/* --- delivering ------------------------------------------------------------------------------- */

static void print(struct rsp_place *place, const struct rsp_batch *batch,
		  const struct rsp_buffer *bytes)
{
	struct rsp_sink_result result = {0};

	place->ops->send(place->config, place->http, batch->token, bytes->v, bytes->len, &result);
	if (result.error < 0)
		rsp_export_log(LOG_ERR, "%s: %s", place->section, result.why);
}

static void note_put(struct rsp_place *place, int error)
{
	place->put_worked |= error == 0;
	place->put_failed |= error < 0;
	if (error < 0 && !place->logged_put)
		rsp_export_log(
			LOG_ERR,
			"cannot spool for %s: %s; the recorder keeps the last summaries, and "
			"older ones are lost",
			place->section, strerror(-error));
	place->logged_put |= error < 0;
}

/*
 * Logs that the spool works again only if all batches of this collection were spooled: when a disk
 * is full, some batches may fit and others may not.
 */
void rsp_collector_end_round(struct rsp_place *place)
{
	if (place->logged_put && place->put_worked && !place->put_failed) {
		rsp_export_log(LOG_NOTICE, "the spool for %s works again", place->section);
		place->logged_put = false;
	}
	place->put_worked = false;
	place->put_failed = false;
}

static int spool(struct rsp_collector *c, struct rsp_place *place,
		 const struct rsp_spool_content *content, const struct rsp_buffer *bytes,
		 uint64_t extra_bytes)
{
	int r;

	if (bytes->len > 0 && !is_within_day(c, bytes->len + extra_bytes)) {
		r = rsp_spool_pass(place->spool, content);
		rsp_spool_day(place->spool)->left_out_cnt++;
		if (place->ops->dropped)
			place->ops->dropped(place->config);
	} else if (bytes->len == 0) {
		r = rsp_spool_pass(place->spool, content);
	} else {
		r = rsp_spool_put(place->spool, content, bytes->v, bytes->len);
		if (r == 0)
			rsp_spool_day(place->spool)->bytes += extra_bytes;
		else if (place->ops->dropped)
			place->ops->dropped(place->config);
	}
	note_put(place, r);
	if (r == 0)
		keep_quota(c);
	return r;
}

int rsp_collector_deliver(struct rsp_collector *c, struct rsp_place *place, struct rsp_batch *batch,
			  const struct rsp_spool_content *content, uint64_t extra_bytes)
{
	_cleanup_buffer_ struct rsp_buffer bytes = {0};
	char token[192];
	int r;

	if (content->boot)
		snprintf(token, sizeof(token), "%s-%s-%" PRIu64 "-%" PRIu64, c->host.machine,
			 content->boot, content->first, content->last);
	else
		snprintf(token, sizeof(token), "%s-snapshot-%s", c->host.machine, content->id);
	batch->token = token;
	r = place->ops->encode(place->config, batch, &bytes);
	if (r < 0) {
		note_put(place, r);
		return r;
	}
	if (!c->is_dry_run)
		return spool(c, place, content, &bytes, extra_bytes);
	if (bytes.len > 0)
		print(place, batch, &bytes);
	return 0;
}
