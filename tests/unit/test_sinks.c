/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests lib/http and the sinks of rsp-export without a server. tests/fleet tests them with servers.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "export/otlp-sink.h"
#include "export/s3-sink.h"
#include "lib/http/sha256.h"

#define HASH_OF_NOTHING "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/* --- lib/http --------------------------------------------------------------------------------- */

static void test_urls(void **state)
{
	static const struct {
		const char *url;
		enum rsp_http_auth_kind kind;
		int error;
	} samples[] = {
		{"https://s3.example/", RSP_HTTP_AUTH_BASIC, 0},
		{"HTTPS://s3.example:8443/a?b=c", RSP_HTTP_AUTH_BEARER, -EINVAL},
		{"http://s3.example/", RSP_HTTP_AUTH_NONE, 0},
		{"http://s3.example/", RSP_HTTP_AUTH_AWS, 0}, /* the secret is not sent */
		{"http://s3.example/", RSP_HTTP_AUTH_BASIC, -EINVAL},
		{"http://s3.example/", RSP_HTTP_AUTH_BEARER, -EINVAL},
		{"http://127.0.0.1:8123/", RSP_HTTP_AUTH_BASIC, 0},
		{"http://localhost/", RSP_HTTP_AUTH_BASIC, 0},
		{"http://[::1]:1/", RSP_HTTP_AUTH_BASIC, 0},
		{"http://127.0.0.1.evil.example/", RSP_HTTP_AUTH_BASIC, -EINVAL},
		{"http://localhost.evil.example/", RSP_HTTP_AUTH_BASIC, -EINVAL},
		{"https://user@s3.example/", RSP_HTTP_AUTH_NONE, -EINVAL},
		{"https://user:secret@s3.example/", RSP_HTTP_AUTH_NONE, -EINVAL},
		{"https://s3.example/#part", RSP_HTTP_AUTH_NONE, -EINVAL},
		{"httpx://s3.example/", RSP_HTTP_AUTH_NONE, -EINVAL},
		{"file:///etc/passwd", RSP_HTTP_AUTH_NONE, -EINVAL},
		{"s3.example", RSP_HTTP_AUTH_NONE, -EINVAL},
		{"https://", RSP_HTTP_AUTH_NONE, -EINVAL},
		{"https://s3.example:99999/", RSP_HTTP_AUTH_NONE, -EINVAL},
		{"", RSP_HTTP_AUTH_NONE, -EINVAL},
	};

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct rsp_http_auth auth = {.kind = samples[i].kind};
		char why[RSP_HTTP_WHY_BYTES] = "";
		int r = rsp_http_check_url(samples[i].url, &auth, why);

		if (r != samples[i].error || (r < 0) != (*why != '\0'))
			fail_msg("'%s': %d, '%s'", samples[i].url, r, why);
		assert_null(strstr(why, "secret@"));
	}
}

static void test_headers(void **state)
{
	char lines[] = "HTTP/1.1 200 OK\r\nX-Long:  \t a\x1b[31m\r\nLast: 12\r\nx-empty:\r\n\r\n";
	struct rsp_http_response r = {.headers = {.v = lines, .len = sizeof(lines) - 1}};
	char value[8];

	assert_string_equal(rsp_http_response_header(&r, "x-long", value, sizeof(value)), "a?[31m");
	assert_string_equal(rsp_http_response_header(&r, "LAST", value, 2), "1");
	assert_string_equal(rsp_http_response_header(&r, "x-empty", value, sizeof(value)), "");
	assert_string_equal(rsp_http_response_header(&r, "X", value, sizeof(value)), "");
	r.headers.v = NULL;
	assert_string_equal(rsp_http_response_header(&r, "Last", value, sizeof(value)), "");
}

static void test_sha256(void **state)
{
	char hash[RSP_SHA256_HEX_BYTES];

	rsp_sha256_hex("", 0, hash);
	assert_string_equal(hash, HASH_OF_NOTHING);
	rsp_sha256_hex("abc", 3, hash); /* of FIPS 180-2 */
	assert_string_equal(hash,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static struct rsp_http *open_dry(char **text, size_t *len, FILE **out)
{
	struct rsp_http_config config = {.dry_run = *out = open_memstream(text, len)};
	struct rsp_http *http;

	assert_non_null(*out);
	assert_int_equal(rsp_http_new(&config, &http), 0);
	return http;
}

/* --- the object store ------------------------------------------------------------------------- */

static void test_key_in_url(void **state)
{
	static const struct rsp_s3 store = {.url = "https://s3.example/base//",
					    .bucket = "b",
					    .region = "r",
					    .key_id = "id",
					    .secret = "s3cr3t"};
	_cleanup_response_ struct rsp_http_response answer = {0};
	struct rsp_s3_object object;
	char *text = NULL;
	size_t len;
	FILE *out;
	struct rsp_http *http = open_dry(&text, &len, &out);

	assert_int_equal(rsp_s3_head(http, &store, "a b/ü@+~.rsp", &object, &answer), 0);
	fclose(out);
	assert_string_equal(text,
			    "HEAD https://s3.example/base/b/a%20b/%C3%BC%40%2B~.rsp\n"
			    "Authorization: AWS4-HMAC-SHA256 (key id, region r, the signature "
			    "is not shown)\n"
			    "x-amz-content-sha256: " HASH_OF_NOTHING "\n\n");
	rsp_http_free(http);
	free(text);
}

static void test_keys(void **state)
{
	static const struct rsp_export_host host = {.name = "web-1", .boot = "b00t"};
	static const struct {
		const char *prefix, *unit, *key;
	} samples[] = {
		{"", "nginx.service", "web-1/b00t/nginx.service/20260101T000000Z-1d.rsp"},
		{"/p//q/", "", "p/q/web-1/b00t/none/20260101T000000Z-1d.rsp"},
		{"..", "a/../b c", "__/web-1/b00t/a_.._b_c/20260101T000000Z-1d.rsp"},
		{"p", ".", "p/web-1/b00t/_/20260101T000000Z-1d.rsp"},
		{"p", "getty@tty1.service",
		 "p/web-1/b00t/getty@tty1.service/20260101T000000Z-1d.rsp"},
	};
	struct rsp_export_snapshot s = {.id = "1d", .until_ns = 1767225600999999999};
	char key[RSP_S3_KEY_BYTES], longest[RSP_S3_KEY_BYTES];

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		s.unit = samples[i].unit;
		assert_int_equal(rsp_s3_key(samples[i].prefix, &host, &s, key), 0);
		assert_string_equal(key, samples[i].key);
	}
	memset(longest, 'u', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	s.unit = longest;
	assert_int_equal(rsp_s3_key("", &host, &s, key), -ENAMETOOLONG);
}

static int no_snapshot(void *userdata, const char *id)
{
	fail_msg("opened '%s'", id);
	return -ENOENT;
}

static void test_damaged_s3(void **state)
{
	static const char *const samples[] = {
		"",
		"x",
		"[]",
		"{}",
		"{\"snapshots\":1}",
		"{\"snapshots\":[1]}",
		"{\"snapshots\":[{}]}",
		"{\"snapshots\":[{\"key\":\".rsp\"}]}",
		"{\"snapshots\":[{\"key\":\"a.json\"}]}",
		"{\"snapshots\":[{\"key\":\"a.rsp\"}]",
	};
	const struct rsp_s3_config config = {.open_snapshot = no_snapshot};
	struct rsp_sink_result result;
	char *text = NULL;
	size_t len;
	FILE *out;
	struct rsp_http *http = open_dry(&text, &len, &out);

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		rsp_sink_s3.send(&config, http, "t", samples[i], strlen(samples[i]), &result);
		assert_int_equal(result.error, -EBADMSG);
		assert_string_equal(result.why, "the spooled batch is damaged");
	}
	fclose(out);
	assert_int_equal(len, 0);
	rsp_http_free(http);
	free(text);
}

/* --- OTLP ------------------------------------------------------------------------------------- */

static const char summary_text[] =
	"{\"since_ns\":1000000000,\"until_ns\":2000000000,\"realtime_ns\":1767225600000000000,"
	"\"units\":[1,{\"unit\":7,\"categories\":[],\"requests\":{},\"container\":\"x\"},"
	"{\"unit\":\"a.service\",\"categories\":{\"idle\":5,\"disk_active\":\"x\"},"
	"\"requests\":[1,{\"answered\":1}]}]}";

/* In a batch, a member of a wrong type counts as missing. */
static void test_damaged_otlp(void **state)
{
	struct rsp_otlp_progress progress = {0};
	const struct rsp_otlp_config config = {.url = "http://127.0.0.1:1", .progress = &progress};
	static const struct rsp_export_host host = {.name = "h", .machine = "m", .boot = "b"};
	_cleanup_json_ struct json_object *summary = json_tokener_parse(summary_text);
	const struct rsp_batch batch = {
		.token = "t", .host = &host, .summaries = &summary, .summary_cnt = 1};
	_cleanup_buffer_ struct rsp_buffer bytes = {0};
	struct rsp_sink_result result;
	char *text = NULL;
	size_t len;
	FILE *out;
	struct rsp_http *http = open_dry(&text, &len, &out);

	assert_int_equal(rsp_sink_otlp.encode(&config, &batch, &bytes), 0);
	assert_true(bytes.len > 100);
	for (size_t i = 1; i < bytes.len; i++) {
		rsp_sink_otlp.send(&config, http, "t", bytes.v, i, &result);
		assert_int_equal(result.error, -EBADMSG);
	}
	fflush(out);
	assert_int_equal(len, 0);
	rsp_sink_otlp.send(&config, http, "t", bytes.v, bytes.len, &result);
	assert_int_equal(result.error, 0);
	fclose(out);
	assert_non_null(strstr(text, "POST http://127.0.0.1:1/v1/metrics\n"));
	rsp_http_free(http);
	free(text);
}

static void test_nothing_to_send(void **state)
{
	static const struct rsp_export_host host = {.name = "h"};
	static const struct rsp_export_snapshot by_hand = {.id = "1d", .slo = "", .key = ""};
	const struct rsp_batch batch = {
		.token = "t", .host = &host, .snapshots = &by_hand, .snapshot_cnt = 1};
	const struct rsp_otlp_config otlp = {.url = "http://127.0.0.1:1", .spans_program = "x"};
	_cleanup_buffer_ struct rsp_buffer bytes = {0};

	assert_int_equal(rsp_sink_otlp.encode(&otlp, &batch, &bytes), 0);
	assert_int_equal(rsp_sink_s3.encode(NULL, &batch, &bytes), 0);
	assert_int_equal(bytes.len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_urls),	     cmocka_unit_test(test_headers),
		cmocka_unit_test(test_sha256),	     cmocka_unit_test(test_key_in_url),
		cmocka_unit_test(test_keys),	     cmocka_unit_test(test_damaged_s3),
		cmocka_unit_test(test_damaged_otlp), cmocka_unit_test(test_nothing_to_send),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
