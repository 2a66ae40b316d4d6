/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See json.h. */
#include "json.h"

#include <errno.h>
#include <string.h>

#include "text.h"

int rsp_json_add(struct json_object *o, const char *key, struct json_object *value)
{
	if (value && json_object_object_add(o, key, value) == 0)
		return 0;
	json_object_put(value);
	return -ENOMEM;
}

int rsp_json_append(struct json_object *array, struct json_object *value)
{
	if (value && json_object_array_add(array, value) == 0)
		return 0;
	json_object_put(value);
	return -ENOMEM;
}

int rsp_json_add_number(struct json_object *o, const char *key, uint64_t n)
{
	return rsp_json_add(o, key, json_object_new_uint64(n));
}

int rsp_json_add_bool(struct json_object *o, const char *key, bool b)
{
	return rsp_json_add(o, key, json_object_new_boolean(b));
}

int rsp_json_add_string(struct json_object *o, const char *key, const char *s)
{
	_cleanup_free_ char *clean = s ? strdup(s) : NULL;

	if (!clean)
		return -ENOMEM;
	rsp_text_clean(clean);
	return rsp_json_add(o, key, json_object_new_string(clean));
}

struct json_object *rsp_json_object_of(rsp_json_fill_fn fill, const void *from)
{
	_cleanup_json_ struct json_object *o = json_object_new_object();

	if (!o || fill(o, from) < 0)
		return NULL;
	return rsp_take_ptr(o);
}

struct json_object *rsp_json_array_of(rsp_json_fill_fn fill, const void *v, size_t cnt, size_t size)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < cnt; i++)
		if (rsp_json_append(array, rsp_json_object_of(fill, (const char *)v + i * size)) <
		    0)
			return NULL;
	return rsp_take_ptr(array);
}
