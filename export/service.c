/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See service.h. */
#include "export/service.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <time.h>

#include "export/backoff.h"
#include "export/log.h"
#include "export/sender.h"
#include "lib/base/format.h"

struct service {
	struct rsp_collector *c;
	sd_event_source *collecting;
	struct sending {
		struct service *service;
		struct rsp_place *place;
		sd_event_source *timer; /* disabled while there is nothing to send */
	} sendings[RSP_SINK_CNT];
};

static int arm(sd_event_source *timer, uint64_t us)
{
	int r = sd_event_source_set_time_relative(timer, us);

	return r < 0 ? r : sd_event_source_set_enabled(timer, SD_EVENT_ONESHOT);
}

static void notify(const struct service *s)
{
	char bytes[RSP_FORMAT_MAX], text[512] = "STATUS=";

	for (size_t i = 0; i < s->c->place_cnt; i++) {
		const struct rsp_place *place = &s->c->places[i];
		size_t at = strlen(text);

		snprintf(text + at, sizeof(text) - at, "%s%s: %zu batches (%s) wait", i ? "; " : "",
			 place->section, rsp_spool_cnt(place->spool),
			 rsp_format_bytes(rsp_spool_bytes(place->spool), bytes, sizeof(bytes)));
		at = strlen(text);
		if (rsp_spool_day(place->spool)->left_out_cnt > 0)
			snprintf(text + at, sizeof(text) - at, ", %" PRIu64 " left out (MaxDaily=)",
				 rsp_spool_day(place->spool)->left_out_cnt);
	}
	sd_notify(0, text);
}

static int on_send(sd_event_source *timer, uint64_t usec, void *userdata)
{
	struct sending *sending = userdata;
	uint64_t us = rsp_sender_step(sending->place, sending->service->c->host.machine);

	notify(sending->service);
	return us == RSP_SENDER_IDLE ? 0 : arm(timer, us);
}

/*
 * After a failure, the timer of a place is already running and stays unchanged: new batches do not
 * bring the server back.
 */
static int wake_sendings(struct service *s)
{
	for (size_t i = 0; i < s->c->place_cnt; i++) {
		int enabled, r = sd_event_source_get_enabled(s->sendings[i].timer, &enabled);

		if (r >= 0 && enabled == SD_EVENT_OFF && rsp_spool_cnt(s->c->places[i].spool) > 0)
			r = arm(s->sendings[i].timer, 0);
		if (r < 0)
			return r;
	}
	return 0;
}

static int on_collect(sd_event_source *timer, uint64_t usec, void *userdata)
{
	struct service *s = userdata;
	uint64_t interval_us = s->c->config->interval_ns / 1000;
	int r;

	rsp_collect(s->c);
	notify(s);
	r = wake_sendings(s);
	return r < 0 ? r : arm(timer, rsp_backoff_jitter_us(interval_us, rsp_backoff_random()));
}

/*
 * The first collection begins soon, so that a restart of the service loses little data. It begins
 * at a random time, so that the hosts of a fleet do not all collect at the same moment.
 */
static int add_sources(struct service *s, sd_event *event)
{
	uint64_t interval_us = s->c->config->interval_ns / 1000;
	uint64_t first_us = rsp_backoff_us(1, 0, rsp_backoff_random());
	int r = sd_event_add_signal(event, NULL, SIGTERM, NULL, NULL);

	if (r >= 0)
		r = sd_event_add_signal(event, NULL, SIGINT, NULL, NULL);
	for (size_t i = 0; r >= 0 && i < s->c->place_cnt; i++) {
		struct sending *sending = &s->sendings[i];

		*sending = (struct sending){.service = s, .place = &s->c->places[i]};
		r = sd_event_add_time_relative(event, &sending->timer, CLOCK_MONOTONIC, first_us, 0,
					       on_send, sending);
	}
	if (first_us > interval_us)
		first_us = interval_us;
	if (r >= 0)
		r = sd_event_add_time_relative(event, &s->collecting, CLOCK_MONOTONIC, first_us, 0,
					       on_collect, s);
	return r;
}

int rsp_export_serve(struct rsp_collector *c)
{
	struct service s = {.c = c};
	sd_event *event = NULL;
	int r = sd_event_new(&event);

	if (r >= 0)
		r = sd_event_set_watchdog(event, true);
	if (r >= 0)
		r = add_sources(&s, event);
	if (r >= 0) {
		sd_notify(0, "READY=1");
		notify(&s);
		r = sd_event_loop(event);
	}
	sd_notify(0, "STOPPING=1");
	if (r < 0)
		rsp_export_log(LOG_ERR, "the event loop ended: %s", strerror(-r));
	for (size_t i = 0; i < c->place_cnt; i++)
		sd_event_source_unref(s.sendings[i].timer);
	sd_event_source_unref(s.collecting);
	sd_event_unref(event);
	return r < 0 ? r : 0;
}
