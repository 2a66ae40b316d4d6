/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See redact.h. Checks only those members of a summary that it changes. */
#include "export/redact.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/json.h"

/*
 * The names of units, cgroups, containers and programs are kept, because they show where the time
 * went. All other strings are redacted, including strings that a future recorder may add.
 */
static bool is_name(const char *key)
{
	static const char *const names[] = {"unit",	"cgroup", "container", "comm",
					    "category", "id",	  "boot"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(key, names[i]) == 0)
			return true;
	return false;
}

static int redact_string(const struct rsp_redaction *r, const char *key, struct json_object *value)
{
	_cleanup_free_ char *redacted = NULL;
	const char *text = json_object_get_string(value);
	int e = strcmp(key, "folded") == 0 ? rsp_redact_folded(r, text, &redacted)
					   : rsp_redact_text(r, text, &redacted);

	if (e < 0 || strcmp(redacted, text) == 0)
		return e;
	return json_object_set_string(value, redacted) ? 0 : -ENOMEM;
}

/* The parser of summaries limits the depth of the recursion. */
static int redact_value(const struct rsp_redaction *r, const char *key, struct json_object *value)
{
	int e = 0;

	switch (json_object_get_type(value)) {
	case json_type_string:
		return redact_string(r, key, value);
	case json_type_array:
		for (size_t i = 0; e == 0 && i < json_object_array_length(value); i++)
			e = redact_value(r, key, json_object_array_get_idx(value, i));
		return e;
	case json_type_object: {
		json_object_object_foreach (value, child_key, child) {
			if (!is_name(child_key))
				e = redact_value(r, child_key, child);
			if (e < 0)
				return e;
		}
		return 0;
	}
	default:
		return 0;
	}
}

static const char *get_string(struct json_object *o, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, key, &value))
		return "";
	return json_object_get_string(value) ?: "";
}

/*
 * The recorder's ID is a hash of the original text, so a receiver could check a guess of this text
 * with it. The new ID is a hash of the redacted text and the category, because chains of different
 * categories must stay different.
 */
static int set_id(struct json_object *chain)
{
	const char *folded = get_string(chain, "folded"), *category = get_string(chain, "category");
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx ctx;
	uint64_t id = 0;
	char text[17];

	sha256_init(&ctx);
	sha256_update(&ctx, strlen(category) + 1, (const uint8_t *)category);
	sha256_update(&ctx, strlen(folded), (const uint8_t *)folded);
	sha256_digest(&ctx, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(id); i++)
		id = id << 8 | digest[i];
	snprintf(text, sizeof(text), "%016" PRIx64, id);
	return rsp_json_add_string(chain, "id", text);
}

static uint64_t get_number(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) ? json_object_get_uint64(value) : 0;
}

static int add_up(struct json_object *to, struct json_object *from)
{
	int r = rsp_json_add_number(to, "ns", get_number(to, "ns") + get_number(from, "ns"));

	return r | rsp_json_add_number(to, "count",
				       get_number(to, "count") + get_number(from, "count"));
}

/* A unit has few chains, so comparing all pairs costs little. */
static int merge_equal(struct json_object *chains)
{
	for (size_t i = 0; i < json_object_array_length(chains); i++) {
		struct json_object *chain = json_object_array_get_idx(chains, i);
		size_t k = i + 1;

		while (k < json_object_array_length(chains)) {
			struct json_object *other = json_object_array_get_idx(chains, k);

			if (strcmp(get_string(chain, "id"), get_string(other, "id")) != 0) {
				k++;
				continue;
			}
			if (add_up(chain, other) < 0 || json_object_array_del_idx(chains, k, 1) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

static int renumber_chains(struct json_object *unit)
{
	struct json_object *chains;

	if (!json_object_object_get_ex(unit, "chains", &chains))
		return 0;
	if (!json_object_is_type(chains, json_type_array))
		return -EBADMSG;
	for (size_t i = 0; i < json_object_array_length(chains); i++) {
		struct json_object *chain = json_object_array_get_idx(chains, i);

		if (!json_object_is_type(chain, json_type_object))
			return -EBADMSG;
		if (set_id(chain) < 0)
			return -ENOMEM;
	}
	return merge_equal(chains);
}

int rsp_redact_summary(const struct rsp_redaction *r, struct json_object *summary)
{
	struct json_object *units;
	int e;

	if (!rsp_redact_changes(r))
		return 0;
	if (!json_object_object_get_ex(summary, "units", &units) ||
	    !json_object_is_type(units, json_type_array))
		return -EBADMSG;
	e = redact_value(r, "", summary);
	for (size_t i = 0; e == 0 && i < json_object_array_length(units); i++) {
		struct json_object *unit = json_object_array_get_idx(units, i);

		e = json_object_is_type(unit, json_type_object) ? renumber_chains(unit) : -EBADMSG;
	}
	return e;
}
