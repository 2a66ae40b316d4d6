/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the container of a task in reports. The parameter container has the form of
 * rsp_hop.container; NULL counts as "".
 */
#ifndef RSP_LIB_REPORT_CONTAINER_H
#define RSP_LIB_REPORT_CONTAINER_H

#include <stddef.h>

struct json_object;

#define RSP_IN_CONTAINER_BYTES 400

/* Writes text like " in shop-1/web", or "" if there is no container. Returns buf. */
char *rsp_in_container(const char *container, char buf[static RSP_IN_CONTAINER_BYTES]);

/*
 * Writes text like "container web (docker, ID 3726184226f5)", or "" if there is no container.
 * Returns buf.
 */
#define RSP_CONTAINER_LINE_BYTES 800
char *rsp_container_line(const char *container, char buf[static RSP_CONTAINER_LINE_BYTES]);

/* Adds the object "container" if there is a container. Returns 0 or -ENOMEM. */
int rsp_json_add_container(struct json_object *o, const char *container);

#endif
