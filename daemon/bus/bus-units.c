/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bus-units.h. */
#include "daemon/bus/bus-units.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "lib/base/cleanup.h"

#define DBUS	   "org.freedesktop.DBus"
#define SYSTEMD	   "org.freedesktop.systemd1"
#define UNITS_PATH "/org/freedesktop/systemd1/unit"

/*
 * Maximum age of a change that is reported. After a reload, systemd also sends the times of older
 * changes, which must not be reported again.
 */
#define RECENT_NS 5000000000ULL

/* --- one signal ------------------------------------------------------------------------------ */

/* Properties of a unit. The times are in microseconds of CLOCK_MONOTONIC; 0 means never. */
struct state {
	char active[16], sub[32];
	uint64_t active_enter_us, active_exit_us, inactive_enter_us;
};

static int read_text(sd_bus_message *m, char *ret, size_t len)
{
	const char *text;
	int r = sd_bus_message_read(m, "v", "s", &text);

	if (r >= 0)
		snprintf(ret, len, "%s", text);
	return r;
}

static int read_property(sd_bus_message *m, const char *key, struct state *ret)
{
	if (!strcmp(key, "ActiveState"))
		return read_text(m, ret->active, sizeof(ret->active));
	if (!strcmp(key, "SubState"))
		return read_text(m, ret->sub, sizeof(ret->sub));
	if (!strcmp(key, "ActiveEnterTimestampMonotonic"))
		return sd_bus_message_read(m, "v", "t", &ret->active_enter_us);
	if (!strcmp(key, "ActiveExitTimestampMonotonic"))
		return sd_bus_message_read(m, "v", "t", &ret->active_exit_us);
	if (!strcmp(key, "InactiveEnterTimestampMonotonic"))
		return sd_bus_message_read(m, "v", "t", &ret->inactive_enter_us);
	return sd_bus_message_skip(m, "v");
}

static int read_state(sd_bus_message *m, struct state *ret)
{
	const char *interface, *key;
	int r = sd_bus_message_read(m, "s", &interface);

	if (r < 0 || strcmp(interface, SYSTEMD ".Unit") != 0)
		return r < 0 ? r : -EINVAL;
	r = sd_bus_message_enter_container(m, 'a', "{sv}");
	while (r >= 0 && (r = sd_bus_message_enter_container(m, 'e', "sv")) > 0) {
		r = sd_bus_message_read(m, "s", &key);
		if (r >= 0)
			r = read_property(m, key, ret);
		if (r >= 0)
			r = sd_bus_message_exit_container(m);
	}
	return r;
}

static bool is_of_interest(const char *unit)
{
	static const char *const suffixes[] = {".service", ".scope", ".mount", ".swap"};
	const char *suffix = strrchr(unit, '.');

	for (size_t i = 0; suffix && i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (!strcmp(suffixes[i], suffix))
			return true;
	return false;
}

/* --- new changes of a unit ------------------------------------------------------------------- */

static __u64 hash_of(const char *unit, enum rsp_mark_type type)
{
	__u64 hash = 14695981039346656037ULL + type; /* FNV-1a */

	for (; *unit; unit++)
		hash = (hash ^ (__u8)*unit) * 1099511628211ULL;
	return hash;
}

static bool is_new(struct rsp_bus_units *u, __u64 hash, __u64 at_ns)
{
	for (size_t i = 0; i < RSP_UNITS_SEEN; i++)
		if (u->seen[i].hash == hash && u->seen[i].at_ns == at_ns)
			return false;
	u->seen[u->next_seen] = (struct rsp_unit_seen){hash, at_ns};
	u->next_seen = (u->next_seen + 1) % RSP_UNITS_SEEN;
	return true;
}

static void report_change(struct rsp_bus_units *u, const char *unit, enum rsp_mark_type type,
			  uint64_t us, __u64 now_ns)
{
	__u64 at_ns = us * 1000;

	if (!us || us > now_ns / 1000 || now_ns - at_ns > RECENT_NS)
		return;
	if (is_new(u, hash_of(unit, type), at_ns))
		u->changed(u->ctx, type, unit, at_ns);
}

/*
 * One signal may follow several changes. A service that ends and will be restarted does not become
 * inactive: its state is activating (auto-restart). Such a service counts as stopped, since the
 * signal does not contain whether the service failed.
 */
static void report_changes(struct rsp_bus_units *u, const char *unit, const struct state *s,
			   __u64 now_ns)
{
	bool failed = !strcmp(s->active, "failed");

	if (!strcmp(s->sub, "auto-restart"))
		report_change(u, unit, RSP_MARK_STOPPED, s->active_exit_us, now_ns);
	report_change(u, unit, failed ? RSP_MARK_FAILED : RSP_MARK_STOPPED, s->inactive_enter_us,
		      now_ns);
	report_change(u, unit, RSP_MARK_STARTED, s->active_enter_us, now_ns);
}

static void read_unit(struct rsp_bus_units *u, sd_bus_message *m, __u64 now_ns)
{
	const char *sender = sd_bus_message_get_sender(m), *path = sd_bus_message_get_path(m);
	_cleanup_free_ char *unit = NULL;
	struct state state = {.active = ""};

	if (!*u->owner || !sender || strcmp(sender, u->owner) != 0 || !path)
		return;
	if (sd_bus_path_decode(path, UNITS_PATH, &unit) <= 0 || !is_of_interest(unit))
		return;
	if (read_state(m, &state) >= 0)
		report_changes(u, unit, &state, now_ns);
}

/* --- the connection -------------------------------------------------------------------------- */

static int on_changed(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	read_unit(userdata, m, rsp_now_ns());
	return 0;
}

static int on_subscribed(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	return 1; /* If systemd refuses, recordings have no marks of units. */
}

/* Also subscribes to signals, since systemd sends them only if there are subscribers. */
static void set_owner(struct rsp_bus_units *u, sd_bus *bus, const char *owner)
{
	u->owner[0] = '\0';
	if (*owner != ':' || strlen(owner) >= sizeof(u->owner))
		return;
	memcpy(u->owner, owner, strlen(owner) + 1);
	sd_bus_call_method_async(bus, NULL, SYSTEMD, "/org/freedesktop/systemd1",
				 SYSTEMD ".Manager", "Subscribe", on_subscribed, NULL, "");
}

static int on_owner(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	const char *owner;

	if (!sd_bus_message_is_method_error(reply, NULL) &&
	    sd_bus_message_read(reply, "s", &owner) > 0)
		set_owner(userdata, sd_bus_message_get_bus(reply), owner);
	return 1;
}

/* Only the bus itself can send as DBUS, so nobody can forge this signal. */
static int on_owner_changed(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
	const char *sender = sd_bus_message_get_sender(m), *name, *before, *owner;

	if (sender && !strcmp(sender, DBUS) &&
	    sd_bus_message_read(m, "sss", &name, &before, &owner) > 0 && !strcmp(name, SYSTEMD))
		set_owner(userdata, sd_bus_message_get_bus(m), owner);
	return 0;
}

int rsp_bus_watch_units(sd_bus *bus, struct rsp_bus_units *u)
{
	int r;

	u->owner[0] = '\0';
	r = sd_bus_add_match_async(bus, NULL,
				   "type='signal',sender='" DBUS "',path='/org/freedesktop/DBus',"
				   "interface='" DBUS "',member='NameOwnerChanged',"
				   "arg0='" SYSTEMD "'",
				   on_owner_changed, NULL, u);
	if (r >= 0)
		r = sd_bus_add_match_async(bus, NULL,
					   "type='signal',sender='" SYSTEMD "',"
					   "path_namespace='" UNITS_PATH "',"
					   "interface='" DBUS ".Properties',"
					   "member='PropertiesChanged',arg0='" SYSTEMD ".Unit'",
					   on_changed, NULL, u);
	if (r >= 0)
		r = sd_bus_call_method_async(bus, NULL, DBUS, "/org/freedesktop/DBus", DBUS,
					     "GetNameOwner", on_owner, u, "s", SYSTEMD);
	return r < 0 ? r : 0;
}
