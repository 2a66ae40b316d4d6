/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See report-container.h. The functions do not clean names, because names of containers contain
 * only harmless characters (lib/snapshot/container.h).
 */
#include "lib/report/report-container.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/json.h"
#include "lib/snapshot/container.h"

char *rsp_in_container(const char *container, char buf[static RSP_IN_CONTAINER_BYTES])
{
	char label[RSP_CONTAINER_LABEL_BYTES];
	struct rsp_container c;

	*buf = '\0';
	if (container && rsp_container_parse(container, &c))
		snprintf(buf, RSP_IN_CONTAINER_BYTES, " in %s", rsp_container_label(&c, label));
	return buf;
}

static void add_details(const struct rsp_container *c, char *buf, size_t size)
{
	size_t len = strlen(buf);

	if (*c->name_space)
		len += (size_t)snprintf(buf + len, size - len, ", namespace %s", c->name_space);
	if (*c->name && *c->id)
		len += (size_t)snprintf(buf + len, size - len, ", ID %.12s", c->id);
	if (*c->pod && !*c->pod_name)
		snprintf(buf + len, size - len, ", pod %s", c->pod);
}

char *rsp_container_line(const char *container, char buf[static RSP_CONTAINER_LINE_BYTES])
{
	char label[RSP_CONTAINER_LABEL_BYTES], details[300] = "";
	struct rsp_container c;

	*buf = '\0';
	if (!container || !rsp_container_parse(container, &c))
		return buf;
	add_details(&c, details, sizeof(details));
	snprintf(buf, RSP_CONTAINER_LINE_BYTES, "container %s (%s%s)",
		 rsp_container_label(&c, label), rsp_runtime_key(c.runtime), details);
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
	r |= rsp_json_add_string(o, "pod_name", d->c->pod_name);
	r |= rsp_json_add_string(o, "namespace", d->c->name_space);
	r |= rsp_json_add_string(o, "cgroup", d->path);
	return r;
}

int rsp_json_add_container(struct json_object *o, const char *container)
{
	struct rsp_container c;
	const char *path = container ? rsp_container_parse(container, &c) : NULL;

	if (!path)
		return 0;
	return rsp_json_add(o, "container",
			    rsp_json_object_of(fill_container, &(struct described){&c, path}));
}
