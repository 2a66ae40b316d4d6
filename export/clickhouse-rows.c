/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts summaries and snapshots to rows of the tables in export/schema: JSON, one row per line.
 */
#include "export/clickhouse.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "export/spool-state.h"
#include "lib/base/cleanup.h"
#include "lib/base/json.h"
#include "lib/snapshot/container.h"

#define S_NS	  1000000000ULL
#define ROW_STYLE (JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

enum table { SUMMARY, CHAIN, CHAIN_TEXT, REQUEST, SNAPSHOT, TABLE_CNT };

static const char *const table_names[TABLE_CNT] = {
	[SUMMARY] = "rsp_summary", [CHAIN] = "rsp_chain",	[CHAIN_TEXT] = "rsp_chain_text",
	[REQUEST] = "rsp_request", [SNAPSHOT] = "rsp_snapshot",
};

/* The rows of one table, all of one day. */
struct rows {
	struct rsp_buffer text;
	uint64_t cnt, first_s, last_s;
};

struct encoding {
	const struct rsp_clickhouse_config *config;
	const struct rsp_batch *batch;
	struct rows tables[TABLE_CNT];
	uint32_t date; /* day of the rows that are not flushed yet, as YYYYMMDD; 0: no rows */
	uint64_t at_s; /* end of the current summary or snapshot, in seconds since 1970 */
	char date_text[16];
	uint64_t number;
	struct rsp_buffer *ret;
};

static void encoding_done(struct encoding *e)
{
	for (size_t i = 0; i < TABLE_CNT; i++)
		rsp_buffer_done(&e->tables[i].text);
}

/* --- reading a summary ------------------------------------------------------------------------ */

static struct json_object *get(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) ? value : NULL;
}

static const char *get_string(struct json_object *o, const char *key)
{
	struct json_object *value = get(o, key);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

/* Returns 0 if the member is missing, is not an integer, or is negative. */
static uint64_t get_number(struct json_object *o, const char *key)
{
	struct json_object *value = get(o, key);

	return json_object_is_type(value, json_type_int) ? json_object_get_uint64(value) : 0;
}

static size_t array_len(struct json_object *o, const char *key)
{
	struct json_object *value = get(o, key);

	return json_object_is_type(value, json_type_array) ? json_object_array_length(value) : 0;
}

static struct json_object *array_at(struct json_object *o, const char *key, size_t i)
{
	return json_object_array_get_idx(get(o, key), i);
}

/* --- writing rows ----------------------------------------------------------------------------- */

static int add_strings(struct json_object *row, const char *const (*pairs)[2])
{
	int r = 0;

	for (size_t i = 0; pairs[i][0]; i++)
		r |= rsp_json_add_string(row, pairs[i][0], pairs[i][1]);
	return r;
}

struct number {
	const char *key;
	uint64_t value;
};

static int add_numbers(struct json_object *row, const struct number *numbers)
{
	int r = 0;

	for (size_t i = 0; numbers[i].key; i++)
		r |= rsp_json_add_number(row, numbers[i].key, numbers[i].value);
	return r;
}

/* The row has the columns that all tables have. NULL: memory ran out. */
static struct json_object *new_row(const struct encoding *e)
{
	_cleanup_json_ struct json_object *row = json_object_new_object();
	const char *const strings[][2] = {{"host", e->batch->host->name},
					  {"machine", e->batch->host->machine},
					  {"boot", e->batch->host->boot},
					  {"date", e->date_text},
					  {NULL, NULL}};
	const struct number numbers[] = {{"number", e->number}, {"at", e->at_s}, {NULL, 0}};

	if (!row || (add_strings(row, strings) | add_numbers(row, numbers)) < 0)
		return NULL;
	return rsp_take_ptr(row);
}

static int put_row(struct encoding *e, enum table table, struct json_object *row)
{
	struct rows *rows = &e->tables[table];
	size_t len;
	const char *text = json_object_to_json_string_length(row, ROW_STYLE, &len);
	int r = text ? rsp_buffer_put(&rows->text, text, len) : -ENOMEM;

	if (r == 0)
		r = rsp_buffer_put(&rows->text, "\n", 1);
	if (r < 0)
		return r;
	rows->first_s = rows->cnt ? rows->first_s : e->at_s;
	rows->last_s = e->at_s;
	rows->cnt++;
	return 0;
}

/* The rows of the current day become one INSERT per table. */
static int flush(struct encoding *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < TABLE_CNT; i++) {
		_cleanup_buffer_ struct rsp_buffer packed = {0};
		struct rows *rows = &e->tables[i];
		struct rsp_clickhouse_insert insert = {
			.row_cnt = rows->cnt, .first_s = rows->first_s, .last_s = rows->last_s};

		if (rows->cnt == 0)
			continue;
		snprintf(insert.table, sizeof(insert.table), "%s", table_names[i]);
		r = rsp_gzip(rows->text.v, rows->text.len, &packed);
		insert.bytes = packed.v;
		insert.len = packed.len;
		if (r == 0)
			r = rsp_clickhouse_put(e->ret, &insert);
		rows->cnt = 0;
		rows->text.len = 0;
	}
	return r;
}

/* realtime_ns is the end of the summary or snapshot, in nanoseconds since 1970. */
static int begin(struct encoding *e, uint64_t realtime_ns)
{
	uint32_t date = rsp_spool_date_of((time_t)(realtime_ns / S_NS));
	int r = 0;

	if (e->date && date != e->date)
		r = flush(e);
	e->date = date;
	e->at_s = realtime_ns / S_NS;
	snprintf(e->date_text, sizeof(e->date_text), "%04u-%02u-%02u", date / 10000,
		 date / 100 % 100, date % 100);
	return r;
}

/* --- summaries -------------------------------------------------------------------------------- */

static int add_unit(struct json_object *row, struct json_object *unit)
{
	struct json_object *container = get(unit, "container");
	char label[RSP_CONTAINER_LABEL_BYTES];
	struct rsp_container c = {0};
	const char *const strings[][2] = {{"unit", get_string(unit, "unit")},
					  {"cgroup", get_string(unit, "cgroup")},
					  {NULL, NULL}};

	if (json_object_is_type(container, json_type_object)) {
		snprintf(c.name, sizeof(c.name), "%s", get_string(container, "name"));
		snprintf(c.id, sizeof(c.id), "%s", get_string(container, "id"));
	}
	return add_strings(row, strings) |
	       rsp_json_add_string(row, "container", rsp_container_label(&c, label));
}

/* The server ignores columns that its table does not have. */
static int add_categories(struct json_object *row, struct json_object *categories)
{
	int r = 0;

	if (!json_object_is_type(categories, json_type_object))
		return 0;
	json_object_object_foreach (categories, key, value) {
		char column[64];

		if (key[strspn(key, "abcdefghijklmnopqrstuvwxyz_")] || strlen(key) > 40)
			continue;
		snprintf(column, sizeof(column), "cat_%s", key);
		r |= rsp_json_add_number(row, column, json_object_get_uint64(value));
	}
	return r;
}

static int put_unit(struct encoding *e, struct json_object *summary, struct json_object *unit)
{
	_cleanup_json_ struct json_object *row = new_row(e);
	uint64_t since_ns = get_number(summary, "since_ns");
	uint64_t until_ns = get_number(summary, "until_ns");
	const struct number numbers[] = {
		{"slice_ns", until_ns > since_ns ? until_ns - since_ns : 0},
		{"recorded_ns", get_number(summary, "recorded_ns")},
		{"lost", get_number(summary, "lost")},
		{"threads", get_number(unit, "threads")},
		{"total_ns", get_number(unit, "total_ns")},
		{NULL, 0},
	};

	if (!row || (add_unit(row, unit) | add_numbers(row, numbers) |
		     add_categories(row, get(unit, "categories"))) < 0)
		return -ENOMEM;
	return put_row(e, SUMMARY, row);
}

/*
 * Returns whether the text of a chain was already sent today. Otherwise notes that it is sent now.
 */
static bool knows_text(struct encoding *e, uint64_t id)
{
	struct rsp_clickhouse_state *state = e->config->state;
	size_t i = id % RSP_CLICKHOUSE_TEXT_MAX;

	/* After the table is emptied, texts are sent again. */
	if (state->date != e->date || state->text_cnt > RSP_CLICKHOUSE_TEXT_MAX / 4 * 3) {
		memset(state->texts, 0, sizeof(state->texts));
		state->text_cnt = 0;
		state->date = e->date;
	}
	for (; state->texts[i]; i = (i + 1) % RSP_CLICKHOUSE_TEXT_MAX)
		if (state->texts[i] == id)
			return true;
	state->texts[i] = id;
	state->text_cnt++;
	return id == 0;
}

static int put_text(struct encoding *e, uint64_t id, const char *folded)
{
	_cleanup_json_ struct json_object *row = json_object_new_object();
	const char *const strings[][2] = {{"folded", folded}, {"last", e->date_text}, {NULL, NULL}};

	if (!row || (rsp_json_add_number(row, "chain_id", id) | add_strings(row, strings)) < 0)
		return -ENOMEM;
	return put_row(e, CHAIN_TEXT, row);
}

static int put_chain(struct encoding *e, struct json_object *unit, struct json_object *chain)
{
	_cleanup_json_ struct json_object *row = new_row(e);
	uint64_t id = strtoull(get_string(chain, "id"), NULL, 16);
	const struct number numbers[] = {{"chain_id", id},
					 {"ns", get_number(chain, "ns")},
					 {"cnt", get_number(chain, "count")},
					 {NULL, 0}};
	int r;

	if (!row || (add_unit(row, unit) | add_numbers(row, numbers) |
		     rsp_json_add_string(row, "category", get_string(chain, "category"))) < 0)
		return -ENOMEM;
	r = put_row(e, CHAIN, row);
	if (r == 0 && !knows_text(e, id))
		r = put_text(e, id, get_string(chain, "folded"));
	return r;
}

static int put_request(struct encoding *e, struct json_object *unit, struct json_object *request)
{
	static const char *const keys[] = {"port",   "answered", "pending", "p50_ns",
					   "p90_ns", "p99_ns",	 "max_ns"};
	_cleanup_json_ struct json_object *row = new_row(e);
	const char *const strings[][2] = {{"comm", get_string(request, "comm")},
					  {"text", get_string(request, "slowest_text")},
					  {NULL, NULL}};
	int r;

	if (!row)
		return -ENOMEM;
	r = add_unit(row, unit) | add_strings(row, strings);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		r |= rsp_json_add_number(row, keys[i], get_number(request, keys[i]));
	return r < 0 ? -ENOMEM : put_row(e, REQUEST, row);
}

static int put_summary(struct encoding *e, struct json_object *summary)
{
	int r = begin(e, get_number(summary, "realtime_ns"));

	e->number = get_number(summary, "number");
	for (size_t i = 0; r == 0 && i < array_len(summary, "units"); i++) {
		struct json_object *unit = array_at(summary, "units", i);

		r = put_unit(e, summary, unit);
		for (size_t k = 0; r == 0 && k < array_len(unit, "chains"); k++)
			r = put_chain(e, unit, array_at(unit, "chains", k));
		for (size_t k = 0; r == 0 && k < array_len(unit, "requests"); k++)
			r = put_request(e, unit, array_at(unit, "requests", k));
	}
	return r;
}

static int put_snapshot(struct encoding *e, const struct rsp_export_snapshot *s)
{
	_cleanup_json_ struct json_object *row = NULL;
	const char *const strings[][2] = {
		{"id", s->id},	   {"unit", s->unit},		{"cgroup", s->cgroup},
		{"comm", s->comm}, {"container", s->container}, {"slo", s->slo},
		{"key", s->key},   {"headline", s->headline},	{NULL, NULL}};
	const struct number numbers[] = {{"pid", s->pid},
					 {"value_ns", s->value_ns},
					 {"threshold_ns", s->threshold_ns},
					 {"since", s->since_ns / S_NS},
					 {"until", s->until_ns / S_NS},
					 {"bytes", s->bytes},
					 {NULL, 0}};
	int r = begin(e, s->until_ns);

	if (r < 0)
		return r;
	row = new_row(e);
	if (!row || (add_strings(row, strings) | add_numbers(row, numbers)) < 0)
		return -ENOMEM;
	return put_row(e, SNAPSHOT, row);
}

int rsp_clickhouse_encode(const void *config, const struct rsp_batch *batch, struct rsp_buffer *ret)
{
	_cleanup_(encoding_done) struct encoding e = {.config = config, .batch = batch, .ret = ret};
	int r = 0;

	for (size_t i = 0; r == 0 && i < batch->summary_cnt; i++)
		r = put_summary(&e, batch->summaries[i]);
	for (size_t i = 0; r == 0 && i < batch->snapshot_cnt; i++)
		r = put_snapshot(&e, &batch->snapshots[i]);
	return r < 0 ? r : flush(&e);
}
