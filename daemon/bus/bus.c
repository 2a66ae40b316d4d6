/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See bus.h. Maintains the connection to the bus. If there is none, a timer tries again every few
 * seconds.
 */
#include "daemon/bus/bus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/access.h"
#include "daemon/base/bus-unit.h"
#include "daemon/base/journal.h"
#include "daemon/bus/bus-objects.h"
#include "daemon/bus/bus-units.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"

/* A connect() costs almost nothing, and a delay of a few seconds does no harm. */
#define RETRY_USEC    (3 * 1000000ULL)
#define ACCURACY_USEC 1000000ULL

#define LOCAL_PATH	"/org/freedesktop/DBus/Local"
#define LOCAL_INTERFACE "org.freedesktop.DBus.Local"

enum { NAME_PRIMARY_OWNER = 1 };

struct rsp_bus {
	sd_event *event;
	sd_event_source *retry;
	sd_bus *connection;		 /* NULL: not connected */
	struct rsp_bus_connection named; /* the connection, once it owns io.rsp.Recorder1 */
	bool logged;			 /* the reason for having no connection has been logged */
	struct rsp_bus_context context;
	struct rsp_bus_units units;
};

static void retry_later(struct rsp_bus *bus)
{
	if (sd_event_source_set_time_relative(bus->retry, RETRY_USEC) < 0 ||
	    sd_event_source_set_enabled(bus->retry, SD_EVENT_ONESHOT) < 0)
		rsp_log(LOG_WARNING, "D-Bus is not tried again");
}

/* Logs no second reason until there is a connection again. */
static void log_reason(struct rsp_bus *bus, int priority, const char *what, const char *why)
{
	if (!bus->logged)
		rsp_log(priority, "%s: %s; trying again", what, why);
	bus->logged = true;
}

static void disconnect(struct rsp_bus *bus)
{
	rsp_bus_requests_drop(&bus->context.requests);
	bus->connection = sd_bus_close_unref(bus->connection);
	bus->named.bus = NULL;
}

/* Starts the timer, which closes the connection later: sd-bus is still running this handler. */
static int on_disconnected(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	struct rsp_bus *bus = userdata;

	if (bus->named.bus)
		log_reason(bus, LOG_INFO, "D-Bus is gone", "the connection was closed");
	bus->named.bus = NULL;
	rsp_bus_requests_drop(&bus->context.requests);
	retry_later(bus);
	return 0;
}

static int on_name(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	struct rsp_bus *bus = userdata;
	const sd_bus_error *error = sd_bus_message_get_error(reply);
	uint32_t result = 0;

	if (!error && sd_bus_message_read(reply, "u", &result) > 0 &&
	    result == NAME_PRIMARY_OWNER) {
		bus->named.bus = bus->connection;
		bus->logged = false;
		rsp_log(LOG_DEBUG, "on D-Bus as " RSP_BUS_NAME);
		return 1;
	}
	/*
	 * A missing reply means that the bus ended during the request, so this is no refusal to
	 * log.
	 */
	if (!error || !sd_bus_error_has_name(error, SD_BUS_ERROR_NO_REPLY))
		log_reason(bus, LOG_WARNING, "D-Bus refuses the name " RSP_BUS_NAME,
			   error ? error->message : "another process owns it");
	retry_later(bus);
	return 1;
}

static int open_connection(struct rsp_bus *bus, sd_bus **ret)
{
	sd_bus *c = NULL;
	int r = sd_bus_open_system_with_description(&c, "rspd");

	/* At its end, the event loop must not wait until all messages have been sent. */
	if (r >= 0)
		r = sd_bus_set_close_on_exit(c, false);
	if (r >= 0)
		r = sd_bus_attach_event(c, bus->event, SD_EVENT_PRIORITY_NORMAL);
	if (r >= 0)
		r = sd_bus_match_signal_async(c, NULL, LOCAL_INTERFACE, LOCAL_PATH, LOCAL_INTERFACE,
					      "Disconnected", on_disconnected, NULL, bus);
	if (r >= 0)
		r = rsp_bus_add_recorder(c, &bus->context);
	if (r >= 0)
		r = rsp_bus_add_log_control(c, &bus->context);
	if (r >= 0 && bus->units.changed)
		r = rsp_bus_watch_units(c, &bus->units);
	if (r >= 0)
		r = sd_bus_request_name_async(c, NULL, RSP_BUS_NAME, 0, on_name, bus);
	if (r < 0) {
		sd_bus_close_unref(c);
		return r;
	}
	*ret = c;
	return 0;
}

/* A missing bus is not an error: many machines have no bus. */
static void connect_bus(struct rsp_bus *bus)
{
	int r;

	disconnect(bus);
	r = open_connection(bus, &bus->connection);
	if (r == 0)
		return;
	log_reason(bus, LOG_DEBUG, "no D-Bus", strerror(-r));
	retry_later(bus);
}

static int on_retry(sd_event_source *source, uint64_t usec, void *userdata)
{
	connect_bus(userdata);
	return 0;
}

int rsp_bus_new(sd_event *event, const struct rsp_recorder_ops *ops, void *ctx,
		const char *store_dir, struct rsp_bus **ret)
{
	struct rsp_bus *bus = calloc(1, sizeof(*bus));
	int r;

	if (!bus)
		return -ENOMEM;
	bus->event = event;
	bus->context = (struct rsp_bus_context){
		.ops = ops,
		.ctx = ctx,
		.store_dir = store_dir,
	};
	bus->units = (struct rsp_bus_units){.changed = ops->unit_changed, .ctx = ctx};
	rsp_bus_requests_init(&bus->context.requests, rsp_access_group());
	r = sd_event_add_time_relative(event, &bus->retry, CLOCK_MONOTONIC, 0, ACCURACY_USEC,
				       on_retry, bus);
	if (r < 0) {
		rsp_bus_free(bus);
		return r;
	}
	*ret = bus;
	return 0;
}

struct rsp_bus *rsp_bus_free(struct rsp_bus *bus)
{
	if (!bus)
		return NULL;
	disconnect(bus);
	sd_event_source_disable_unref(bus->retry);
	free(bus);
	return NULL;
}

const struct rsp_bus_connection *rsp_bus_connection(const struct rsp_bus *bus)
{
	return bus ? &bus->named : NULL;
}

void rsp_bus_emit_snapshot(struct rsp_bus *bus, const char *id, const char *slo, pid_t pid,
			   const char *path, const char *headline)
{
	_cleanup_free_ char *clean = strdup(headline);

	if (!bus || !bus->named.bus || !clean)
		return;
	rsp_text_clean(clean);
	sd_bus_emit_signal(bus->connection, RSP_BUS_PATH, RSP_BUS_NAME, "SnapshotTaken", "ssuss",
			   id, slo, (uint32_t)pid, path, clean);
}
