/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes JSON from the fuzzer's bytes. The keys are keys that the tested parser expects; the values
 * have any type.
 */
#ifndef RSP_TESTS_FUZZ_JSON_TREE_H
#define RSP_TESTS_FUZZ_JSON_TREE_H

#include <json-c/json.h>

#include "tests/fuzz/input.h"

#define JSON_TREE_DEPTH_MAX 5

static inline struct json_object *json_tree_take(struct input *in, const char *const *keys,
						 size_t key_cnt, unsigned int depth);

static inline struct json_object *json_tree_take_object(struct input *in, const char *const *keys,
							size_t key_cnt, unsigned int depth)
{
	struct json_object *o = json_object_new_object();

	for (unsigned int cnt = take_u8(in) & 15; cnt > 0 && in->len > 0; cnt--)
		json_object_object_add(o, keys[take_u8(in) % key_cnt],
				       json_tree_take(in, keys, key_cnt, depth + 1));
	return o;
}

static inline struct json_object *json_tree_take_array(struct input *in, const char *const *keys,
						       size_t key_cnt, unsigned int depth)
{
	struct json_object *array = json_object_new_array();

	for (unsigned int cnt = take_u8(in) & 7; cnt > 0 && in->len > 0; cnt--)
		json_object_array_add(array, json_tree_take(in, keys, key_cnt, depth + 1));
	return array;
}

static inline struct json_object *json_tree_take(struct input *in, const char *const *keys,
						 size_t key_cnt, unsigned int depth)
{
	__u8 type = take_u8(in) & 15;
	char text[64];

	if (type < 4 && depth < JSON_TREE_DEPTH_MAX)
		return json_tree_take_object(in, keys, key_cnt, depth);
	if (type < 7 && depth < JSON_TREE_DEPTH_MAX)
		return json_tree_take_array(in, keys, key_cnt, depth);
	switch (type) {
	case 7:
		return NULL;
	case 8:
		return json_object_new_boolean(take_u8(in) & 1);
	case 9:
		return json_object_new_double((double)(__s64)take_u64(in));
	case 10:
		return json_object_new_int64((__s64)take_u64(in));
	case 11:
		return json_object_new_uint64(take_u64(in));
	case 12:
	case 13:
		take_text(in, text, sizeof(text));
		return json_object_new_string(text);
	default:
		return json_object_new_int64(take_u8(in));
	}
}

#endif
