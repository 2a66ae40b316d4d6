/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks JSON objects against a JSON schema. */
#ifndef RSP_TESTS_JSON_SCHEMA_H
#define RSP_TESTS_JSON_SCHEMA_H

#include <json-c/json.h>
#include <stdbool.h>
#include <string.h>

static struct json_object *get(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	if (!json_object_object_get_ex(o, key, &value))
		return NULL;
	return value;
}

static bool has_type(struct json_object *value, const char *type)
{
	enum json_type t = json_object_get_type(value);

	return (strcmp(type, "object") == 0 && t == json_type_object) ||
	       (strcmp(type, "array") == 0 && t == json_type_array) ||
	       (strcmp(type, "string") == 0 && t == json_type_string) ||
	       (strcmp(type, "boolean") == 0 && t == json_type_boolean) ||
	       (strcmp(type, "integer") == 0 && t == json_type_int) ||
	       (strcmp(type, "number") == 0 && (t == json_type_int || t == json_type_double));
}

static bool in_enum(struct json_object *value, struct json_object *allowed)
{
	for (size_t i = 0; i < json_object_array_length(allowed); i++)
		if (json_object_equal(value, json_object_array_get_idx(allowed, i)))
			return true;
	return false;
}

/*
 * Checks a value against a schema. Implements only the keywords that the schemas in docs/ use.
 * Unlike the standard, rejects a field that the schema does not list, because each field needs
 * documentation.
 */
static const char *json_schema_check(struct json_object *root, struct json_object *schema,
				     struct json_object *value)
{
	struct json_object *ref = get(schema, "$ref"), *part;
	const char *wrong;

	if (ref) {
		const char *name = strrchr(json_object_get_string(ref), '/') + 1;

		return json_schema_check(root, get(get(root, "definitions"), name), value);
	}
	if (!has_type(value, json_object_get_string(get(schema, "type"))))
		return "type";
	if ((part = get(schema, "enum")) && !in_enum(value, part))
		return "enum";
	if ((part = get(schema, "minimum")) &&
	    json_object_get_double(value) < json_object_get_double(part))
		return "minimum";
	if ((part = get(schema, "maximum")) &&
	    json_object_get_double(value) > json_object_get_double(part))
		return "maximum";
	if ((part = get(schema, "minItems")) &&
	    json_object_array_length(value) < (size_t)json_object_get_int(part))
		return "minItems";
	part = get(schema, "required");
	for (size_t i = 0; part && i < json_object_array_length(part); i++)
		if (!get(value, json_object_get_string(json_object_array_get_idx(part, i))))
			return json_object_get_string(json_object_array_get_idx(part, i));
	part = get(schema, "items");
	for (size_t i = 0; part && i < json_object_array_length(value); i++)
		if ((wrong = json_schema_check(root, part, json_object_array_get_idx(value, i))))
			return wrong;
	part = get(schema, "properties");
	if (part) {
		json_object_object_foreach (value, key, field) {
			if (!get(part, key))
				return key;
			if ((wrong = json_schema_check(root, get(part, key), field)))
				return wrong;
		}
	}
	return NULL;
}

#endif
