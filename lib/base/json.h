/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON objects: read, and built field by field. What can fail does so as 0 or -ENOMEM, so that the
 * results of many calls may be or-ed; a NULL value is a failed allocation of the caller's.
 */
#ifndef RSP_LIB_JSON_H
#define RSP_LIB_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cleanup.h"

static inline void rsp_json_cleanup(struct json_object **o)
{
	json_object_put(*o);
}
#define _cleanup_json_ _cleanup_(rsp_json_cleanup)

/*
 * The object that is all of text, which needs no NUL behind it: -EBADMSG for anything else,
 * -ENOMEM. Strings must be UTF-8; nesting beyond depth_max is refused.
 */
int rsp_json_parse(const char *text, size_t len, int depth_max, struct json_object **ret);

/*
 * Whether so much memory is to be had. json-c does not check all of its own allocations, and dies
 * or leaves something out: who reads or prints by it where memory may lack asks before.
 */
bool rsp_json_has_room(size_t bytes);

/* Both take value, also when they fail. */
int rsp_json_add(struct json_object *o, const char *key, struct json_object *value);
int rsp_json_append(struct json_object *array, struct json_object *value);

int rsp_json_add_number(struct json_object *o, const char *key, uint64_t n);
int rsp_json_add_bool(struct json_object *o, const char *key, bool b);
/* A stranger's text: cleaned, so that the output is always valid. */
int rsp_json_add_string(struct json_object *o, const char *key, const char *s);

/* An object of what from points to; an array of such. NULL: no memory. */
typedef int (*rsp_json_fill_fn)(struct json_object *o, const void *from);
struct json_object *rsp_json_object_of(rsp_json_fill_fn fill, const void *from);
struct json_object *rsp_json_array_of(rsp_json_fill_fn fill, const void *v, size_t cnt,
				      size_t size);
#define RSP_JSON_ARRAY_OF(fill, v, cnt) rsp_json_array_of(fill, v, cnt, sizeof(*(v)))

/*
 * Writes len bytes of what json-c made of an object, each line but the first indented by further
 * columns. An empty array is [] in one line, as newer versions of json-c print it; 0.16 takes two.
 */
void rsp_json_put(const char *text, size_t len, int indent, FILE *out);

#endif
