/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bus-unit.h. */
#include "daemon/base/bus-unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"

#define SYSTEMD "org.freedesktop.systemd1"

struct question {
	rsp_unit_fn answered;
	void *userdata;
};

/* Returns NULL if units of this kind have no cgroup. */
static const char *interface_of(const char *unit)
{
	static const struct {
		const char *suffix, *interface;
	} kinds[] = {
		{".service", SYSTEMD ".Service"}, {".scope", SYSTEMD ".Scope"},
		{".slice", SYSTEMD ".Slice"},	  {".socket", SYSTEMD ".Socket"},
		{".mount", SYSTEMD ".Mount"},	  {".swap", SYSTEMD ".Swap"},
	};
	const char *suffix = strrchr(unit, '.');

	for (size_t i = 0; suffix && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].suffix, suffix) == 0)
			return kinds[i].interface;
	return NULL;
}

static int on_reply(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error)
{
	struct question q = *(struct question *)userdata;
	const char *cgroup = "";

	if (sd_bus_message_is_method_error(reply, NULL) ||
	    sd_bus_message_read(reply, "v", "s", &cgroup) < 0 || cgroup[0] != '/')
		q.answered(-ENOENT, NULL, q.userdata);
	else
		q.answered(0, cgroup, q.userdata);
	return 1;
}

int rsp_unit_query(const struct rsp_bus_connection *connection, const char *unit,
		   rsp_unit_fn answered, void *userdata, sd_bus_slot **ret)
{
	const char *interface = interface_of(unit);
	_cleanup_free_ char *path = NULL;
	struct question *q;
	int r;

	if (!connection || !connection->bus || !interface)
		return -ENOENT;
	r = sd_bus_path_encode("/org/freedesktop/systemd1/unit", unit, &path);
	if (r < 0)
		return r;
	q = malloc(sizeof(*q));
	if (!q)
		return -ENOMEM;
	*q = (struct question){answered, userdata};
	r = sd_bus_call_method_async(connection->bus, ret, SYSTEMD, path,
				     "org.freedesktop.DBus.Properties", "Get", on_reply, q, "ss",
				     interface, "ControlGroup");
	if (r < 0) {
		free(q);
		return r;
	}
	sd_bus_slot_set_destroy_callback(*ret, free);
	return 0;
}
