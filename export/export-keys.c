/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See export-keys.h. */
#include "export/export-keys.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "lib/base/quantity.h"

#define S_NS 1000000000ULL
#define M    (1ULL << 20)
#define T    (1ULL << 40)

const struct rsp_export_config rsp_export_defaults = {
	.units = "*",
	.spool = "/var/lib/rsp-export/spool",
	.interval_ns = 60 * S_NS,
	.max_use_bytes = 256 * M,
	.max_daily_bytes = 100 * M,
	.sinks[RSP_SINK_CLICKHOUSE].database = "rsp",
	.sinks[RSP_SINK_S3].region = "us-east-1",
};

/* --- values ----------------------------------------------------------------------------------- */

static int parse_string(const struct rsp_export_key *key, const char *value, void *field)
{
	if (strlen(value) >= key->size)
		return -EINVAL;
	memset(field, 0, key->size);
	strcpy(field, value);
	return 0;
}

static int parse_url(const struct rsp_export_key *key, const char *value, void *field)
{
	size_t len = strlen(value);
	char url[RSP_EXPORT_STRING_BYTES];

	if (len >= sizeof(url) || strpbrk(value, " \"'"))
		return -EINVAL;
	strcpy(url, value);
	while (len > 0 && url[len - 1] == '/')
		url[--len] = '\0';
	return parse_string(key, url, field);
}

/* The name becomes part of a URL or an SQL statement, so only some characters are allowed. */
static int parse_name(const struct rsp_export_key *key, const char *value, void *field)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-.";

	return value[strspn(value, letters)] ? -EINVAL : parse_string(key, value, field);
}

/* The parts of the relative path may contain the characters that parse_name() allows. */
static int parse_prefix(const struct rsp_export_key *key, const char *value, void *field)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-./";

	if (value[strspn(value, letters)] || strstr(value, "//") || strstr(value, ".."))
		return -EINVAL;
	return *value == '/' ? -EINVAL : parse_url(key, value, field);
}

static int parse_path(const struct rsp_export_key *key, const char *value, void *field)
{
	return *value == '/' ? parse_string(key, value, field) : -EINVAL;
}

static int store(const struct rsp_export_key *key, uint64_t n, void *field)
{
	if (n < key->min || n > key->max)
		return -EINVAL;
	memcpy(field, &n, sizeof(n));
	return 0;
}

static int parse_size(const struct rsp_export_key *key, const char *value, void *field)
{
	uint64_t n;

	return rsp_size_parse(value, &n) < 0 ? -EINVAL : store(key, n, field);
}

static int parse_bound(const struct rsp_export_key *key, const char *value, void *field)
{
	uint64_t n = UINT64_MAX;

	if (strcmp(value, "off") != 0)
		return parse_size(key, value, field);
	memcpy(field, &n, sizeof(n));
	return 0;
}

static int parse_span(const struct rsp_export_key *key, const char *value, void *field)
{
	uint64_t n;

	return rsp_duration_parse(value, &n) < 0 ? -EINVAL : store(key, n, field);
}

static int parse_bool(const struct rsp_export_key *key, const char *value, void *field)
{
	bool yes = strcmp(value, "yes") == 0;

	if (!yes && strcmp(value, "no") != 0)
		return -EINVAL;
	*(bool *)field = yes;
	return 0;
}

static int parse_how(const struct rsp_export_key *key, const char *value, void *field)
{
	static const char *const names[] = {
		[RSP_REDACT_KEEP] = "keep", [RSP_REDACT_HASH] = "hash", [RSP_REDACT_DROP] = "drop"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(value, names[i]) == 0) {
			*(enum rsp_redact_how *)field = (enum rsp_redact_how)i;
			return 0;
		}
	return -EINVAL;
}

/* --- keys ------------------------------------------------------------------------------------- */

#define FIELD(f)      offsetof(struct rsp_export_config, f), sizeof(((struct rsp_export_config *)0)->f)
#define SINK(kind, f) FIELD(sinks[RSP_SINK_##kind].f)
#define HOW	      "keep, hash or drop"
#define URL	      "a URL as https://db.example:8443"

static const struct rsp_export_key keys[] = {
	{"Export", "Units", parse_string, FIELD(units), 0, 0,
	 "patterns for names of units, as 'nginx.service php*'"},
	{"Export", "Interval", parse_span, FIELD(interval_ns), S_NS, 3600 * S_NS,
	 "a span from 1s to 1h, as 1min"},
	{"Export", "Spool", parse_path, FIELD(spool), 0, 0, "the path of a directory"},
	{"Export", "MaxUse", parse_size, FIELD(max_use_bytes), 1 * M, T,
	 "a size from 1M to 1T, as 256M"},
	{"Export", "MaxDaily", parse_bound, FIELD(max_daily_bytes), 1, T,
	 "a size up to 1T, as 100M, or off"},
	{"Redact", "Paths", parse_how, FIELD(redaction.paths), 0, 0, HOW},
	{"Redact", "Arguments", parse_how, FIELD(redaction.arguments), 0, 0, HOW},
	{"Redact", "Addresses", parse_how, FIELD(redaction.addresses), 0, 0, HOW},
	{"ClickHouse", "URL", parse_url, SINK(CLICKHOUSE, url), 0, 0, URL},
	{"ClickHouse", "CAFile", parse_path, SINK(CLICKHOUSE, ca_file), 0, 0, "the path of a file"},
	{"ClickHouse", "Database", parse_name, SINK(CLICKHOUSE, database), 0, 0,
	 "letters, digits, '_', '-' and '.'"},
	{"ClickHouse", "User", parse_string, SINK(CLICKHOUSE, user), 0, 0, "a name"},
	{"OTLP", "URL", parse_url, SINK(OTLP, url), 0, 0, URL},
	{"OTLP", "CAFile", parse_path, SINK(OTLP, ca_file), 0, 0, "the path of a file"},
	{"OTLP", "Spans", parse_bool, FIELD(spans), 0, 0, "yes or no"},
	{"S3", "URL", parse_url, SINK(S3, url), 0, 0, URL},
	{"S3", "CAFile", parse_path, SINK(S3, ca_file), 0, 0, "the path of a file"},
	{"S3", "Bucket", parse_name, SINK(S3, bucket), 0, 0, "letters, digits, '_', '-' and '.'"},
	{"S3", "Region", parse_name, SINK(S3, region), 0, 0, "letters, digits, '_', '-' and '.'"},
	{"S3", "Prefix", parse_prefix, SINK(S3, prefix), 0, 0,
	 "letters, digits, '_', '-', '.', and '/' between them"},
	{"S3", "KeyID", parse_string, SINK(S3, user), 0, 0, "the ID of an access key"},
	{"S3", "Unredacted", parse_bool, FIELD(unredacted), 0, 0, "yes or no"},
};

bool rsp_export_section_exists(const char *section)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i].section, section) == 0)
			return true;
	return false;
}

const struct rsp_export_key *rsp_export_key_find(const char *section, const char *name)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i].section, section) == 0 && strcmp(keys[i].name, name) == 0)
			return &keys[i];
	return NULL;
}

int rsp_export_key_apply(const struct rsp_export_key *key, const char *value,
			 struct rsp_export_config *config)
{
	void *field = (char *)config + key->offset;

	if (*value)
		return key->parse(key, value, field);
	memcpy(field, (const char *)&rsp_export_defaults + key->offset, key->size);
	return 0;
}

/* --- secrets ---------------------------------------------------------------------------------- */

static const char *const credentials[] = {
	[RSP_SINK_CLICKHOUSE] = "clickhouse-password",
	[RSP_SINK_OTLP] = "otlp-token",
	[RSP_SINK_S3] = "s3-secret",
};

const char *rsp_export_credential(enum rsp_sink_kind kind)
{
	return credentials[kind];
}

const char *rsp_export_secret_key(const char *section, const char *name)
{
	static const char *const names[] = {"Password", "Token",  "Secret",   "SecretKey",
					    "Key",	"Header", "RedactKey"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcasecmp(name, names[i]) != 0)
			continue;
		for (size_t k = 0; k < RSP_SINK_CNT; k++)
			if (strcmp(section, rsp_sink_section((enum rsp_sink_kind)k)) == 0)
				return credentials[k];
		return "redact-key";
	}
	return NULL;
}
