/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See reply.h. */
#include "cli/reply.h"

#include <json-c/json.h>

struct json_object *rsp_reply_member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(o, key, &value);
	return value;
}

struct json_object *rsp_reply_object(struct json_object *o, const char *key)
{
	struct json_object *value = rsp_reply_member(o, key);

	return json_object_is_type(value, json_type_object) ? value : NULL;
}

unsigned long long rsp_reply_number(struct json_object *o, const char *key)
{
	struct json_object *value = rsp_reply_member(o, key);

	return json_object_is_type(value, json_type_int) ? json_object_get_uint64(value) : 0;
}

bool rsp_reply_bool(struct json_object *o, const char *key)
{
	struct json_object *value = rsp_reply_member(o, key);

	return json_object_is_type(value, json_type_boolean) && json_object_get_boolean(value);
}

const char *rsp_reply_text(struct json_object *o, const char *key)
{
	struct json_object *value = rsp_reply_member(o, key);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

size_t rsp_reply_cnt(struct json_object *o, const char *key)
{
	struct json_object *value = rsp_reply_member(o, key);

	return json_object_is_type(value, json_type_array) ? json_object_array_length(value) : 0;
}

struct json_object *rsp_reply_at(struct json_object *o, const char *key, size_t i)
{
	return i < rsp_reply_cnt(o, key) ? json_object_array_get_idx(rsp_reply_member(o, key), i)
					 : NULL;
}
