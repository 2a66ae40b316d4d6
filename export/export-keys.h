/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings of export.conf(5) and their keys. Only this module and the man page define defaults
 * and ranges.
 */
#ifndef RSP_EXPORT_KEYS_H
#define RSP_EXPORT_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export/redact.h"

enum rsp_sink_kind { RSP_SINK_CLICKHOUSE, RSP_SINK_OTLP, RSP_SINK_S3, RSP_SINK_CNT };

#define RSP_EXPORT_STRING_BYTES 512

/* A missing setting without a default is "". */
struct rsp_sink_settings {
	char url[RSP_EXPORT_STRING_BYTES]; /* "": the section is missing */
	char ca_file[RSP_EXPORT_STRING_BYTES];
	char user[RSP_EXPORT_STRING_BYTES]; /* ClickHouse: the user; S3: the ID of the key */
	char database[RSP_EXPORT_STRING_BYTES];
	char bucket[RSP_EXPORT_STRING_BYTES], region[RSP_EXPORT_STRING_BYTES];
	char prefix[RSP_EXPORT_STRING_BYTES];
	char secret[RSP_EXPORT_STRING_BYTES]; /* the credential */
};

struct rsp_export_config {
	char units[4096]; /* globs, separated by spaces; '!' before a glob excludes the units */
	char spool[RSP_EXPORT_STRING_BYTES];
	uint64_t interval_ns;
	uint64_t max_use_bytes;	  /* of the spool */
	uint64_t max_daily_bytes; /* UINT64_MAX: no limit */
	bool unredacted;	  /* send snapshots to S3 although [Redact] requires redaction */
	bool spans;		  /* send the control paths of breaches to OTLP */
	struct rsp_redaction redaction;
	struct rsp_sink_settings sinks[RSP_SINK_CNT];
};

const char *rsp_sink_section(enum rsp_sink_kind kind);

extern const struct rsp_export_config rsp_export_defaults;

struct rsp_export_key {
	const char *section, *name;
	int (*parse)(const struct rsp_export_key *key, const char *value, void *field);
	size_t offset, size;
	uint64_t min, max;
	const char *wanted; /* for error messages: "a size of at least 16M, as 256M" */
};

bool rsp_export_section_exists(const char *section);
const struct rsp_export_key *rsp_export_key_find(const char *section, const char *name);
/*
 * An empty value sets the default. Returns 0; -EINVAL: the value is not allowed, and nothing has
 * changed.
 */
int rsp_export_key_apply(const struct rsp_export_key *key, const char *value,
			 struct rsp_export_config *config);

/*
 * Returns the name of the credential that administrators must use instead of a key such as
 * Password=; NULL: the key is not a secret.
 */
const char *rsp_export_secret_key(const char *section, const char *name);
/* Returns a name such as "clickhouse-password". */
const char *rsp_export_credential(enum rsp_sink_kind kind);

#endif
