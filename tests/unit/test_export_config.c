/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests export/export-config.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "export/export-config.h"

static char root[] = "/tmp/rsp-export-XXXXXX";
static char problems[2048]; /* the messages, one a line */

static int set_up(void **state)
{
	strcpy(strrchr(root, '-'), "-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command) == 0 ? 0 : -1;
}

static void put(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	f = fopen(path, "we");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void on_problem(const char *file, unsigned int line, const char *text, void *userdata)
{
	size_t at = strlen(problems);

	snprintf(problems + at, sizeof(problems) - at, "%u: %s\n", line, text);
}

static int load(const char *text, struct rsp_export_config **ret)
{
	char path[128];
	const struct rsp_export_sources sources = {.file = path, .credentials_dir = root};

	put("export.conf", text);
	snprintf(path, sizeof(path), "%s/export.conf", root);
	problems[0] = '\0';
	return rsp_export_config_load(&sources, on_problem, NULL, ret);
}

#define CLICKHOUSE "[ClickHouse]\nURL=https://db:8443\n"

static void defaults(void **state)
{
	struct rsp_export_config *c;

	assert_int_equal(load(CLICKHOUSE, &c), 0);
	assert_string_equal(problems, "");
	assert_string_equal(c->sinks[RSP_SINK_CLICKHOUSE].url, "https://db:8443");
	assert_string_equal(c->sinks[RSP_SINK_CLICKHOUSE].database, "rsp");
	assert_string_equal(c->sinks[RSP_SINK_OTLP].url, "");
	assert_string_equal(c->spool, "/var/lib/rsp-export/spool");
	assert_int_equal(c->interval_ns, 60000000000ULL);
	assert_int_equal(c->max_use_bytes, 256 << 20);
	assert_int_equal(c->max_daily_bytes, 100 << 20);
	assert_false(rsp_redact_changes(&c->redaction));
	free(c);
}

static void all_keys(void **state)
{
	struct rsp_export_config *c;

	put("redact-key", "0123456789abcdef\n");
	put("clickhouse-password", "pass word\n");
	put("s3-secret", "abc");
	assert_int_equal(
		load("[Export]\nUnits=a.service b*\nInterval=5min\nSpool=/x\nMaxUse=1G\n"
		     "MaxDaily=off\n[Redact]\nPaths=hash\nArguments=drop\nAddresses=keep\n"
		     "[ClickHouse]\nURL=http://127.0.0.1:8123/\nDatabase=d\nUser=u\n"
		     "CAFile=/ca.pem\n[OTLP]\nURL=https://otel:4318\n[S3]\nURL=https://s3\n"
		     "Bucket=b\nRegion=r\nPrefix=p/q\nKeyID=k\nUnredacted=yes\n",
		     &c),
		0);
	assert_string_equal(problems, "");
	assert_int_equal(c->max_daily_bytes, UINT64_MAX);
	assert_int_equal(c->redaction.paths, RSP_REDACT_HASH);
	assert_int_equal(c->redaction.arguments, RSP_REDACT_DROP);
	assert_int_equal(c->redaction.addresses, RSP_REDACT_KEEP);
	assert_int_equal(c->redaction.key_len, 16);
	assert_string_equal(c->sinks[RSP_SINK_CLICKHOUSE].url, "http://127.0.0.1:8123");
	assert_string_equal(c->sinks[RSP_SINK_CLICKHOUSE].secret, "pass word");
	assert_string_equal(c->sinks[RSP_SINK_S3].secret, "abc");
	assert_string_equal(c->sinks[RSP_SINK_S3].prefix, "p/q");
	free(c);
}

static void selects_units(void **state)
{
	static const struct {
		const char *units, *unit;
		bool selected;
	} rows[] = {
		{"*", "nginx.service", true},
		{"*", "", true},
		{"nginx.service php*", "php8.2-fpm.service", true},
		{"nginx.service php*", "nginx.service", true},
		{"nginx.service php*", "nginx.service2", false},
		{"nginx.service", "", false},
		{"* !secret*", "secret-a.service", false},
		{"!secret* *", "secret-a.service", false},
		{"* !secret*", "a.service", true},
		{"!secret*", "a.service", false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rsp_export_config *c;
		char text[256];

		snprintf(text, sizeof(text), "[Export]\nUnits=%s\n" CLICKHOUSE, rows[i].units);
		assert_int_equal(load(text, &c), 0);
		assert_int_equal(rsp_export_selects(c, rows[i].unit), rows[i].selected);
		free(c);
	}
}

static void errors_have_one_message(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"",
		 "0: there is no server to send to: set URL= in [ClickHouse], [OTLP] or [S3] of "
		 "/etc/rsp/export.conf (export.conf(5))\n"},
		{"[Nonsense]\nA=b\n" CLICKHOUSE, "1: there is no section [Nonsense]\n"},
		{CLICKHOUSE "Colour=red\n", "3: there is no key Colour= in [ClickHouse]\n"},
		{CLICKHOUSE "Password=secret\n",
		 "3: Password= is a secret, and secrets do not belong in this file: remove it, and "
		 "pass it as the credential clickhouse-password\n"},
		{CLICKHOUSE "[OTLP]\ntoken=secret\n",
		 "4: token= is a secret, and secrets do not belong in this file: remove it, and "
		 "pass it as the credential otlp-token\n"},
		{"[Export]\nInterval=1ms\n" CLICKHOUSE,
		 "2: Interval=1ms is not valid: it takes a span from 1s to 1h, as 1min\n"},
		{"[Export]\nMaxUse=1\n" CLICKHOUSE,
		 "2: MaxUse=1 is not valid: it takes a size from 1M to 1T, as 256M\n"},
		{"[Redact]\nPaths=maybe\n" CLICKHOUSE,
		 "2: Paths=maybe is not valid: it takes keep, hash or drop\n"},
		{"[Redact]\nPaths=hash\n" CLICKHOUSE,
		 "0: [Redact] has a key with the value hash, which needs the credential redact-key: "
		 "a secret that all hosts of the fleet share\n"},
		{"[ClickHouse]\nUser=x\n", "0: [ClickHouse] lacks URL=\n"},
		{"[ClickHouse]\nURL=https://joe:secret@db\n",
		 "0: [ClickHouse] URL=: a URL must not contain a user or a password: logs would "
		 "show it; use the keys and credentials for them\n"},
		{"[ClickHouse]\nURL=ftp://db\n",
		 "0: [ClickHouse] URL=: not a URL that begins with https:// or http://\n"},
		{"[ClickHouse]\nURL=https://db\nDatabase=a;b\n",
		 "3: Database=a;b is not valid: it takes letters, digits, '_', '-' and '.'\n"},
		{"[S3]\nURL=https://s3\n", "0: [S3] lacks Bucket=\n"},
		{"[S3]\nURL=https://s3\nBucket=b\nPrefix=../x\n",
		 "4: Prefix=../x is not valid: it takes letters, digits, '_', '-', '.', and '/' "
		 "between them\n"},
		{"[S3]\nURL=https://s3\nBucket=b\nKeyID=k\n",
		 "0: [S3] KeyID= needs the credential s3-secret\n"},
		{"[Redact]\nPaths=drop\n[S3]\nURL=https://s3\nBucket=b\n",
		 "0: [S3] stores whole recordings, to which [Redact] cannot be applied: remove [S3], "
		 "or allow this with Unredacted=yes in it\n"},
		{"[Redact]\nPaths=drop\n[OTLP]\nURL=https://otel\nSpans=yes\n",
		 "0: [OTLP] Spans=yes sends paths and addresses, to which [Redact] cannot be "
		 "applied: remove one of them\n"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rsp_export_config *c;

		assert_int_equal(load(rows[i].text, &c), -EINVAL);
		assert_string_equal(problems, rows[i].message);
	}
}

static void credentials_are_checked(void **state)
{
	static const struct {
		const char *name, *content, *message;
	} rows[] = {
		{"redact-key", "short",
		 "0: the credential redact-key is shorter than 16 characters: make one with 'openssl "
		 "rand -hex 32'\n"},
		{"redact-key", "0123456789abcdef\nmore",
		 "0: the credential redact-key cannot be used: it must be one line of text\n"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rsp_export_config *c;

		put(rows[i].name, rows[i].content);
		assert_int_equal(load("[Redact]\nAddresses=hash\n" CLICKHOUSE, &c), -EINVAL);
		assert_int_equal(strncmp(problems, rows[i].message, strlen(rows[i].message)), 0);
	}
}

static void secrets_need_encryption(void **state)
{
	struct rsp_export_config *c;

	put("clickhouse-password", "secret\n");
	assert_int_equal(load("[ClickHouse]\nURL=http://db:8123\nUser=u\n", &c), -EINVAL);
	assert_string_equal(problems, "0: [ClickHouse] URL=: http:// would send the secret without "
				      "encryption to another machine: use https://\n");
	assert_int_equal(load("[ClickHouse]\nURL=http://127.0.0.1:8123\nUser=u\n", &c), 0);
	free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(defaults, set_up, tear_down),
		cmocka_unit_test_setup_teardown(all_keys, set_up, tear_down),
		cmocka_unit_test_setup_teardown(selects_units, set_up, tear_down),
		cmocka_unit_test_setup_teardown(errors_have_one_message, set_up, tear_down),
		cmocka_unit_test_setup_teardown(credentials_are_checked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(secrets_need_encryption, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("export-config", tests, NULL, NULL);
}
