/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implements org.freedesktop.LogControl1, for `systemctl service-log-level rspd`. */
#include <errno.h>
#include <string.h>

#include "daemon/base/journal.h"
#include "daemon/bus/bus-objects.h"

#define LOG_CONTROL	 "org.freedesktop.LogControl1"
#define LOG_CONTROL_PATH "/org/freedesktop/LogControl1"

static const char *const levels[] = {
	[LOG_EMERG] = "emerg", [LOG_ALERT] = "alert",	  [LOG_CRIT] = "crit",
	[LOG_ERR] = "err",     [LOG_WARNING] = "warning", [LOG_NOTICE] = "notice",
	[LOG_INFO] = "info",   [LOG_DEBUG] = "debug",
};

static int parse_level(const char *name)
{
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (strcmp(levels[i], name) == 0)
			return (int)i;
	return -EINVAL;
}

static int get_level(sd_bus *bus, const char *path, const char *interface, const char *property,
		     sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	return sd_bus_message_append(reply, "s", levels[rsp_journal_max_level()]);
}

static int get_target(sd_bus *bus, const char *path, const char *interface, const char *property,
		      sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	return sd_bus_message_append(reply, "s", rsp_journal_target());
}

static int get_identifier(sd_bus *bus, const char *path, const char *interface,
			  const char *property, sd_bus_message *reply, void *userdata,
			  sd_bus_error *ret_error)
{
	return sd_bus_message_append(reply, "s", "rspd");
}

/* Returns the log level that the call sets, or -errno; -EROFS: the call sets another property. */
static int read_set(sd_bus_message *call)
{
	const char *interface, *property, *value;
	int r = sd_bus_message_read(call, "ss", &interface, &property);

	if (r < 0)
		return r;
	if (strcmp(interface, LOG_CONTROL) != 0 || strcmp(property, "LogLevel") != 0)
		return -EROFS;
	r = sd_bus_message_read(call, "v", "s", &value);
	return r < 0 ? -EINVAL : parse_level(value);
}

static void log_new_level(const struct rsp_peer *peer, int level)
{
	uid_t uid = peer->uid;

	rsp_journal(RSP_MSG_LOG_LEVEL, LOG_NOTICE,
		    &(struct rsp_journal_fields){.uid = &uid, .pid = peer->pid},
		    "user %u set the log level to %s", (unsigned int)uid, levels[level]);
}

static int set_level(struct rsp_bus_request *req)
{
	int level = read_set(req->call);

	if (!req->peer.trusted)
		return -EACCES;
	if (level < 0)
		return level;
	rsp_journal_set_max_level(level);
	log_new_level(&req->peer, level);
	return sd_bus_reply_method_return(req->call, NULL);
}

static const struct rsp_bus_verb set_verb = {
	.purpose = "change what the recorder logs",
	.check = read_set,
	.perform = set_level,
	.errors =
		(const struct rsp_bus_error[]){
			{-EROFS, SD_BUS_ERROR_PROPERTY_READ_ONLY, "only LogLevel can be set"},
			{0},
		},
};

/*
 * Handles calls of Set before sd-bus uses the vtable: sd-bus expects that the setter in the vtable
 * answers at once, but checking the caller's rights takes a request to the bus.
 */
static int on_message(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	struct rsp_bus_context *c = userdata;

	if (!sd_bus_message_is_method_call(m, "org.freedesktop.DBus.Properties", "Set"))
		return 0;
	if (!sd_bus_message_has_signature(m, "ssv"))
		return -EINVAL;
	return rsp_bus_request_begin(&c->requests, m, &set_verb, c);
}

/*
 * A writable property needs a setter in the vtable. sd-bus never calls this setter, because
 * on_message() handles all calls of Set.
 */
static int refuse(sd_bus *bus, const char *path, const char *interface, const char *property,
		  sd_bus_message *value, void *userdata, sd_bus_error *ret_error)
{
	return -EACCES;
}

static const sd_bus_vtable vtable[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_WRITABLE_PROPERTY("LogLevel", "s", get_level, refuse, 0, 0),
	SD_BUS_PROPERTY("LogTarget", "s", get_target, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_PROPERTY("SyslogIdentifier", "s", get_identifier, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_VTABLE_END,
};

int rsp_bus_add_log_control(sd_bus *bus, struct rsp_bus_context *c)
{
	int r = sd_bus_add_object(bus, NULL, LOG_CONTROL_PATH, on_message, c);

	if (r >= 0)
		r = sd_bus_add_object_vtable(bus, NULL, LOG_CONTROL_PATH, LOG_CONTROL, vtable, c);
	return r < 0 ? r : 0;
}
