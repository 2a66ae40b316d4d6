/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests export/redact.h. */
#include <errno.h>
#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "export/redact.h"
#include "lib/base/json.h"

static const struct rsp_redaction drop_all = {
	.paths = RSP_REDACT_DROP, .arguments = RSP_REDACT_DROP, .addresses = RSP_REDACT_DROP};

struct row {
	const char *text, *redacted;
};

static void check_texts(const struct rsp_redaction *r, const struct row *rows)
{
	for (; rows->text; rows++) {
		char *redacted;

		assert_int_equal(rsp_redact_text(r, rows->text, &redacted), 0);
		assert_string_equal(redacted, rows->redacted);
		free(redacted);
	}
}

static void check_folded(const struct rsp_redaction *r, const struct row *rows)
{
	for (; rows->text; rows++) {
		char *redacted;

		assert_int_equal(rsp_redact_folded(r, rows->text, &redacted), 0);
		assert_string_equal(redacted, rows->redacted);
		free(redacted);
	}
}

static void paths_in_sentences(void **state)
{
	static const struct row rows[] = {
		{"mysqld waited 2.10 s (92 % of 2.28 s) in fsync on /var/lib/mysql/ib_logfile0 for "
		 "jbd2.",
		 "mysqld waited 2.10 s (92 % of 2.28 s) in fsync on [path] for jbd2."},
		{"on: /srv/a 2.10 s, /srv/b 900 ms", "on: [path] 2.10 s, [path] 900 ms"},
		{"in read on /home/joe/My secret plans.txt, by cc1", "in read on [path], by cc1"},
		{"at (/usr/lib/x.so)", "at ([path])"},
		{"on …/mysql/ib_logfile0", "on …[path]"},
		{"on /srv/a", "on [path]"},
		{"on /srv/a.", "on [path]."},
		{"/srv/a: it is full", "[path]: it is full"},
		{"for php on @/run/php.sock", "for php on [address]"},
		{"=-I/usr/include", "=-I[path]"},
		/* Neither is a path. */
		{"nginx [12/15] took 3 ms/request on /, net/http.(*conn).serve",
		 "nginx [12/15] took 3 ms/request on /, net/http.(*conn).serve"},
		{"10 requests and/or 5", "10 requests and/or 5"},
		{"", ""},
		{NULL, NULL},
	};

	check_texts(&drop_all, rows);
}

static void addresses_in_sentences(void **state)
{
	static const struct row rows[] = {
		{"in recv on 10.1.2.3:5432 for postgres", "in recv on [address]:5432 for postgres"},
		{"on 127.0.0.1.", "on [address]."},
		{"on [fe80::1%eth0]:80, ::1 and 2001:db8::ff",
		 "on [fe80::1%eth0]:80, [address] and "
		 "[address]"},
		{"on [2001:db8::1]:80", "on [[address]]:80"},
		{"card 52:54:00:12:34:56 is slow", "card [address] is slow"},
		{"::ffff:10.0.0.1", "[address]"},
		{"on @abstract for x", "on [address] for x"},
		/* None is an address. */
		{"at 10:42:00 std::vector, nginx@web, 1.2.3, 12.5 %, 0x7fff12:34",
		 "at 10:42:00 std::vector, nginx@web, 1.2.3, 12.5 %, 0x7fff12:34"},
		{NULL, NULL},
	};
	static const struct row scoped = {"fe80::1%eth0", "[address]%eth0"};

	check_texts(&drop_all, &rows[3]);
	check_texts(&drop_all, (const struct row[]){rows[0], rows[1], scoped, {NULL, NULL}});
}

static void arguments_in_sentences(void **state)
{
	static const struct row rows[] = {
		{"curl --user joe:secret", "curl [argument]"},
		{"curl -u joe", "curl [argument]"},
		{"mark \"v2.1 for ACME deployed\" was set", "mark \"[argument]\" was set"},
		{"PASSWORD=hunter2 and more", "PASSWORD=[argument] and more"},
		/* None is an argument. */
		{"php-fpm - 3 % -5 ms, x == y", "php-fpm - 3 % -5 ms, x == y"},
		{NULL, NULL},
	};

	check_texts(&drop_all, rows);
}

static void frames(void **state)
{
	static const struct row rows[] = {
		{"nginx;main;vfs_read_[k];read:_/var/lib/my_db/a_b;leaf",
		 "nginx;main;vfs_read_[k];read:_[path];leaf"},
		{"open:_/srv/my_secret file_[k];x", "open:_[path]_[k];x"},
		{"netpeer;recvfrom:_127.0.0.1:57617", "netpeer;recvfrom:_[address]:57617"},
		{"a;std::vector<int>::push_back;operator=(Foo_const&);x",
		 "a;std::vector<int>::push_back;operator=(Foo_const&);x"},
		{"net/http.(*conn).serve;github.com/foo/bar.Baz", "net/http.(*conn).serve;"
								  "github.com/foo/bar.Baz"},
		{"wait_on;operator->;gcc-12;ld-linux-x86-64.so.2+0x1ab78",
		 "wait_on;operator->;gcc-12;ld-linux-x86-64.so.2+0x1ab78"},
		{";;", ";;"},
		{NULL, NULL},
	};

	check_folded(&drop_all, rows);
}

static void each_kind_alone(void **state)
{
	static const char text[] = "x --file=/srv/a 10.0.0.1";
	struct rsp_redaction r = {.paths = RSP_REDACT_DROP};

	check_texts(&r, (const struct row[]){{text, "x --file=[path]"}, {NULL, NULL}});
	r = (struct rsp_redaction){.addresses = RSP_REDACT_DROP};
	check_texts(&r, (const struct row[]){{text, "x --file=/srv/a [address]"}, {NULL, NULL}});
	r = (struct rsp_redaction){.arguments = RSP_REDACT_DROP};
	check_texts(&r, (const struct row[]){{text, "x [argument]"}, {NULL, NULL}});
	r = (struct rsp_redaction){0};
	check_texts(&r, (const struct row[]){{text, text}, {NULL, NULL}});
}

static char *hash_of(const char *key, const char *text)
{
	struct rsp_redaction r = {.paths = RSP_REDACT_HASH, .key_len = strlen(key)};
	char *redacted;

	memcpy(r.key, key, r.key_len);
	assert_int_equal(rsp_redact_text(&r, text, &redacted), 0);
	return redacted;
}

static void hashes_depend_on_key_and_text(void **state)
{
	static const char key[] = "0123456789abcdef0123456789abcdef";
	char *a = hash_of(key, "/srv/a"), *b = hash_of(key, "/srv/b");
	char *other = hash_of("fedcba9876543210", "/srv/a");

	assert_string_equal(a, "[path 6706273eab38]");
	assert_string_not_equal(a, b);
	assert_string_not_equal(a, other);
	free(a);
	free(b);
	free(other);
}

/* --- summaries -------------------------------------------------------------------------------- */

static struct json_object *parse(const char *text)
{
	struct json_object *o;

	assert_int_equal(rsp_json_parse(text, strlen(text), 16, &o), 0);
	return o;
}

static const char summary_text[] =
	"{\"units\":[{\"unit\":\"a.service\",\"cgroup\":\"/system.slice/a.service\","
	"\"container\":{\"cgroup\":\"/x\"},\"cause\":\"waits for /srv/later\","
	"\"requests\":[{\"comm\":\"/bin/x\",\"slowest_text\":\"read on /srv/slow from 10.9.8.7:80\"}],"
	"\"chains\":["
	"{\"ns\":5,\"count\":1,\"category\":\"disk_active\",\"id\":\"0000000000000001\",\"folded\":\"a;read:_/srv/1\"},"
	"{\"ns\":7,\"count\":2,\"category\":\"disk_active\",\"id\":\"0000000000000002\",\"folded\":\"a;read:_/srv/2\"},"
	"{\"ns\":9,\"count\":3,\"category\":\"network\",\"id\":\"0000000000000003\",\"folded\":\"a;read:_/srv/2\"}]}]}";

static void nothing_secret_is_in_the_bytes(void **state)
{
	struct json_object *summary = parse(summary_text);
	const char *text;

	assert_int_equal(rsp_redact_summary(&drop_all, summary), 0);
	text = json_object_to_json_string_ext(summary, JSON_C_TO_STRING_NOSLASHESCAPE);
	assert_null(strstr(text, "/srv"));
	assert_null(strstr(text, "10.9.8.7"));
	assert_non_null(strstr(text, "waits for [path]"));
	assert_non_null(strstr(text, "/system.slice/a.service"));
	assert_non_null(strstr(text, "/bin/x"));
	json_object_put(summary);
}

static void equal_chains_are_added_up(void **state)
{
	struct json_object *summary = parse(summary_text), *chains, *chain;

	assert_int_equal(rsp_redact_summary(&drop_all, summary), 0);
	chains = json_object_object_get(
		json_object_array_get_idx(json_object_object_get(summary, "units"), 0), "chains");
	assert_int_equal(json_object_array_length(chains), 2);
	chain = json_object_array_get_idx(chains, 0);
	assert_int_equal(json_object_get_int64(json_object_object_get(chain, "ns")), 12);
	assert_int_equal(json_object_get_int64(json_object_object_get(chain, "count")), 3);
	assert_string_not_equal(json_object_get_string(json_object_object_get(chain, "id")),
				"0000000000000001");
	chain = json_object_array_get_idx(chains, 1);
	assert_int_equal(json_object_get_int64(json_object_object_get(chain, "ns")), 9);
	json_object_put(summary);
}

static void keeping_changes_nothing(void **state)
{
	struct json_object *summary = parse(summary_text), *same = parse(summary_text);
	const struct rsp_redaction keep = {0};

	assert_int_equal(rsp_redact_summary(&keep, summary), 0);
	assert_int_equal(json_object_equal(summary, same), 1);
	json_object_put(summary);
	json_object_put(same);
}

static void refuses_what_is_no_summary(void **state)
{
	static const char *const texts[] = {"{}", "{\"units\":5}", "{\"units\":[5]}",
					    "{\"units\":[{\"chains\":5}]}",
					    "{\"units\":[{\"chains\":[5]}]}"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct json_object *summary = parse(texts[i]);

		assert_int_equal(rsp_redact_summary(&drop_all, summary), -EBADMSG);
		json_object_put(summary);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_in_sentences),
		cmocka_unit_test(addresses_in_sentences),
		cmocka_unit_test(arguments_in_sentences),
		cmocka_unit_test(frames),
		cmocka_unit_test(each_kind_alone),
		cmocka_unit_test(hashes_depend_on_key_and_text),
		cmocka_unit_test(nothing_secret_is_in_the_bytes),
		cmocka_unit_test(equal_chains_are_added_up),
		cmocka_unit_test(keeping_changes_nothing),
		cmocka_unit_test(refuses_what_is_no_summary),
	};

	return cmocka_run_group_tests_name("redact", tests, NULL, NULL);
}
