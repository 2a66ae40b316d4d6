/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See json.h. */
#include "lib/base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"

/*
 * Memory that json-c needs for its parser, and at most for the objects in one byte of text; text
 * that repeats "{}," needs most.
 */
#define PARSER_ROOM  16384
#define ROOM_OF_BYTE 400

bool rsp_json_has_room(size_t bytes)
{
	/* volatile: otherwise the compiler removes malloc() and free() */
	void *volatile room = malloc(bytes);

	free(room);
	return room;
}

static void free_tokener(struct json_tokener **tok)
{
	if (*tok) /* json-c before 0.17 does not accept NULL */
		json_tokener_free(*tok);
}

/*
 * JSON_TOKENER_STRICT is not used, because json-c 0.18 (in Debian 13) then rejects all strings that
 * are not ASCII (json-c #875). Instead, this function rejects text after the object.
 */
int rsp_json_parse(const char *text, size_t len, int depth_max, struct json_object **ret)
{
	_cleanup_(free_tokener) struct json_tokener *tok = NULL;
	_cleanup_json_ struct json_object *o = NULL;

	if (len > INT32_MAX)
		return -EBADMSG;
	if (!rsp_json_has_room(PARSER_ROOM + len * ROOM_OF_BYTE))
		return -ENOMEM;
	tok = json_tokener_new_ex(depth_max);
	if (!tok)
		return -ENOMEM;
	json_tokener_set_flags(tok, JSON_TOKENER_VALIDATE_UTF8);
	o = json_tokener_parse_ex(tok, text, (int)len);
	if (!json_object_is_type(o, json_type_object))
		return -EBADMSG;
	for (size_t i = json_tokener_get_parse_end(tok); i < len; i++)
		if (!memchr(" \t\r\n", text[i], 4))
			return -EBADMSG;
	*ret = rsp_take_ptr(o);
	return 0;
}

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

/* json-c escapes line breaks in strings, so a line break is never in a string. */
void rsp_json_put(const char *text, size_t len, int indent, FILE *out)
{
	const char *end = text + len, *line_end, *next;

	while ((line_end = memchr(text, '\n', (size_t)(end - text)))) {
		for (next = line_end + 1; next < end && *next == ' ';)
			next++;
		fwrite(text, 1, (size_t)(line_end - text), out);
		if (line_end > text && line_end[-1] == '[' && next < end && *next == ']') {
			text = next;
			continue;
		}
		fprintf(out, "\n%*s", indent, "");
		text = line_end + 1;
	}
	fwrite(text, 1, (size_t)(end - text), out);
}
