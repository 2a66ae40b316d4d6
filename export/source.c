/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See source.h. */
#include "export/source.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/json.h"
#include "lib/client/client.h"

/*
 * When the recorder starts, its socket already accepts connections, and answers come only after the
 * start.
 */
#define TIMEOUT_MS 10000
/* Summaries have far fewer levels. */
#define DEPTH_MAX  16

void rsp_source_page_done(struct rsp_source_page *page)
{
	for (size_t i = 0; i < page->cnt; i++)
		json_object_put(page->v[i].summary);
	free(page->v);
	*page = (struct rsp_source_page){0};
}

static struct json_object *get(struct json_object *o, const char *key, enum json_type type)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, key, &value) || !json_object_is_type(value, type))
		return NULL;
	return value;
}

/* Returns 0 if the member is missing or not positive. No summary has the number 0. */
static uint64_t get_number(struct json_object *o, const char *key)
{
	struct json_object *value = get(o, key, json_type_int);
	int64_t n = value ? json_object_get_int64(value) : 0;

	return n > 0 ? (uint64_t)n : 0;
}

static int add_entry(struct rsp_source_page *page, uint64_t number, struct json_object *text)
{
	_cleanup_json_ struct json_object *summary = NULL;
	struct rsp_source_entry *entry;
	size_t len = (size_t)json_object_get_string_len(text);
	int r = rsp_json_parse(json_object_get_string(text), len, DEPTH_MAX, &summary);

	if (r < 0)
		return r;
	if (!get(summary, "units", json_type_array))
		return -EBADMSG;
	if (rsp_json_add_number(summary, "number", number) < 0)
		return -ENOMEM;
	entry = rsp_array_add(page);
	if (!entry)
		return -ENOMEM;
	*entry = (struct rsp_source_entry){number, rsp_take_ptr(summary), len};
	return 0;
}

/* Skips and counts a damaged summary, which would otherwise block all later summaries. */
static int take_entry(struct rsp_source_page *page, struct json_object *o, uint64_t after)
{
	struct json_object *text = get(o, "json", json_type_string);
	uint64_t number = get_number(o, "number");
	int r;

	if (!text || number <= (page->last ?: after))
		return -EBADMSG;
	r = add_entry(page, number, text);
	if (r == -ENOMEM)
		return r;
	page->damaged_cnt += r < 0;
	page->last = number;
	return 0;
}

static int take_boot(struct json_object *reply, char ret[static RSP_SPOOL_BOOT_BYTES])
{
	struct json_object *boot = get(reply, "boot", json_type_string);
	const char *s = boot ? json_object_get_string(boot) : "";
	size_t len = strlen(s);

	if (len == 0 || len >= RSP_SPOOL_BOOT_BYTES || strspn(s, "0123456789abcdef") != len)
		return -EBADMSG;
	memcpy(ret, s, len + 1);
	return 0;
}

int rsp_source_parse(struct json_object *reply, uint64_t after, struct rsp_source_page *ret)
{
	struct json_object *list = get(reply, "summaries", json_type_array);
	struct rsp_source_page page = {.missed = get_number(reply, "missed")};
	int r = list ? take_boot(reply, page.boot) : -EBADMSG;

	for (size_t i = 0;
	     r == 0 && i < json_object_array_length(list) && i < RSP_SOURCE_ENTRIES_MAX; i++)
		r = take_entry(&page, json_object_array_get_idx(list, i), after);
	if (r < 0) {
		rsp_source_page_done(&page);
		return r;
	}
	*ret = page;
	return 0;
}

static int call(struct rsp_client *client, const struct rsp_spool_cursor *cursor,
		struct rsp_source_page *ret)
{
	_cleanup_json_ struct json_object *reply = NULL;
	struct json_object *parameters = json_object_new_object();
	uint64_t after = *cursor->boot ? cursor->number : 0;
	int r = parameters ? 0 : -ENOMEM;

	if (r == 0 && *cursor->boot) {
		r = rsp_json_add_string(parameters, "boot", cursor->boot);
		r |= rsp_json_add_number(parameters, "after", cursor->number);
	}
	if (r < 0) {
		json_object_put(parameters);
		return r;
	}
	r = rsp_client_call(client, "io.rsp.Recorder.Summaries", parameters, TIMEOUT_MS, &reply,
			    NULL);
	if (r < 0)
		return r;
	/* After a restart of the recorder, its numbers start at 1 again. */
	if (get(reply, "boot", json_type_string) &&
	    strcmp(json_object_get_string(get(reply, "boot", json_type_string)), cursor->boot) != 0)
		after = 0;
	return rsp_source_parse(reply, after, ret);
}

bool rsp_source_makes_summaries(const char *socket)
{
	_cleanup_json_ struct json_object *reply = NULL;
	struct json_object *summaries = NULL, *every = NULL;
	struct rsp_client *client;

	if (rsp_client_connect(socket, &client) < 0)
		return true;
	if (rsp_client_call(client, "io.rsp.Recorder.GetStatus", json_object_new_object(),
			    TIMEOUT_MS, &reply, NULL) == 0)
		summaries = get(reply, "summaries", json_type_object);
	every = summaries ? get(summaries, "every_ns", json_type_int) : NULL;
	rsp_client_free(client);
	return !every || json_object_get_int64(every) > 0;
}

int rsp_source_fetch(const char *socket, const struct rsp_spool_cursor *cursor,
		     struct rsp_source_page *ret, char why[static RSP_SOURCE_WHY_BYTES])
{
	struct rsp_client *client;
	int r = rsp_client_connect(socket, &client);

	if (r < 0) {
		snprintf(why, RSP_SOURCE_WHY_BYTES, "no recorder at %s: %s", socket, strerror(-r));
		return r;
	}
	r = call(client, cursor, ret);
	if (r == -EREMOTEIO)
		snprintf(why, RSP_SOURCE_WHY_BYTES,
			 "the recorder cannot make summaries (%s): it must be as new as rsp-export",
			 rsp_client_error(client, r));
	else if (r < 0)
		snprintf(why, RSP_SOURCE_WHY_BYTES, "%s", rsp_client_error(client, r));
	rsp_client_free(client);
	return r;
}
