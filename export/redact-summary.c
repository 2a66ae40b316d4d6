/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See redact.h. The summary is checked no further than its texts need it. */
#include "redact.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/json.h"

typedef int (*redact_fn)(const struct rsp_redaction *r, const char *text, char **ret);

/* Redacts the string of a key, if there is one. Returns 1 if this changed it. */
static int redact_key(const struct rsp_redaction *r, struct json_object *o, const char *key,
		      redact_fn redact)
{
	_cleanup_free_ char *redacted = NULL;
	struct json_object *value;
	int e;

	if (!json_object_object_get_ex(o, key, &value))
		return 0;
	if (!json_object_is_type(value, json_type_string))
		return -EBADMSG;
	e = redact(r, json_object_get_string(value), &redacted);
	if (e < 0)
		return e;
	if (strcmp(redacted, json_object_get_string(value)) == 0)
		return 0;
	return json_object_set_string(value, redacted) ? 1 : -ENOMEM;
}

static const char *get_string(struct json_object *o, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, key, &value))
		return "";
	return json_object_get_string(value) ?: "";
}

/*
 * The recorder's id is a hash of the whole text, which could be guessed from it. The category is
 * part of the new one, as equal texts may differ only in what was removed.
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

	return r |
	       rsp_json_add_number(to, "count", get_number(to, "count") + get_number(from, "count"));
}

/* A unit has few chains, so that comparing each with each costs little. */
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
			if (add_up(chain, other) < 0 ||
			    json_object_array_del_idx(chains, k, 1) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

static int redact_chain(const struct rsp_redaction *r, struct json_object *chain)
{
	int changed = redact_key(r, chain, "folded", rsp_redact_folded);

	return changed > 0 ? set_id(chain) : changed;
}

static int redact_request(const struct rsp_redaction *r, struct json_object *request)
{
	int changed = redact_key(r, request, "slowest_text", rsp_redact_text);

	return changed < 0 ? changed : 0;
}

/* Calls redact for each object of an array. -EBADMSG: it is no array of objects. */
static int each(const struct rsp_redaction *r, struct json_object *array,
		int (*redact)(const struct rsp_redaction *r, struct json_object *o))
{
	if (!json_object_is_type(array, json_type_array))
		return -EBADMSG;
	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *o = json_object_array_get_idx(array, i);
		int e = json_object_is_type(o, json_type_object) ? redact(r, o) : -EBADMSG;

		if (e < 0)
			return e;
	}
	return 0;
}

static int redact_unit(const struct rsp_redaction *r, struct json_object *unit)
{
	struct json_object *chains, *requests;
	int e = 0;

	if (json_object_object_get_ex(unit, "requests", &requests))
		e = each(r, requests, redact_request);
	if (e == 0 && json_object_object_get_ex(unit, "chains", &chains)) {
		e = each(r, chains, redact_chain);
		if (e == 0)
			e = merge_equal(chains);
	}
	return e;
}

int rsp_redact_summary(const struct rsp_redaction *r, struct json_object *summary)
{
	struct json_object *units;

	if (!json_object_object_get_ex(summary, "units", &units))
		return -EBADMSG;
	return each(r, units, redact_unit);
}
