/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses JSON objects, and builds them. The functions that add a value return 0 or -ENOMEM, so that
 * callers can combine the results of many calls with "|". If value is NULL, because the caller's
 * allocation failed, they return -ENOMEM.
 */
#ifndef RSP_LIB_JSON_H
#define RSP_LIB_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/cleanup.h"

static inline void rsp_json_cleanup(struct json_object **o)
{
	json_object_put(*o);
}
#define _cleanup_json_ _cleanup_(rsp_json_cleanup)

/*
 * Parses text as a single JSON object. text need not end with a NUL. Returns 0; -EBADMSG: text is
 * not a JSON object, is not UTF-8, or is nested deeper than depth_max; -ENOMEM.
 */
int rsp_json_parse(const char *text, size_t len, int depth_max, struct json_object **ret);

/*
 * Returns whether malloc() can allocate this number of bytes. json-c does not check all of its own
 * allocations: if memory runs out, it crashes or omits parts.
 */
bool rsp_json_has_room(size_t bytes);

/* rsp_json_add() and rsp_json_append() take ownership of value, even if they fail. */
int rsp_json_add(struct json_object *o, const char *key, struct json_object *value);
int rsp_json_append(struct json_object *array, struct json_object *value);

int rsp_json_add_number(struct json_object *o, const char *key, uint64_t n);
int rsp_json_add_bool(struct json_object *o, const char *key, bool b);
/* The string may be hostile: the function cleans it. */
int rsp_json_add_string(struct json_object *o, const char *key, const char *s);

/* Both functions return NULL if memory runs out. */
typedef int (*rsp_json_fill_fn)(struct json_object *o, const void *from);
struct json_object *rsp_json_object_of(rsp_json_fill_fn fill, const void *from);
struct json_object *rsp_json_array_of(rsp_json_fill_fn fill, const void *v, size_t cnt,
				      size_t size);
#define RSP_JSON_ARRAY_OF(fill, v, cnt) rsp_json_array_of(fill, v, cnt, sizeof(*(v)))

/*
 * Writes the text that json-c made from an object. Indents each line except the first. Empty arrays
 * are on one line, as in newer versions of json-c.
 */
void rsp_json_put(const char *text, size_t len, int indent, FILE *out);

#endif
