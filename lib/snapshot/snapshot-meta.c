/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct rsp_meta <-> the JSON object of a META section. Strings are cleaned both ways. */
#include "snapshot-format.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/text.h"

enum field_type {
	FIELD_STRING,
	FIELD_U32,
	FIELD_S32,
	FIELD_U64,
	FIELD_S64,
};

static const struct field {
	const char *key;
	enum field_type type;
	size_t off, size;
} fields[] = {
#define FIELD(key, type)                                                                           \
	{                                                                                          \
#key, type, offsetof(struct rsp_meta, key), sizeof(((struct rsp_meta *)0)->key)    \
	}
	FIELD(id, FIELD_STRING),
	FIELD(host, FIELD_STRING),
	FIELD(kernel, FIELD_STRING),
	FIELD(arch, FIELD_STRING),
	FIELD(version, FIELD_STRING),
	FIELD(command, FIELD_STRING),
	FIELD(cpu_cnt, FIELD_U32),
	FIELD(target_pid, FIELD_U32),
	FIELD(target_start_ns, FIELD_U64),
	FIELD(since_ns, FIELD_U64),
	FIELD(until_ns, FIELD_U64),
	FIELD(window_oldest_ns, FIELD_U64),
	FIELD(realtime_offset_ns, FIELD_S64),
	FIELD(sample_hz, FIELD_U32),
	FIELD(exit_status, FIELD_S32),
#undef FIELD
};
#define FIELD_CNT (sizeof(fields) / sizeof(fields[0]))

static void put_object(struct json_object **obj)
{
	json_object_put(*obj);
}

static void free_tokener(struct json_tokener **tok)
{
	if (*tok)
		json_tokener_free(*tok);
}

static struct json_object *new_string(const char *src, size_t size)
{
	char text[sizeof(((struct rsp_meta *)0)->command)];

	snprintf(text, sizeof(text), "%.*s", (int)size, src);
	rsp_text_clean(text);
	return json_object_new_string(text);
}

static struct json_object *new_value(const struct rsp_meta *meta, const struct field *f)
{
	const void *src = (const char *)meta + f->off;

	switch (f->type) {
	case FIELD_STRING:
		return new_string(src, f->size);
	case FIELD_U32:
		return json_object_new_int64(*(const uint32_t *)src);
	case FIELD_S32:
		return json_object_new_int64(*(const int32_t *)src);
	case FIELD_U64:
		return json_object_new_uint64(*(const uint64_t *)src);
	case FIELD_S64:
		return json_object_new_int64(*(const int64_t *)src);
	}
	return NULL;
}

int rsp_meta_format(const struct rsp_meta *meta, char **ret, size_t *ret_len)
{
	_cleanup_(put_object) struct json_object *obj = json_object_new_object();
	const char *text;
	char *copy;

	if (!obj)
		return -ENOMEM;
	for (size_t i = 0; i < FIELD_CNT; i++) {
		struct json_object *value = new_value(meta, &fields[i]);

		if (!value || json_object_object_add(obj, fields[i].key, value) < 0) {
			json_object_put(value);
			return -ENOMEM;
		}
	}
	text = json_object_to_json_string_ext(obj, JSON_C_TO_STRING_PLAIN);
	copy = text ? strdup(text) : NULL;
	if (!copy)
		return -ENOMEM;
	*ret = copy;
	*ret_len = strlen(copy);
	return 0;
}

/* Numbers out of a member's range are clamped to it; json-c does so for 64 bits. */
static void take_number(const struct field *f, struct json_object *value, void *dst)
{
	int64_t s = json_object_get_int64(value);
	uint64_t u = json_object_get_uint64(value);

	switch (f->type) {
	case FIELD_U32:
		*(uint32_t *)dst = u > UINT32_MAX ? UINT32_MAX : (uint32_t)u;
		break;
	case FIELD_S32:
		*(int32_t *)dst = s > INT32_MAX	  ? INT32_MAX
				  : s < INT32_MIN ? INT32_MIN
						  : (int32_t)s;
		break;
	case FIELD_U64:
		*(uint64_t *)dst = u;
		break;
	case FIELD_S64:
		*(int64_t *)dst = s;
		break;
	case FIELD_STRING:
		break;
	}
}

static void take_value(const struct field *f, struct json_object *value, struct rsp_meta *meta)
{
	char *dst = (char *)meta + f->off;

	if (f->type == FIELD_STRING && json_object_is_type(value, json_type_string)) {
		snprintf(dst, f->size, "%s", json_object_get_string(value));
		rsp_text_clean(dst);
	} else if (f->type != FIELD_STRING && json_object_is_type(value, json_type_int)) {
		take_number(f, value, dst);
	}
}

int rsp_meta_parse(const char *json, size_t len, struct rsp_meta *ret)
{
	_cleanup_(free_tokener) struct json_tokener *tok = NULL;
	_cleanup_(put_object) struct json_object *obj = NULL;
	struct rsp_meta meta = {.exit_status = -1};

	if (len > RSP_META_BYTES_MAX)
		return -EBADMSG;
	tok = json_tokener_new_ex(RSP_META_DEPTH_MAX);
	if (!tok)
		return -ENOMEM;
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT);
	obj = json_tokener_parse_ex(tok, json, (int)len);
	if (!json_object_is_type(obj, json_type_object))
		return -EBADMSG;
	for (size_t i = 0; i < FIELD_CNT; i++) {
		struct json_object *value;

		if (json_object_object_get_ex(obj, fields[i].key, &value))
			take_value(&fields[i], value, &meta);
	}
	*ret = meta;
	return 0;
}
