/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests export/clickhouse.h. */
#include <errno.h>
#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "export/clickhouse.h"
#include "lib/base/json.h"

#define NOON_NS	    1795780800000000000ULL /* 2026-11-27 12:00:00 UTC */
#define MIDNIGHT_NS 1795824000000000000ULL /* the next midnight */

static struct rsp_clickhouse_state state_of_sink;
static const struct rsp_clickhouse_config config = {.state = &state_of_sink};
static const struct rsp_export_host host = {.name = "web1", .machine = "aa", .boot = "bb"};

static struct json_object *make_summary(uint64_t number, uint64_t realtime_ns)
{
	struct json_object *o;
	char text[1024];

	snprintf(
		text, sizeof(text),
		"{\"number\":%llu,\"since_ns\":5,\"until_ns\":7,\"realtime_ns\":%llu,"
		"\"recorded_ns\":2,\"lost\":1,\"units\":[{\"unit\":\"a.service\",\"cgroup\":\"/a\","
		"\"container\":{\"name\":\"box\",\"id\":\"\"},\"threads\":3,\"total_ns\":9,"
		"\"categories\":{\"idle\":4,\"network\":5},"
		"\"chains\":[{\"ns\":5,\"count\":2,\"category\":\"network\",\"id\":"
		"\"ffffffffffffffff\",\"folded\":\"a;b\"}],"
		"\"requests\":[{\"comm\":\"x\",\"port\":80,\"answered\":7,\"slowest_text\":\"t\"}]"
		"}]}",
		(unsigned long long)number, (unsigned long long)realtime_ns);
	assert_int_equal(rsp_json_parse(text, strlen(text), 16, &o), 0);
	return o;
}

static void encode(const uint64_t *at_ns, size_t cnt, struct rsp_buffer *ret)
{
	struct json_object *summaries[8];
	struct rsp_batch batch = {
		.token = "t", .host = &host, .summaries = summaries, .summary_cnt = cnt};

	for (size_t i = 0; i < cnt; i++)
		summaries[i] = make_summary(i + 1, at_ns[i]);
	assert_int_equal(rsp_clickhouse_encode(&config, &batch, ret), 0);
	for (size_t i = 0; i < cnt; i++)
		json_object_put(summaries[i]);
}

static void check_insert(const char **bytes, size_t *len, const char *table, uint64_t row_cnt,
			 const char *rows)
{
	struct rsp_clickhouse_insert insert;
	struct rsp_buffer text = {0};

	assert_int_equal(rsp_clickhouse_next(bytes, len, &insert), 1);
	assert_string_equal(insert.table, table);
	assert_int_equal(insert.row_cnt, row_cnt);
	assert_int_equal(rsp_gunzip(insert.bytes, insert.len, &text), 0);
	if (rows)
		assert_string_equal(text.v, rows);
	rsp_buffer_done(&text);
}

#define HEAD                                                                                       \
	"{\"host\":\"web1\",\"machine\":\"aa\",\"boot\":\"bb\",\"date\":\"2026-11-27\",\"number\":1,\"at\":1795780800,"
#define UNIT "\"unit\":\"a.service\",\"cgroup\":\"/a\",\"container\":\"box\""

static void one_insert_for_each_table(void **state)
{
	const uint64_t at_ns[] = {NOON_NS};
	struct rsp_buffer bytes = {0};
	const char *next;
	size_t len;

	state_of_sink = (struct rsp_clickhouse_state){0};
	encode(at_ns, 1, &bytes);
	next = bytes.v;
	len = bytes.len;
	check_insert(&next, &len, "rsp_summary", 1,
		     HEAD UNIT ",\"slice_ns\":2,\"recorded_ns\":2,\"lost\":1,\"threads\":3,"
			       "\"total_ns\":9,\"cat_idle\":4,\"cat_network\":5}\n");
	check_insert(&next, &len, "rsp_chain", 1,
		     HEAD UNIT ",\"chain_id\":18446744073709551615,\"ns\":5,\"cnt\":2,"
			       "\"category\":\"network\"}\n");
	check_insert(&next, &len, "rsp_chain_text", 1,
		     "{\"chain_id\":18446744073709551615,\"folded\":\"a;b\",\"last\":"
		     "\"2026-11-27\"}\n");
	check_insert(&next, &len, "rsp_request", 1,
		     HEAD UNIT ",\"comm\":\"x\",\"text\":\"t\",\"port\":80,\"answered\":7,"
			       "\"pending\":0,\"p50_ns\":0,\"p90_ns\":0,\"p99_ns\":0,\"max_ns\":0}"
			       "\n");
	assert_int_equal(len, 0);
	rsp_buffer_done(&bytes);
}

/*
 * ClickHouse executes an INSERT atomically only within a partition, and each day is a partition. So
 * the rows of two days need two INSERTs.
 */
static void days_are_separate(void **state)
{
	const uint64_t at_ns[] = {MIDNIGHT_NS - 2, MIDNIGHT_NS - 1, MIDNIGHT_NS};
	struct rsp_buffer bytes = {0};
	const char *next;
	size_t len;

	state_of_sink = (struct rsp_clickhouse_state){0};
	encode(at_ns, 3, &bytes);
	next = bytes.v;
	len = bytes.len;
	for (int day = 0; day < 2; day++) {
		uint64_t cnt = day ? 1 : 2;

		check_insert(&next, &len, "rsp_summary", cnt, NULL);
		check_insert(&next, &len, "rsp_chain", cnt, NULL);
		check_insert(&next, &len, "rsp_chain_text", 1, NULL);
		check_insert(&next, &len, "rsp_request", cnt, NULL);
	}
	assert_int_equal(len, 0);
	rsp_buffer_done(&bytes);
}

static size_t count_texts(void)
{
	const uint64_t at_ns[] = {NOON_NS};
	struct rsp_clickhouse_insert insert;
	struct rsp_buffer bytes = {0};
	const char *next;
	size_t len, cnt = 0;

	encode(at_ns, 1, &bytes);
	next = bytes.v;
	len = bytes.len;
	while (rsp_clickhouse_next(&next, &len, &insert) > 0)
		cnt += strcmp(insert.table, "rsp_chain_text") == 0;
	rsp_buffer_done(&bytes);
	return cnt;
}

static void texts_are_sent_once(void **state)
{
	state_of_sink = (struct rsp_clickhouse_state){0};
	assert_int_equal(count_texts(), 1);
	assert_int_equal(count_texts(), 0);
	/*
	 * The sink may have dropped the batch that contained the text, so the next batch must
	 * contain the text again.
	 */
	rsp_sink_clickhouse.dropped(&config);
	assert_int_equal(count_texts(), 1);
}

static void nothing_to_send_is_no_bytes(void **state)
{
	struct rsp_batch batch = {.token = "t", .host = &host};
	struct rsp_buffer bytes = {0};

	assert_int_equal(rsp_clickhouse_encode(&config, &batch, &bytes), 0);
	assert_int_equal(bytes.len, 0);
}

static void damaged_bytes(void **state)
{
	static const char *const texts[] = {"x", "rsp_summary 1 2 3\n", "rsp_summary 1 2 3 9\nabc",
					    "rsp_summary 1 2 3 4"};
	struct rsp_buffer bytes = {0};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct rsp_clickhouse_insert insert;
		const char *next = texts[i];
		size_t len = strlen(next);

		assert_int_equal(rsp_clickhouse_next(&next, &len, &insert), -EBADMSG);
	}
	assert_int_equal(rsp_gunzip("nonsense", 8, &bytes), -EBADMSG);
	rsp_buffer_done(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_insert_for_each_table),
		cmocka_unit_test(days_are_separate),
		cmocka_unit_test(texts_are_sent_once),
		cmocka_unit_test(nothing_to_send_is_no_bytes),
		cmocka_unit_test(damaged_bytes),
	};

	return cmocka_run_group_tests_name("clickhouse", tests, NULL, NULL);
}
