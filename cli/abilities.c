/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See abilities.h. */
#include "cli/abilities.h"

#include <json-c/json.h>

#include "cli/output.h"
#include "lib/base/cleanup.h"

static const char *member(struct json_object *o, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, key, &value) || !value)
		return "?";
	return json_object_get_string(value);
}

static bool is_missing(struct json_object *ability)
{
	struct json_object *ok = NULL;

	json_object_object_get_ex(ability, "ok", &ok);
	return !json_object_get_boolean(ok);
}

int rsp_abilities_missing(struct json_object *abilities)
{
	int cnt = 0;

	for (size_t i = 0; i < json_object_array_length(abilities); i++)
		cnt += is_missing(json_object_array_get_idx(abilities, i));
	return cnt;
}

int rsp_abilities_print(struct json_object *abilities, bool legend)
{
	static const char *const head[] = {"ABILITY", "OK", "CHOSEN", "WHY"};
	_cleanup_(rsp_table_done) struct rsp_table t;

	rsp_table_init(&t, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; legend && i < t.column_cnt; i++)
		rsp_table_add(&t, "%s", head[i]);
	for (size_t i = 0; i < json_object_array_length(abilities); i++) {
		struct json_object *a = json_object_array_get_idx(abilities, i);

		rsp_table_add(&t, "%s", member(a, "name"));
		rsp_table_add(&t, "%s", is_missing(a) ? "no" : "yes");
		rsp_table_add(&t, "%s", member(a, "chosen"));
		rsp_table_add(&t, "%s", member(a, "why"));
	}
	return rsp_table_print(&t);
}
