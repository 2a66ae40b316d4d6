/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report-container.h. The names of containers consist of harmless characters (container.h). */
#include "report-container.h"

#include <stdio.h>

#include "lib/base/json.h"
#include "lib/snapshot/container.h"

static bool look_up(const char *path, struct rsp_container *ret)
{
	return path && *path && rsp_container_of_path(path, ret, NULL);
}

char *rsp_in_container(const char *container, char buf[static RSP_IN_CONTAINER_BYTES])
{
	char label[RSP_CONTAINER_LABEL_BYTES];
	struct rsp_container c;

	*buf = '\0';
	if (look_up(container, &c))
		snprintf(buf, RSP_IN_CONTAINER_BYTES, " in %s", rsp_container_label(&c, label));
	return buf;
}

char *rsp_container_line(const char *container, char buf[static RSP_CONTAINER_LINE_BYTES])
{
	char label[RSP_CONTAINER_LABEL_BYTES];
	struct rsp_container c;

	*buf = '\0';
	if (look_up(container, &c))
		snprintf(buf, RSP_CONTAINER_LINE_BYTES, "container %s (%s%s%s)",
			 rsp_container_label(&c, label), rsp_runtime_key(c.runtime),
			 *c.pod ? ", pod " : "", c.pod);
	return buf;
}

struct described {
	const struct rsp_container *c;
	const char *path;
};

static int fill_container(struct json_object *o, const void *from)
{
	const struct described *d = from;
	int r = rsp_json_add_string(o, "runtime", rsp_runtime_key(d->c->runtime));

	r |= rsp_json_add_string(o, "id", d->c->id);
	r |= rsp_json_add_string(o, "name", d->c->name);
	r |= rsp_json_add_string(o, "pod", d->c->pod);
	r |= rsp_json_add_string(o, "cgroup", d->path);
	return r;
}

int rsp_json_add_container(struct json_object *o, const char *container)
{
	struct rsp_container c;

	if (!look_up(container, &c))
		return 0;
	return rsp_json_add(o, "container",
			    rsp_json_object_of(fill_container, &(struct described){&c, container}));
}
